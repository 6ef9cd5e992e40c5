// Every kind of illegal access once as a row of a table: where it lies, how wide it is, how far it goes, whether it
// reads, uses what it reads, or writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/command/access_library/access_words.h"

namespace arenaproof::testing {

// What lies where the access has no right.
enum class AccessPlace : std::uint8_t {
  kBefore,     // the gap in front of an operand
  kBehind,     // that behind one
  kBeforeOdd,  // the same of one that ends at no granule
  kBehindOdd,
  kBeforeLoose,   // in front of a constant that starts on no granule: other bytes of the model file
  kBetween,       // a gap that the access begins and ends outside of, in two operands of its own
  kDead,          // a tensor that was used up
  kUnborn,        // one that a later operator will write
  kLive,          // one that others use now
  kScratch,       // another operator's scratch buffer
  kTemporary,     // where another operator had a temporary
  kGap,           // bytes of the head that are nobody's, far from every operand
  kTail,          // another operator's persistent block
  kRuntime,       // the runtime's own records
  kConstant,      // another constant
  kModelFile,     // bytes of the model file that no tensor has
  kReadOnly,      // the own input
  kReadOnlyModel  // the own constant
};
inline constexpr std::size_t kAccessPlaceCount = 18;
const char* AccessPlaceName(AccessPlace place);

// Tensors that an access is counted from; the scene says where they lie.
enum class BaseTensor : std::uint8_t { kSpaced, kOdd, kDeadBeside, kUnbornBeside, kLiveBeside, kConstant, kLoose };
inline constexpr std::size_t kBaseTensorCount = 7;
inline constexpr std::size_t kTensorBytes = 64, kOddBytes = 21;
// The operands of a row that steps over a gap.
inline constexpr std::int32_t kFirstOfPairBytes = 61, kGapBytes = 3;

struct AccessRow {
  AccessPlace place = AccessPlace::kBefore;
  BaseTensor tensor = BaseTensor::kSpaced;  // the operator's input
  AccessWords words;
  // It would spoil what the run needs: for instruments alone that undo it or keep it away.
  bool only_where_undone = false;
};

// What the table needs to know of where things lie, from the start of the head.
struct AccessPlaces {
  std::int32_t spaced = 0, gap = 0, scratch = 0, runtime = 0;
};

std::vector<AccessRow> AccessRows(const AccessPlaces& places);

// "4-byte load, 12 behind".
std::string Describe(const AccessRow& row);

}  // namespace arenaproof::testing

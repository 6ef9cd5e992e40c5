// What an instrument records about an access that the running operator had no right to make, and the log that groups
// such accesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/device/report_words.h"
#include "sanitizers/device/violation_side.h"

namespace arenaproof {

// What lies at a byte that was touched.
enum class ByteState : std::uint8_t {
  kGap,          // arena bytes nothing lies in at this time
  kDeadTensor,   // a planned buffer outside its lifetime
  kLiveTensor,   // a planned tensor in its lifetime, not the operator's to touch so
  kOwnOperand,   // an operand of the running operator
  kScratch,      // a scratch buffer of another operator
  kTail,         // persistent blocks of others and the allocator's own bookkeeping
  kTemporary,    // a temporary of the runtime's
  kConstant,     // another constant of the model
  kGuard,        // closed bytes that the checker put around what is checked
  kModelFile,    // any other byte of the model file
  kReserve,      // closed bytes that the application reserved in front of the head
  kQuantization  // a list of scales or zero points of the model
};

// Where an illegal access ends when bytes are reserved in front of the head. It stays a violation in any case. From the
// best to the worst.
enum class ReserveVerdict : std::uint8_t {
  kNoReserve,
  kNotChecked,        // there is a reserve, but tensors do not lie behind it as on the device
  kContained,         // all of its illegal bytes lie in the reserve
  kReachesObject,     // some lie elsewhere in the arena or in the model
  kLeavesAllocation,  // some lie outside the allocation and the model
};

struct NamedOperator {
  std::int32_t subgraph = 0;
  std::int32_t index = 0;
  OperatorPhase phase = OperatorPhase::kInvoke;
  std::string name;
  std::string kernel;
};

// A group of accesses, or of comparisons of two runs: same operator, phase, operand, side and right.
struct Violation {
  NamedOperator op;
  OperandRange operand;  // the one charged; data null when the operator has none
  bool write = false;
  ViolationSide side = ViolationSide::kFar;
  // kBefore: operand's start - lowest touched address. kAfter: highest touched address + 1 - operand's end. kInside and
  // kOverwritten, kDiffers and kUnwritten: 0. kFar: closed bytes between the operand and the nearest byte touched. A
  // group keeps the largest.
  std::size_t distance_bytes = 0;
  // kDiffers: as many bytes as differ. kUnwritten: as many as are unwritten.
  std::size_t min_width_bytes = 0;
  std::size_t max_width_bytes = 0;
  std::uint64_t count = 0;
  // The lowest and the highest illegal byte of the group, relative to the operand's start (to address 0 without one).
  std::int64_t lowest_touched = 0;
  std::int64_t highest_touched = 0;
  // What lay at the furthest byte.
  ByteState state_kind = ByteState::kGap;
  std::string state;
  std::vector<std::string> map;                         // the arena around the place
  ReserveVerdict reserve = ReserveVerdict::kNoReserve;  // the worst of the group
};

const char* ByteStateName(ByteState state);              // "dead_tensor", ...
const char* ReserveVerdictName(ReserveVerdict verdict);  // "contained", ...
const char* RuntimeWorkName(RuntimeWork work);           // "the runtime, planning", ...
std::string BytesText(std::uint64_t count);              // "1 byte", "2 bytes"

// What an operator does whose `result`, an operand, is kDiffers; empty: it came to another end, or to none.
std::string DifferenceText(std::string_view result);
// The same of kUnwritten; empty: what it did was decided by such bytes.
std::string UnwrittenText(std::string_view result);

// "FULLY_CONNECTED (operator 3, kernel aligned-faulty) reads up to 12 bytes before input tensor 7 (20 bytes) in
// invoke, 16 accesses 16 bytes wide; there lies ...". `operand_name` may be empty.
std::string ViolationSentence(const Violation& violation, const std::string& operand_name);

// Keeps every access as part of a group, in bounded memory.
class ViolationLog {
 public:
  static constexpr std::size_t kMaxGroups = 512;

  // The group that `violation` belongs to; null when there is none yet.
  const Violation* Find(const Violation& violation) const;
  // Adds a group of one access or joins its group: largest distance (with its state and map), width range, count.
  // Beyond kMaxGroups accesses are counted only, and capped() turns true.
  void Add(const Violation& violation);
  // Stops for another reason: an instrument that cannot keep up.
  void SetCapped() { capped_ = true; }
  void Clear();

  const std::vector<Violation>& groups() const { return groups_; }
  std::uint64_t access_count() const { return access_count_; }
  bool capped() const { return capped_; }

 private:
  std::vector<Violation> groups_;
  std::uint64_t access_count_ = 0;
  bool capped_ = false;
};

}  // namespace arenaproof

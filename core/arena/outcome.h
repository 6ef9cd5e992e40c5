// What an operation is given and what comes of it. Apart from the operations' code (operations.h), so that whoever only
// holds an arena does not depend on that.
#pragma once

#include <cstdint>

namespace arenaproof {

enum class Refusal : std::uint8_t {
  kNone,
  kZeroAlignment,
  kTemporariesLive,         // the head cannot move: the temporary section is not reset
  kNotTheHeadBlock,         // the address is not where the resizable block is
  kDoesNotFit,              // too large for the gap, or rounding leaves it
  kNoTemporaryOutstanding,  // a free while the count is 0
  kForeignTemporary,        // a free outside the temporary section
  kTemporariesOutstanding,  // reset: count and checksum are not both 0
  kTooManyTemporaries,      // the count itself is full
  kNotOffered,              // this kind of arena has no such operation
  kResizableTaken,          // a non-persistent arena has one resizable block at a time
  kTailMarked,              // a mark while there is one
  kNotTheMark               // there is no mark, or it is somewhere else
};

template <typename Word>
struct Arguments {
  Word size{};
  Word alignment{};
  Word address{};
};

template <typename Word>
struct Outcome {
  Refusal refusal = Refusal::kNone;
  Word result{};  // of a success, see OperationResult

  constexpr bool ok() const { return refusal == Refusal::kNone; }
};

template <typename Word>
constexpr Outcome<Word> Refused(Refusal refusal) {
  return Outcome<Word>{refusal, Word(0)};
}

template <typename Word>
constexpr Outcome<Word> Granted(const Word& result) {
  return Outcome<Word>{Refusal::kNone, result};
}

}  // namespace arenaproof

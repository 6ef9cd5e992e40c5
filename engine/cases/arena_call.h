// One call of the operation table, and how it reads: `AllocateTemporary(size=1000, alignment=16)`.
#pragma once

#include <cstdint>
#include <string>

#include "core/arena/arena_state.h"
#include "core/arena/operation_table.h"
#include "core/arena/outcome.h"

namespace arenaproof {

template <typename Word>
struct ArenaCall {
  Operation operation{};
  Arguments<Word> arguments{};
};

const char* RefusalName(Refusal refusal);
const char* KindName(ArenaKind kind);

// A number near the top of a word of `word_bits` reads as "max-15" there, else in decimal.
std::string ShowNumber(std::uint64_t number, unsigned word_bits);

// Addresses read as offsets from the arena's `begin`: "begin+16", "begin-1"; far ones as numbers.
std::string ShowAddress(std::uint64_t address, std::uint64_t begin, unsigned word_bits);

namespace arena_call_internal {
std::string ShowCall(const OperationDescriptor& descriptor, std::uint64_t size, std::uint64_t alignment,
                     std::uint64_t address, std::uint64_t begin, unsigned word_bits);
}

template <typename Word>
std::string ShowCall(const ArenaCall<Word>& call, Word begin) {
  return arena_call_internal::ShowCall(Describe(call.operation), call.arguments.size, call.arguments.alignment,
                                       call.arguments.address, begin, sizeof(Word) * 8);
}

// "granted, begin+16", "refused: kDoesNotFit".
template <typename Word>
std::string ShowOutcome(Operation operation, const Outcome<Word>& outcome, Word begin) {
  if (!outcome.ok()) return std::string("refused: ") + RefusalName(outcome.refusal);
  switch (Describe(operation).result) {
    case OperationResult::kNothing:
      return "granted";
    case OperationResult::kBlock:
      return "granted, " + ShowAddress(outcome.result, begin, sizeof(Word) * 8);
    case OperationResult::kValue:
      return "answered " + ShowNumber(outcome.result, sizeof(Word) * 8);
  }
  return "granted";
}

// Cursors as offsets from begin: "head 0, temporary 16, tail 40, end 64, 1 outstanding".
template <typename Word>
std::string ShowState(const ArenaState<Word>& state) {
  const auto offset = [&](Word cursor) { return ShowAddress(cursor, state.begin, sizeof(Word) * 8); };
  return "head ends at " + offset(state.head_end) + ", temporaries at " + offset(state.temporary_end) +
         ", tail begins at " + offset(state.tail_begin) + ", arena ends at " + offset(state.end) + ", " +
         ShowNumber(state.temporary_count, sizeof(Word) * 8) + " outstanding" +
         (state.marked ? ", tail marked at " + offset(state.tail_mark) : "") +
         (state.resizable_taken ? ", resizable taken" : "");
}

}  // namespace arenaproof

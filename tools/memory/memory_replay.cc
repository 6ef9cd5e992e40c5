#include "tools/memory/memory_replay.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/arena/operations.h"
#include "core/base/alignment.h"

namespace arenaproof {
namespace {

// Where an arena starts is known as an offset from a multiple of this.
constexpr std::size_t kAlignmentOfStart = 64;

template <typename Word>
class Replayer {
 public:
  Replayer(std::size_t planning_bytes, WordSize word, const ReplayArenas& arenas)
      : word_(word), planning_bytes_(planning_bytes), two_(arenas.two) {
    const Word start = Word{kStart} + static_cast<Word>(arenas.misalignment);
    // Like TensorArena's factories: the head's side starts, a persistent arena of its own ends on a multiple of 16.
    const Word distance = DistanceToMultiple<Word>(start, kTensorAlignment);
    too_small_ = distance > arenas.bytes;
    if (too_small_) return;
    head_ = EmptyArena<Word>(start + distance, start + static_cast<Word>(arenas.bytes));
    if (!two_) return;
    const Word tail_start = static_cast<Word>(arenas.persistent_misalignment) + Word{kStart};
    const Word tail_end = tail_start + static_cast<Word>(arenas.persistent_bytes);
    const Word rest = Remainder<Word>(tail_end, kTensorAlignment);
    too_small_ = rest > arenas.persistent_bytes;
    if (!too_small_) tail_ = EmptyArena<Word>(tail_start, tail_end - rest);
  }

  Replay Run(const std::vector<TracedOperation>& operations) {
    Replay replay;
    if (too_small_) {
      replay.refused = 0;
      return replay;
    }
    addresses_.assign(operations.size(), 0);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!Grant(operations, i, replay)) {
        replay.refused = i;
        return replay;
      }
    }
    replay.head_bytes = head_.head_end - head_.begin;
    replay.tail_bytes = Tail().end - Tail().tail_begin;
    return replay;
  }

 private:
  // Far from both ends of the smallest address space.
  static constexpr std::uint32_t kStart = 1 << 16;

  ArenaState<Word>& Tail() { return two_ ? tail_ : head_; }

  bool Grant(const std::vector<TracedOperation>& operations, std::size_t index, Replay& replay) {
    const TracedOperation& traced = operations[index];
    const bool persistent = Describe(traced.operation).section == OperationSection::kTail;
    ArenaState<Word>& state = persistent ? Tail() : head_;
    const ArenaState<Word> before = state;
    const std::size_t bytes = traced.bytes(word_);
    if (bytes > static_cast<Word>(~Word{0}) / 2) return false;
    const std::size_t alignment = traced.alignment_on(word_);
    const std::size_t padding = traced.operation == Operation::kAllocateTemporary ? PaddingByChance(alignment) : 0;
    if (padding > static_cast<Word>(~Word{0}) / 4) return false;
    Arguments<Word> arguments{static_cast<Word>(bytes + padding), static_cast<Word>(alignment - padding), 0};
    if (traced.operation == Operation::kResizeHead || traced.operation == Operation::kDeallocateResizable) {
      arguments.address = resizable_;
    } else if (traced.operation == Operation::kDeallocateTemporary) {
      arguments.address = addresses_[traced.freed_operation];
    } else if (traced.planning) {
      const Outcome<Word> rest = Apply(Operation::kAvailableBytes, state, {0, kTensorAlignment, 0});
      if (rest.result < planning_bytes_) return false;
      arguments.size = rest.result;
    }
    const Outcome<Word> outcome = Apply(traced.operation, state, arguments);
    if (!outcome.ok()) return false;
    addresses_[index] = outcome.result;
    if (traced.operation == Operation::kAllocateResizable) resizable_ = outcome.result;
    ReplayedOperation replayed;
    if (persistent) replayed.taken_bytes = before.tail_begin - state.tail_begin;
    if (traced.operation == Operation::kAllocateTemporary) {
      replayed.taken_bytes = state.temporary_end - before.temporary_end;
      if (traced.planning) replayed.taken_bytes -= arguments.size - planning_bytes_;
    }
    if (traced.planning) unneeded_ = arguments.size - static_cast<Word>(planning_bytes_);
    if (traced.operation == Operation::kResetTemporaries) unneeded_ = 0;
    if (traced.operation != Operation::kReserveOverlay && !persistent) {
      const std::size_t taken = head_.temporary_end - head_.begin - unneeded_;
      if (!reserved_) replay.set_up_peak_bytes = std::max(replay.set_up_peak_bytes, taken);
    }
    reserved_ = reserved_ || traced.operation == Operation::kReserveOverlay;
    replay.operations.push_back(replayed);
    return true;
  }

  const WordSize word_;
  const std::size_t planning_bytes_;
  const bool two_;
  bool too_small_ = false;
  ArenaState<Word> head_{};
  ArenaState<Word> tail_{};
  Word resizable_ = 0;
  Word unneeded_ = 0;      // bytes of the block that planning took
  bool reserved_ = false;  // the head has its final size
  std::vector<Word> addresses_;
};

}  // namespace

std::size_t PaddingByChance(std::size_t alignment) { return alignment - std::gcd(alignment, kAlignmentOfStart); }

std::size_t MostPaddingByChance(const std::vector<TracedOperation>& operations) {
  std::size_t most = 0, of_operator = 0;
  for (const TracedOperation& traced : operations) {
    if (traced.operation == Operation::kResetTemporaries) of_operator = 0;
    if (traced.operation == Operation::kAllocateTemporary) of_operator += PaddingByChance(traced.alignment);
    most = std::max(most, of_operator);
  }
  return most;
}

Replay ReplaySetUp(const std::vector<TracedOperation>& operations, std::size_t planning_bytes, WordSize word,
                   const ReplayArenas& arenas) {
  if (word == WordSize::k32) return Replayer<std::uint32_t>(planning_bytes, word, arenas).Run(operations);
  return Replayer<std::uint64_t>(planning_bytes, word, arenas).Run(operations);
}

}  // namespace arenaproof

#include "core/planner/host/simple_arena.h"

#include <utility>

#include "core/planner/host/growing_operations.h"

#if defined(ARENAPROOF_ASAN) || defined(ARENAPROOF_CHECK_INVARIANTS)
#include <cstdio>
#include <cstdlib>

#include "core/planner/host/growing_invariants.h"
#endif

namespace arenaproof {

SimpleArena::SimpleArena(std::size_t alignment, int subgraph, const AlignedMemory& memory,
                         ArenaMemoryListener* listener)
    : buffer_(alignment, subgraph, memory, listener) {
  state_.alignment = alignment;
}

// Instrumented builds check every step against the shared invariants.
GrowingOutcome<std::size_t> SimpleArena::Perform(GrowingOperation operation,
                                                 const GrowingArguments<std::size_t>& arguments) {
#if defined(ARENAPROOF_ASAN) || defined(ARENAPROOF_CHECK_INVARIANTS)
  const GrowingState<std::size_t> before = state_;
  const GrowingOutcome<std::size_t> outcome = Apply(operation, state_, arguments);
  if (const char* broken = FirstBroken(GrowingTransition<std::size_t>{before, operation, arguments, outcome, state_})) {
    std::fprintf(stderr, "growing arena invariant broken by %s: %s\n", Describe(operation).name, broken);
    std::abort();
  }
  return outcome;
#else
  return Apply(operation, state_, arguments);
#endif
}

Status SimpleArena::Explain(GrowingRefusal refusal, const GrowingArguments<std::size_t>& arguments) const {
  switch (refusal) {
    case GrowingRefusal::kNone:
      return Ok();
    case GrowingRefusal::kZeroAlignment:
    case GrowingRefusal::kAlignmentTooLarge:
      return Failure(StatusCode::kHostArenaAlignment, arguments.alignment, state_.alignment);
    case GrowingRefusal::kOverflow:
      return Failure(StatusCode::kHostArenaOverflow, arguments.size, arguments.alignment);
    case GrowingRefusal::kNoMemory:
      return Failure(StatusCode::kHostArenaMemory, state_.high_water, state_.buffer_bytes);
    case GrowingRefusal::kNotCommitted:
      return Failure(StatusCode::kHostArenaNotCommitted, state_.high_water, state_.buffer_bytes);
    case GrowingRefusal::kOutsideBuffer:
      return Failure(StatusCode::kHostArenaOutside, arguments.offset, arguments.size, state_.buffer_bytes);
  }
  return Ok();
}

Status SimpleArena::Allocate(std::size_t alignment, std::size_t bytes, std::int32_t tensor, std::int32_t first,
                             std::int32_t last, Allocation* record) {
  if (record == nullptr) return Failure(StatusCode::kHostNullAnswer);
  GrowingArguments<std::size_t> arguments;
  arguments.size = bytes;
  arguments.alignment = alignment;
  arguments.first = first;
  arguments.last = last;
  arguments.tensor = tensor;
  const GrowingOutcome<std::size_t> outcome = Perform(GrowingOperation::kAllocate, arguments);
  if (outcome.ok()) *record = {outcome.result, bytes, tensor, first, last};
  return Explain(outcome.refusal, arguments);
}

Status SimpleArena::Commit(bool* moved) {
  if (moved == nullptr) return Failure(StatusCode::kHostNullAnswer);
  const Status status = buffer_.Resize(state_.high_water, moved);
  GrowingArguments<std::size_t> arguments;
  arguments.memory = status.ok();
  (void)Perform(GrowingOperation::kCommit, arguments);
  return status;
}

Status SimpleArena::Resolve(const Allocation& record, std::byte** address) const {
  if (address == nullptr) return Failure(StatusCode::kHostNullAnswer);
  GrowingArguments<std::size_t> arguments;
  arguments.offset = record.offset;
  arguments.size = record.size;
  const GrowingOutcome<std::size_t> outcome = Run(GrowingTag<GrowingOperation::kResolve>{}, state_, arguments);
  if (outcome.ok()) *address = record.size == 0 ? nullptr : buffer_.data() + outcome.result;
  return Explain(outcome.refusal, arguments);
}

void SimpleArena::ClearPlan() { (void)Perform(GrowingOperation::kClearPlan, {}); }

void SimpleArena::ReleaseBuffer() {
  buffer_.Release();
  (void)Perform(GrowingOperation::kReleaseBuffer, {});
}

void SimpleArena::ResetAllocations() { (void)Perform(GrowingOperation::kResetAllocations, {}); }

void SimpleArena::PurgeActive(std::int32_t node) {
  GrowingArguments<std::size_t> arguments;
  arguments.node = node;
  (void)Perform(GrowingOperation::kPurgeActive, arguments);
}

void SimpleArena::PurgeAfter(std::int32_t node) {
  GrowingArguments<std::size_t> arguments;
  arguments.node = node;
  (void)Perform(GrowingOperation::kPurgeAfter, arguments);
}

void SimpleArena::CalculateActive(std::span<const Allocation> records, std::int32_t node) {
  GrowingArguments<std::size_t> arguments;
  arguments.node = node;
  arguments.records = records;
  (void)Perform(GrowingOperation::kCalculateActive, arguments);
}

void SimpleArena::Restore(GrowingState<std::size_t>&& plan) {
  const std::size_t buffer_bytes = buffer_.bytes();
  state_ = std::move(plan);
  state_.buffer_bytes = buffer_bytes;
}

}  // namespace arenaproof

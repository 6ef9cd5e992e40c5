#include "core/arena/arena.h"

#include "core/arena/counting.h"
#include "core/arena/operations.h"
#include "core/base/checked_word.h"

#if defined(ARENAPROOF_ASAN) || defined(ARENAPROOF_CHECK_INVARIANTS)
#include <cstdio>
#include <cstdlib>

#include "core/arena/invariants.h"
#endif

namespace arenaproof {
namespace {

using Word = std::uintptr_t;

static_assert(sizeof(std::size_t) == sizeof(Word), "sizes and addresses share the word of the arithmetic");

Word AddressOf(const std::byte* pointer) { return reinterpret_cast<Word>(pointer); }

std::byte* PointerTo(Word address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): cursors are addresses
}

// Instrumented builds check every step of every arena against the shared invariants.
void CheckStep([[maybe_unused]] const ArenaState<Word>& before, [[maybe_unused]] Operation operation,
               [[maybe_unused]] const Arguments<Word>& arguments, [[maybe_unused]] const Outcome<Word>& outcome,
               [[maybe_unused]] const ArenaState<Word>& after) {
#if defined(ARENAPROOF_ASAN) || defined(ARENAPROOF_CHECK_INVARIANTS)
  const char* broken = FirstBroken(Transition<Word>{before, operation, arguments, outcome, after});
  if (broken != nullptr) {
    std::fprintf(stderr, "arena invariant broken by %s: %s\n", Describe(operation).name, broken);
    std::abort();
  }
#endif
}

}  // namespace

Status Arena::Init(std::byte* buffer, std::size_t bytes, ArenaKind kind, ArenaObserver* observer) {
  if (buffer == nullptr) return Failure(StatusCode::kArenaNullBuffer);
  const Checked<Word> end = CheckedAdd<Word>(AddressOf(buffer), bytes);
  if (!end.ok) return Failure(StatusCode::kSizeOverflow, AddressOf(buffer), bytes);
  state_ = EmptyArena<Word>(AddressOf(buffer), end.value, kind);
  observer_ = observer;
  return Ok();
}

Outcome<Word> Arena::Perform(Operation operation, const Arguments<Word>& arguments) {
  const ArenaState<Word> before = state_;
  const Outcome<Word> outcome = Apply(operation, state_, arguments);
  CheckStep(before, operation, arguments, outcome, state_);
  if (counters_ != nullptr && outcome.ok()) Count(operation, arguments.size, before, state_, *counters_);
  if (observer_ != nullptr && outcome.ok()) observer_->OnOperation(operation, arguments.size, arguments.alignment);
  return outcome;
}

Word Arena::Ask(Operation operation, Word alignment) const {
  ArenaState<Word> copy = state_;
  const Arguments<Word> arguments{0, alignment, 0};
  const Outcome<Word> outcome = Apply(operation, copy, arguments);
  CheckStep(state_, operation, arguments, outcome, copy);
  return outcome.result;
}

Status Arena::Explain(Operation operation, Refusal refusal, const Arguments<Word>& arguments) const {
  switch (refusal) {
    case Refusal::kNone:
      return Ok();
    case Refusal::kZeroAlignment:
      return Failure(StatusCode::kArenaZeroAlignment, arguments.size);
    case Refusal::kTemporariesLive:
      return Failure(StatusCode::kArenaTemporariesLive, state_.temporary_end - state_.head_end, state_.temporary_count);
    case Refusal::kNotTheHeadBlock: {
      const Word alignment = arguments.alignment == 0 ? 1 : arguments.alignment;
      return Failure(StatusCode::kArenaNotTheHeadBlock, arguments.address,
                     state_.begin + DistanceToMultiple<Word>(state_.begin, alignment));
    }
    case Refusal::kDoesNotFit: {
      StatusCode code = StatusCode::kArenaHeadDoesNotFit;
      Word available = AvailableBytes(arguments.alignment);
      switch (Describe(operation).section) {
        case OperationSection::kTemporary:
          code = StatusCode::kArenaTemporaryDoesNotFit;
          break;
        case OperationSection::kTail:
          code = StatusCode::kArenaPersistentDoesNotFit;
          break;
        case OperationSection::kHead: {  // its present contents do not count: it starts anew
          const Word room = state_.tail_begin - state_.begin;
          const Word distance = DistanceToMultiple<Word>(state_.begin, arguments.alignment);
          available = distance > room ? 0 : room - distance;
          break;
        }
        case OperationSection::kNone:
          break;
      }
      return Failure(code, arguments.size, arguments.alignment, available);
    }
    case Refusal::kNoTemporaryOutstanding:
      return Failure(StatusCode::kArenaNoTemporaryOutstanding, arguments.address);
    case Refusal::kForeignTemporary:
      return Failure(StatusCode::kArenaForeignTemporary, arguments.address, state_.head_end, state_.temporary_end);
    case Refusal::kTemporariesOutstanding:
      return Failure(StatusCode::kArenaTemporariesOutstanding, state_.temporary_count, state_.temporary_checksum);
    case Refusal::kTooManyTemporaries:
      return Failure(StatusCode::kArenaTooManyTemporaries, state_.temporary_count);
    case Refusal::kNotOffered:
      return Failure(StatusCode::kArenaNotOffered, operation, state_.kind);
    case Refusal::kResizableTaken:
      return Failure(StatusCode::kArenaResizableTaken, arguments.size, arguments.alignment, state_.begin);
    case Refusal::kTailMarked:
      return Failure(StatusCode::kArenaTailMarked, state_.tail_mark);
    case Refusal::kNotTheMark:
      return Failure(StatusCode::kArenaNotTheMark, arguments.address, state_.marked, state_.tail_mark);
  }
  return Ok();
}

Status Arena::PerformOnHead(Operation operation, const Arguments<Word>& arguments, std::byte** block) {
  const Outcome<Word> outcome = Perform(operation, arguments);
  if (!outcome.ok()) return Explain(operation, outcome.refusal, arguments);
  if (block != nullptr) *block = PointerTo(outcome.result);
  if (observer_ != nullptr) observer_->OnHeadResized({PointerTo(state_.begin), state_.head_end - state_.begin});
  return Ok();
}

Status Arena::AllocateResizable(std::size_t size, std::size_t alignment, std::byte** block) {
  return PerformOnHead(Operation::kAllocateResizable, {size, alignment, 0}, block);
}

Status Arena::ResizeHead(std::byte* block, std::size_t size, std::size_t alignment) {
  return PerformOnHead(Operation::kResizeHead, {size, alignment, AddressOf(block)}, nullptr);
}

Status Arena::DeallocateResizable(std::byte* block) {
  return PerformOnHead(Operation::kDeallocateResizable, {0, 1, AddressOf(block)}, nullptr);
}

Status Arena::ReserveOverlay(std::size_t size, std::size_t alignment) {
  return PerformOnHead(Operation::kReserveOverlay, {size, alignment, 0}, nullptr);
}

Status Arena::AllocateTemporary(std::size_t size, std::size_t alignment, std::byte** block) {
  const Arguments<Word> arguments{size, alignment, 0};
  const Outcome<Word> outcome = Perform(Operation::kAllocateTemporary, arguments);
  if (!outcome.ok()) return Explain(Operation::kAllocateTemporary, outcome.refusal, arguments);
  *block = PointerTo(outcome.result);
  if (observer_ != nullptr) observer_->OnTemporaryAllocated({*block, size});
  return Ok();
}

Status Arena::DeallocateTemporary(std::byte* block) {
  const Arguments<Word> arguments{0, 0, AddressOf(block)};
  const Outcome<Word> outcome = Perform(Operation::kDeallocateTemporary, arguments);
  if (!outcome.ok()) return Explain(Operation::kDeallocateTemporary, outcome.refusal, arguments);
  if (observer_ != nullptr) observer_->OnTemporaryFreed(block);
  return Ok();
}

bool Arena::AllTemporariesDeallocated() const { return Ask(Operation::kAllTemporariesDeallocated, 1) != 0; }

Status Arena::ResetTemporaries() {
  const Outcome<Word> outcome = Perform(Operation::kResetTemporaries, {});
  if (!outcome.ok()) return Explain(Operation::kResetTemporaries, outcome.refusal, {});
  if (observer_ != nullptr) observer_->OnTemporariesReset();
  return Ok();
}

Status Arena::AllocatePersistent(std::size_t size, std::size_t alignment, std::byte** block) {
  const Arguments<Word> arguments{size, alignment, 0};
  const Outcome<Word> outcome = Perform(Operation::kAllocatePersistent, arguments);
  if (!outcome.ok()) return Explain(Operation::kAllocatePersistent, outcome.refusal, arguments);
  *block = PointerTo(outcome.result);
  if (observer_ != nullptr) observer_->OnTailAllocated({*block, size});
  return Ok();
}

Status Arena::MarkTail(std::byte** mark) {
  const Outcome<Word> outcome = Perform(Operation::kMarkTail, {});
  if (!outcome.ok()) return Explain(Operation::kMarkTail, outcome.refusal, {});
  *mark = PointerTo(outcome.result);
  return Ok();
}

Status Arena::RewindTail(std::byte* mark) {
  const Arguments<Word> arguments{0, 0, AddressOf(mark)};
  const Outcome<Word> outcome = Perform(Operation::kRewindTail, arguments);
  if (!outcome.ok()) return Explain(Operation::kRewindTail, outcome.refusal, arguments);
  if (observer_ != nullptr) observer_->OnTailRewound(mark);
  return Ok();
}

Status Arena::KeepTail() {
  const Outcome<Word> outcome = Perform(Operation::kKeepTail, {});
  return Explain(Operation::kKeepTail, outcome.refusal, {});
}

std::byte* Arena::OverlayAddress() const { return PointerTo(state_.begin); }
std::size_t Arena::NonPersistentUsedBytes() const { return Ask(Operation::kNonPersistentUsedBytes, 1); }
std::size_t Arena::PersistentUsedBytes() const { return Ask(Operation::kPersistentUsedBytes, 1); }
std::size_t Arena::UsedBytes() const { return Ask(Operation::kUsedBytes, 1); }
std::size_t Arena::AvailableBytes(std::size_t alignment) const { return Ask(Operation::kAvailableBytes, alignment); }
std::size_t Arena::TotalBytes() const { return state_.end - state_.begin; }

}  // namespace arenaproof

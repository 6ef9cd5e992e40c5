#include "engine/oracles/arena/status_oracle.h"

#include "core/arena/step.h"

namespace arenaproof {
namespace {

using Word = std::uintptr_t;
using Wide = WidestUnsigned;

Wide FirstMultipleFrom(Wide low, Wide alignment) { return (low + alignment - 1) / alignment * alignment; }
Wide Distance(Wide low, Wide high) { return high > low ? high - low : 0; }

// The room of the section that the operation works on, for a block of that alignment.
Wide RoomBytes(const Transition<Word>& step) {
  const ArenaState<Word>& state = step.before;
  const Wide alignment = step.arguments.alignment == 0 ? 1 : step.arguments.alignment;
  // The head starts anew; everybody else has what lies between temporaries and tail, in whole alignments.
  if (Describe(step.operation).section == OperationSection::kHead) {
    return Distance(FirstMultipleFrom(state.begin, alignment), state.tail_begin);
  }
  return Distance(FirstMultipleFrom(state.temporary_end, alignment), state.tail_begin / alignment * alignment);
}

StatusCode CodeOfRoom(OperationSection section) {
  switch (section) {
    case OperationSection::kHead:
      return StatusCode::kArenaHeadDoesNotFit;
    case OperationSection::kTemporary:
      return StatusCode::kArenaTemporaryDoesNotFit;
    case OperationSection::kTail:
      return StatusCode::kArenaPersistentDoesNotFit;
    case OperationSection::kNone:
      break;
  }
  return StatusCode::kOk;
}

Status Expected(const Transition<Word>& step) {
  const ArenaState<Word>& state = step.before;
  const Word size = step.arguments.size;
  const Word address = step.arguments.address;
  const Word alignment = Describe(step.operation).takes_alignment ? step.arguments.alignment : 1;
  switch (step.outcome.refusal) {
    case Refusal::kNone:
      return {};
    case Refusal::kZeroAlignment:
      return {StatusCode::kArenaZeroAlignment, {size}};
    case Refusal::kTemporariesLive:
      return {StatusCode::kArenaTemporariesLive, {state.temporary_end - state.head_end, state.temporary_count}};
    case Refusal::kNotTheHeadBlock:
      return {StatusCode::kArenaNotTheHeadBlock,
              {address, static_cast<Word>(FirstMultipleFrom(state.begin, alignment == 0 ? 1 : alignment))}};
    case Refusal::kDoesNotFit:
      return {CodeOfRoom(Describe(step.operation).section), {size, alignment, static_cast<Word>(RoomBytes(step))}};
    case Refusal::kNoTemporaryOutstanding:
      return {StatusCode::kArenaNoTemporaryOutstanding, {address}};
    case Refusal::kForeignTemporary:
      return {StatusCode::kArenaForeignTemporary, {address, state.head_end, state.temporary_end}};
    case Refusal::kTemporariesOutstanding:
      return {StatusCode::kArenaTemporariesOutstanding, {state.temporary_count, state.temporary_checksum}};
    case Refusal::kTooManyTemporaries:
      return {StatusCode::kArenaTooManyTemporaries, {state.temporary_count}};
    case Refusal::kNotOffered:
      return {StatusCode::kArenaNotOffered,
              {static_cast<std::uint64_t>(step.operation), static_cast<std::uint64_t>(state.kind)}};
    case Refusal::kResizableTaken:
      return {StatusCode::kArenaResizableTaken, {size, alignment, state.begin}};
    case Refusal::kTailMarked:
      return {StatusCode::kArenaTailMarked, {state.tail_mark}};
    case Refusal::kNotTheMark:
      return {StatusCode::kArenaNotTheMark, {address, state.marked ? 1u : 0u, state.tail_mark}};
  }
  return {};
}

// Whoever asks again with the figure that the status names gets what it promises.
const char* TakeAtItsWord(const Status& status, const Transition<Word>& step) {
  Arguments<Word> again = step.arguments;
  if (step.outcome.refusal == Refusal::kDoesNotFit) {
    again.size = static_cast<Word>(status.detail[2]);
    if (again.size == 0) return nullptr;
    if (Step(step.before, step.operation, again).outcome.ok()) return nullptr;
    return "I9 available is honest: the bytes that a refusal names as available are not";
  }
  if (step.outcome.refusal == Refusal::kNotTheHeadBlock) {
    again.address = static_cast<Word>(status.detail[1]);
    if (Step(step.before, step.operation, again).outcome.refusal != Refusal::kNotTheHeadBlock) return nullptr;
    return "I13 resizable identity: the address that a refusal names as the head block is not";
  }
  return nullptr;
}

}  // namespace

const char* CheckStatus(const Status& status, const Transition<Word>& step) {
  const Status expected = Expected(step);
  if (status.code != expected.code) return "a call's status has another code than its refusal";
  if (const char* broken = TakeAtItsWord(status, step)) return broken;
  if (status != expected) return "a call's status names another figure than the arena has";
  return nullptr;
}

}  // namespace arenaproof

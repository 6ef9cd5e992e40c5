#include "engine/harness/host_planner/arena_session_run.h"

#include <array>
#include <optional>
#include <utility>

#include "core/planner/host/growing_step.h"
#include "core/planner/host/simple_arena.h"
#include "engine/cases/growing_call.h"
#include "engine/harness/host_planner/tracked_memory.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostSteps = 64;
constexpr std::size_t kMostRealBytes = std::size_t{1} << 20;
constexpr std::array<std::size_t, 8> kArenaAlignments = {64, 1, 16, 12, 128, 7, 0, 64};

// How often each operation is drawn: the table has one of each, and allocations three times more.
GrowingOperation OperationOf(std::uint8_t number) {
  const std::size_t count = kGrowingTable.size() * 2;
  const std::size_t index = number % count;
  return index < kGrowingTable.size() ? kGrowingTable[index].operation : GrowingOperation::kAllocate;
}

// Mostly small, sometimes around the largest word or its half. `small`: always, so that memory grows again and again.
template <ConcreteWord Word>
Word SizeOf(std::uint8_t number, std::uint8_t form, bool small) {
  switch (small ? form % 16 | 3 : form % 16) {
    case 0:
      return static_cast<Word>(~Word{0} - number);
    case 1:
      return static_cast<Word>((Word{1} << (sizeof(Word) * 8 - 1)) + number);
    case 2:
      return static_cast<Word>(Word{0} - Word{number} * 64);
    case 3:
      return static_cast<Word>(number % 3);
    default:
      return static_cast<Word>(number) * (form % 5 == 0 ? 37 : 1);
  }
}

template <ConcreteWord Word>
Word AlignmentOf(std::uint8_t number) {
  constexpr std::array<unsigned, 16> kUsual = {1, 2, 4, 8, 16, 32, 64, 64, 3, 5, 6, 12, 48, 0, 65, 128};
  return number == 255 ? static_cast<Word>(~Word{0}) : static_cast<Word>(kUsual[number % 16]);
}

template <ConcreteWord Word>
class ArenaRun {
 public:
  ArenaRun(std::size_t alignment, MemoryForm form, int subgraph, bool small)
      : small_(small),
        memory_(form, kMostRealBytes, alignment, subgraph, false),
        real_(std::in_place, alignment, subgraph, memory_.Functions(), &memory_) {
    state_.alignment = static_cast<Word>(alignment);
  }

  void Call(const SessionDraw& draw, std::int32_t tensor) {
    const GrowingOperation operation = OperationOf(draw.what);
    const GrowingArguments<Word> arguments = ArgumentsOf(operation, draw, tensor);
    const GrowingTransition<Word> step = Step(state_, operation, arguments);
    steps_.push_back(ShowGrowingCall(step));
    if (const char* broken = FirstBroken(step)) return Fault(broken);
    if constexpr (sizeof(Word) == sizeof(std::size_t)) {
      Make(step);
      if (!fault_.empty()) return;
      if (real_->state() != step.after) return Fault("the arena's state is not that of its operations");
      CheckMemory();
    }
    state_ = step.after;
    if (step.outcome.ok() && operation == GrowingOperation::kAllocate) {
      records_.push_back({step.outcome.result, arguments.size, tensor, arguments.first, arguments.last});
    }
    if (!step.outcome.ok()) ++result_.refused;
    result_.most_active = std::max(result_.most_active, state_.active.size());
  }

  bool faulty() const { return !fault_.empty(); }

  // All memory has come back.
  void End() {
    real_.reset();
    if (!memory_.fault().empty()) return Fault(memory_.fault());
    if (!memory_.HasArenas(0)) Fault("memory is not given back");
  }

  ArenaSessionResult Take(bool describe) {
    result_.fault = fault_;
    for (const std::string& step : steps_) {
      if (describe) result_.history += step + "\n";
    }
    return std::move(result_);
  }

 private:
  // What the host and the listener were told, and what lies in the memory.
  void CheckMemory() {
    if (!memory_.fault().empty()) return Fault(memory_.fault());
    const auto bytes = static_cast<std::size_t>(real_->state().buffer_bytes);
    if (real_->buffer_bytes() != bytes || real_->high_water() != real_->state().high_water ||
        real_->active().size() != real_->state().active.size()) {
      return Fault("the arena says something else than its state");
    }
    if (!memory_.IsArena(real_->base(), bytes)) return Fault("the arena is no block that the host knows");
    if (!memory_.HasArenas(bytes == 0 ? 0 : 1)) return Fault("a block is kept for no arena, or taken from one");
    if (!contents_.Kept(real_->base(), bytes)) return Fault("the arena has lost its contents");
    contents_.Write(real_->base(), bytes);
  }

  // Why the real arena has to refuse what was refused.
  Status ReasonOf(const GrowingTransition<Word>& step) const {
    const GrowingArguments<Word>& arguments = step.arguments;
    const GrowingState<Word>& before = step.before;
    switch (step.outcome.refusal) {
      case GrowingRefusal::kNone:
        return Ok();
      case GrowingRefusal::kZeroAlignment:
      case GrowingRefusal::kAlignmentTooLarge:
        return Failure(StatusCode::kHostArenaAlignment,
                       step.operation == GrowingOperation::kCommit ? Word{0} : arguments.alignment, before.alignment);
      case GrowingRefusal::kOverflow:
        if (step.operation == GrowingOperation::kCommit) {
          return Failure(StatusCode::kHostArenaOverflow, before.high_water, before.alignment);
        }
        return Failure(StatusCode::kHostArenaOverflow, arguments.size, arguments.alignment);
      case GrowingRefusal::kNoMemory:
        return Failure(StatusCode::kHostArenaMemory, before.high_water, before.buffer_bytes);
      case GrowingRefusal::kNotCommitted:
        return Failure(StatusCode::kHostArenaNotCommitted, before.high_water, before.buffer_bytes);
      case GrowingRefusal::kOutsideBuffer:
        return Failure(StatusCode::kHostArenaOutside, arguments.offset, arguments.size, before.buffer_bytes);
    }
    return Ok();
  }

  // No place for an answer is refused before anything else is looked at.
  void MakeWithoutAnswer(const GrowingTransition<Word>& step) {
    const GrowingArguments<Word>& arguments = step.arguments;
    const Status refused = Failure(StatusCode::kHostNullAnswer);
    if (step.operation == GrowingOperation::kAllocate &&
        real_->Allocate(arguments.alignment, arguments.size, 0, arguments.first, arguments.last, nullptr) != refused) {
      Fault("Allocate without a record answers otherwise");
    }
    if (step.operation == GrowingOperation::kCommit && real_->Commit(nullptr) != refused) {
      Fault("Commit without a flag answers otherwise");
    }
    if (step.operation == GrowingOperation::kResolve && real_->Resolve({}, nullptr) != refused) {
      Fault("Resolve without an address answers otherwise");
    }
  }

  GrowingArguments<Word> ArgumentsOf(GrowingOperation operation, const SessionDraw& draw, std::int32_t tensor) {
    GrowingArguments<Word> arguments;
    arguments.tensor = tensor;
    arguments.first = draw.c % 8;
    arguments.last = draw.c >= 250 ? kNoNode : arguments.first + draw.c / 8 % 8 - (draw.c / 64 == 3 ? 1 : 0);
    arguments.node = draw.c % 10 - 1;
    arguments.size = SizeOf<Word>(draw.a, draw.b, small_);
    arguments.alignment = AlignmentOf<Word>(draw.b);
    if (operation == GrowingOperation::kCommit) {
      arguments.memory = (memory_.is_heap() || draw.a % 4 != 0) &&
                         (sizeof(Word) != sizeof(std::size_t) || state_.high_water <= kMostRealBytes);
    }
    if (operation == GrowingOperation::kResolve) {
      arguments.offset = SizeOf<Word>(draw.c, draw.a, false);
      if (!records_.empty() && draw.b % 2 == 0) {
        const AllocationRecord<Word>& record = records_[draw.a % records_.size()];
        arguments.offset = record.offset;
        arguments.size = record.size;
      }
    }
    if (operation == GrowingOperation::kCalculateActive) arguments.records = records_;
    return arguments;
  }

  // The same call of the real arena, whose answer has to be the same.
  void Make(const GrowingTransition<Word>& step) {
    const GrowingArguments<Word>& arguments = step.arguments;
    const Status answer = ReasonOf(step);
    MakeWithoutAnswer(step);
    switch (step.operation) {
      case GrowingOperation::kAllocate: {
        Allocation record{7, 7, 7, 7, 7};
        const Allocation untouched = record;
        const Status status = real_->Allocate(arguments.alignment, arguments.size, arguments.tensor, arguments.first,
                                              arguments.last, &record);
        if (status != answer) return Fault("Allocate answers otherwise");
        if (!status.ok() && record != untouched) return Fault("a refused Allocate has written the record");
        if (status.ok() && record.offset != step.outcome.result) return Fault("Allocate gives another offset");
        return;
      }
      case GrowingOperation::kCommit: {
        bool moved = false;
        memory_.growths_left = arguments.memory ? 1 : 0;
        if (real_->Commit(&moved) != answer) return Fault("Commit answers otherwise");
        if (step.outcome.ok() && moved != (step.outcome.result != 0)) return Fault("Commit says otherwise what moved");
        return;
      }
      case GrowingOperation::kResolve: {
        std::byte* address = nullptr;
        const Allocation record{arguments.offset, arguments.size, 0, 0, 0};
        if (real_->Resolve(record, &address) != answer) return Fault("Resolve answers otherwise");
        if (!step.outcome.ok()) return;
        std::byte* const expected = arguments.size == 0 ? nullptr : real_->base() + arguments.offset;
        if (address != expected) return Fault("Resolve gives another address");
        return;
      }
      case GrowingOperation::kClearPlan:
        return real_->ClearPlan();
      case GrowingOperation::kReleaseBuffer:
        contents_.Forget();
        return real_->ReleaseBuffer();
      case GrowingOperation::kResetAllocations:
        return real_->ResetAllocations();
      case GrowingOperation::kPurgeActive:
        return real_->PurgeActive(arguments.node);
      case GrowingOperation::kPurgeAfter:
        return real_->PurgeAfter(arguments.node);
      case GrowingOperation::kCalculateActive: {
        std::vector<Allocation> records;
        for (const auto& record : arguments.records) {
          records.push_back({record.offset, record.size, record.tensor, record.first, record.last});
        }
        return real_->CalculateActive(records, arguments.node);
      }
    }
  }

  void Fault(const std::string& fault) {
    if (fault_.empty()) fault_ = fault;
  }

  bool small_;
  TrackedMemory memory_;
  std::optional<SimpleArena> real_;
  ArenaContents contents_;
  GrowingState<Word> state_;
  std::vector<AllocationRecord<Word>> records_;
  std::vector<std::string> steps_;
  std::string fault_;
  ArenaSessionResult result_;
};

template <ConcreteWord Word>
ArenaSessionResult Run(const ArenaSession& session, bool describe) {
  constexpr MemoryForm kForms[] = {MemoryForm::kWithoutReallocate, MemoryForm::kWithReallocate, MemoryForm::kHeap};
  ArenaRun<Word> run(kArenaAlignments[session.world / 2 % kArenaAlignments.size()], kForms[session.world / 16 % 3],
                     session.world % 7, session.world >= 128);
  for (std::size_t i = 0; i < session.calls.size() && i < kMostSteps && !run.faulty(); ++i) {
    run.Call(session.calls[i], static_cast<std::int32_t>(i));
  }
  run.End();
  return run.Take(describe);
}

}  // namespace

ArenaSessionResult RunArenaSession(const ArenaSession& session, bool describe) {
  return session.world % 2 == 0 ? Run<std::uint64_t>(session, describe) : Run<std::uint32_t>(session, describe);
}

}  // namespace arenaproof::testing

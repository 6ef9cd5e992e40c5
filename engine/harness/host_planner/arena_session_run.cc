#include "engine/harness/host_planner/arena_session_run.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "core/planner/host/growing_step.h"
#include "core/planner/host/simple_arena.h"
#include "engine/cases/growing_call.h"

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

// Mostly small, sometimes around the largest word or its half.
template <ConcreteWord Word>
Word SizeOf(std::uint8_t number, std::uint8_t form) {
  switch (form % 16) {
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
  explicit ArenaRun(std::size_t alignment) : real_(alignment, 0, Memory(), nullptr) {
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
      if (real_.state() != step.after) return Fault("the arena's state is not that of its operations");
    }
    state_ = step.after;
    if (step.outcome.ok() && operation == GrowingOperation::kAllocate) {
      records_.push_back({step.outcome.result, arguments.size, tensor, arguments.first, arguments.last});
    }
    if (!step.outcome.ok()) ++result_.refused;
    result_.most_active = std::max(result_.most_active, state_.active.size());
  }

  bool faulty() const { return !fault_.empty(); }

  ArenaSessionResult Take(bool describe) {
    result_.fault = fault_;
    for (const std::string& step : steps_) {
      if (describe) result_.history += step + "\n";
    }
    return std::move(result_);
  }

 private:
  AlignedMemory Memory() {
    return {this,
            [](void* context, std::size_t bytes, std::size_t) -> void* {
              return static_cast<ArenaRun*>(context)->memory_ && bytes <= kMostRealBytes ? std::malloc(bytes) : nullptr;
            },
            nullptr, [](void*, void* block, std::size_t, std::size_t) { std::free(block); }};
  }

  GrowingArguments<Word> ArgumentsOf(GrowingOperation operation, const SessionDraw& draw, std::int32_t tensor) {
    GrowingArguments<Word> arguments;
    arguments.tensor = tensor;
    arguments.first = draw.c % 8;
    arguments.last = draw.c >= 250 ? kNoNode : arguments.first + draw.c / 8 % 8 - (draw.c / 64 == 3 ? 1 : 0);
    arguments.node = draw.c % 10 - 1;
    arguments.size = SizeOf<Word>(draw.a, draw.b);
    arguments.alignment = AlignmentOf<Word>(draw.b);
    if (operation == GrowingOperation::kCommit) {
      arguments.memory =
          draw.a % 4 != 0 && (sizeof(Word) != sizeof(std::size_t) || state_.high_water <= kMostRealBytes);
    }
    if (operation == GrowingOperation::kResolve) {
      arguments.offset = SizeOf<Word>(draw.c, draw.a);
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
    switch (step.operation) {
      case GrowingOperation::kAllocate: {
        Allocation record{7, 7, 7, 7, 7};
        const Allocation untouched = record;
        const Status status = real_.Allocate(arguments.alignment, arguments.size, arguments.tensor, arguments.first,
                                             arguments.last, &record);
        if (status.ok() != step.outcome.ok()) return Fault("Allocate answers otherwise");
        if (!status.ok() && record != untouched) return Fault("a refused Allocate has written the record");
        if (status.ok() && record.offset != step.outcome.result) return Fault("Allocate gives another offset");
        return;
      }
      case GrowingOperation::kCommit: {
        bool moved = false;
        memory_ = arguments.memory;
        if (real_.Commit(&moved).ok() != step.outcome.ok()) return Fault("Commit answers otherwise");
        if (step.outcome.ok() && moved != (step.outcome.result != 0)) return Fault("Commit says otherwise what moved");
        return;
      }
      case GrowingOperation::kResolve: {
        std::byte* address = nullptr;
        const Allocation record{arguments.offset, arguments.size, 0, 0, 0};
        if (real_.Resolve(record, &address).ok() != step.outcome.ok()) return Fault("Resolve answers otherwise");
        if (!step.outcome.ok()) return;
        std::byte* const expected = arguments.size == 0 ? nullptr : real_.base() + arguments.offset;
        if (address != expected) return Fault("Resolve gives another address");
        return;
      }
      case GrowingOperation::kClearPlan:
        return real_.ClearPlan();
      case GrowingOperation::kReleaseBuffer:
        return real_.ReleaseBuffer();
      case GrowingOperation::kResetAllocations:
        return real_.ResetAllocations();
      case GrowingOperation::kPurgeActive:
        return real_.PurgeActive(arguments.node);
      case GrowingOperation::kPurgeAfter:
        return real_.PurgeAfter(arguments.node);
      case GrowingOperation::kCalculateActive: {
        std::vector<Allocation> records;
        for (const auto& record : arguments.records) {
          records.push_back({record.offset, record.size, record.tensor, record.first, record.last});
        }
        return real_.CalculateActive(records, arguments.node);
      }
    }
  }

  void Fault(const std::string& fault) {
    if (fault_.empty()) fault_ = fault;
  }

  bool memory_ = true;
  SimpleArena real_;
  GrowingState<Word> state_;
  std::vector<AllocationRecord<Word>> records_;
  std::vector<std::string> steps_;
  std::string fault_;
  ArenaSessionResult result_;
};

template <ConcreteWord Word>
ArenaSessionResult Run(const ArenaSession& session, bool describe) {
  ArenaRun<Word> run(kArenaAlignments[session.world / 2 % kArenaAlignments.size()]);
  for (std::size_t i = 0; i < session.calls.size() && i < kMostSteps && !run.faulty(); ++i) {
    run.Call(session.calls[i], static_cast<std::int32_t>(i));
  }
  return run.Take(describe);
}

}  // namespace

ArenaSessionResult RunArenaSession(const ArenaSession& session, bool describe) {
  return session.world % 2 == 0 ? Run<std::uint64_t>(session, describe) : Run<std::uint32_t>(session, describe);
}

}  // namespace arenaproof::testing

#include "sanitizers/self_test/event_stream_self_test.h"

#include <algorithm>
#include <functional>

#include "sanitizers/event_checks/event_stream_checker.h"

namespace arenaproof {
namespace {

constexpr std::size_t kArenaBytes = 1024;
alignas(64) std::byte arena[kArenaBytes];
std::byte* const arena_end = arena + kArenaBytes;

using Event = std::function<void(EventStreamChecker&)>;

// The stream, event by event.
enum Step : std::size_t {
  kAttach,
  kBookkeeping,  // a tail block of 64 bytes
  kTemporary,
  kFree,
  kReset,
  kRecords,     // a tail block of 32 bytes below
  kWorkBegins,  // on these records
  kWorkEnds,
  kPrepareBegins,
  kEnter,
  kPersistent,  // a tail block of 16 bytes, the operator's
  kLeave,
  kPrepareEnds,
  kPlan,
  kHead,
  kInvokeBegins,
  kInvokeEnds,
  kDetach,
  kStepCount
};

constexpr std::size_t kHeadBytes = 80;
std::byte* const persistent = arena_end - 64 - 32 - 16;

Event Tail(std::byte* data, std::size_t bytes) {
  return [=](EventStreamChecker& checker) { checker.OnTailAllocated({data, bytes}); };
}
Event Temporary(std::byte* data, std::size_t bytes) {
  return [=](EventStreamChecker& checker) { checker.OnTemporaryAllocated({data, bytes}); };
}
Event Head(std::byte* data, std::size_t bytes) {
  return [=](EventStreamChecker& checker) { checker.OnHeadResized({data, bytes}); };
}

std::vector<PlanEntry> RightPlan() {
  return {{.tensor = 0, .offset = 0, .bytes = 32, .first = 0, .last = 1},
          {.tensor = 1, .offset = 32, .bytes = 32, .first = 1, .last = 2},
          {.scratch = 0, .owner_operator = 0, .offset = 64, .bytes = 16, .first = 1, .last = 1}};
}
// The right plan, with one buffer at another place.
Event Plan(std::size_t buffer = 0, std::size_t offset = 0) {
  std::vector<PlanEntry> plan = RightPlan();
  plan[buffer].offset = buffer == 0 && offset == 0 ? plan[buffer].offset : offset;
  return [=](EventStreamChecker& checker) { checker.OnPlanCommitted(arena, plan); };
}

Event Work(std::byte* data, std::size_t bytes) {
  return [=](EventStreamChecker& checker) {
    const OperandRange records{data, bytes, AccessRight::kReadWrite, OperandKind::kRecord, 0};
    checker.OnRuntimeWorkBegins({RuntimeWork::kRecords, -1, {&records, 1}});
  };
}

using Operands = std::vector<OperandRange>;

Operands RightOperands() {
  return {{arena, 32, AccessRight::kRead, OperandKind::kInput, 0},
          {arena + 32, 32, AccessRight::kReadWrite, OperandKind::kOutput, 1},
          {arena + 64, 16, AccessRight::kReadWrite, OperandKind::kScratch, 0},
          {persistent, 16, AccessRight::kReadWrite, OperandKind::kPersistent, 0}};
}
Event Begin(OperatorPhase phase, Operands operands, std::int32_t index = 0) {
  return [=](EventStreamChecker& checker) {
    checker.OnOperatorBegins({.phase = phase, .operator_index = index, .operands = operands});
  };
}
Event Invoke(const std::function<void(Operands&)>& change) {
  Operands operands = RightOperands();
  change(operands);
  return Begin(OperatorPhase::kInvoke, operands);
}

std::vector<Event> CorrectStream() {
  std::vector<Event> stream(kStepCount);
  stream[kAttach] = [](EventStreamChecker& checker) { checker.OnAttach({{arena, kArenaBytes}, {}}, {}); };
  stream[kBookkeeping] = Tail(arena_end - 64, 64);
  stream[kTemporary] = Temporary(arena + 256, 32);
  stream[kFree] = [](EventStreamChecker& checker) { checker.OnTemporaryFreed(arena + 256); };
  stream[kReset] = [](EventStreamChecker& checker) { checker.OnTemporariesReset(); };
  stream[kRecords] = Tail(arena_end - 96, 32);
  stream[kWorkBegins] = Work(arena_end - 96, 32);
  stream[kWorkEnds] = [](EventStreamChecker& checker) { checker.OnRuntimeWorkEnds(); };
  stream[kPrepareBegins] = Begin(OperatorPhase::kPrepare, {});
  stream[kEnter] = [](EventStreamChecker& checker) { checker.OnRuntimeEnters(); };
  stream[kPersistent] = Tail(persistent, 16);
  stream[kLeave] = [](EventStreamChecker& checker) { checker.OnRuntimeLeaves(); };
  stream[kPrepareEnds] = [](EventStreamChecker& checker) { checker.OnOperatorEnds(); };
  stream[kPlan] = Plan();
  stream[kHead] = Head(arena, kHeadBytes);
  stream[kInvokeBegins] = Begin(OperatorPhase::kInvoke, RightOperands());
  stream[kInvokeEnds] = [](EventStreamChecker& checker) { checker.OnOperatorEnds(); };
  stream[kDetach] = [](EventStreamChecker& checker) { checker.OnDetach(); };
  return stream;
}

class SelfTest {
 public:
  std::vector<std::string> Run() {
    for (const std::string& what : Inconsistencies(CorrectStream(), {})) missed_.push_back("what is right: " + what);
    LeaveOut();
    Repeat();
    ReplaceBlocks();
    ReplaceWork();
    ReplacePlanAndHead();
    ReplaceOperands();
    KeepNoDistance();
    return missed_;
  }

 private:
  static std::vector<std::string> Inconsistencies(const std::vector<Event>& stream, EventStreamOptions options) {
    EventStreamChecker checker(options);
    for (const Event& event : stream) {
      if (event) event(checker);
    }
    return checker.inconsistencies();
  }

  void Require(const std::vector<Event>& stream, const std::string& words, EventStreamOptions options = {}) {
    const std::vector<std::string> found = Inconsistencies(stream, options);
    const bool named = std::any_of(found.begin(), found.end(), [&](const std::string& inconsistency) {
      return inconsistency.find(words) != std::string::npos;
    });
    if (!named) missed_.push_back("not reported: '" + words + "'");
  }
  void Replace(Step step, const Event& event, const char* words) {
    std::vector<Event> stream = CorrectStream();
    stream[step] = event;
    Require(stream, words);
  }

  void LeaveOut() {
    Replace(kAttach, nullptr, "without an attach");
    Replace(kTemporary, nullptr, "allocation was not announced, or twice");
    Replace(kFree, nullptr, "reset over a live one");
    Replace(kReset, nullptr, "no reset of the temporaries was announced before");
    Replace(kWorkBegins, nullptr, "its begin was not announced");
    Replace(kWorkEnds, nullptr, "an operator begins in the middle of the runtime's own work");
    Replace(kPrepareBegins, nullptr, "a call into the runtime without an operator");
    Replace(kEnter, nullptr, "runs: an operator's end or a call into the runtime was not announced");
    Replace(kPersistent, nullptr, "is no tail block that was announced");
    Replace(kLeave, nullptr, "an operator ends inside a call into the runtime");
    Replace(kPrepareEnds, nullptr, "a plan was committed while an operator ran");
    Replace(kPlan, nullptr, "an operator is invoked without a plan");
    Replace(kHead, nullptr, "reaches beyond the head");
    Replace(kInvokeBegins, nullptr, "an operator ends whose begin was not announced");
    Replace(kInvokeEnds, nullptr, "a detach while an operator runs");
  }

  void Repeat() {
    const std::pair<Step, const char*> twice[] = {{kAttach, "attached twice"},
                                                  {kFree, "allocation was not announced, or twice"},
                                                  {kPersistent, "does not lie below the one before"},
                                                  {kWorkBegins, "in the middle of the runtime's own work"},
                                                  {kWorkEnds, "its begin was not announced"},
                                                  {kEnter, "a call into the runtime without an operator"},
                                                  {kLeave, "the runtime is left, and nobody had entered it"},
                                                  {kInvokeBegins, "was not announced"},
                                                  {kInvokeEnds, "an operator ends whose begin was not announced"},
                                                  {kDetach, "a detach without an attach"}};
    for (const auto& [step, words] : twice) {
      const Event once = CorrectStream()[step];
      Replace(step, [once](EventStreamChecker& checker) { once(checker), once(checker); }, words);
    }
  }

  void ReplaceBlocks() {
    Replace(kBookkeeping, Tail(arena_end - 63, 64), "a tail block of 64 bytes leaves the arena");
    Replace(kRecords, Tail(arena_end - 95, 32), "does not lie below the one before");
    Replace(kPersistent, Tail(persistent - 8, 16), "does not start on a multiple of 16");
    Replace(kTemporary, Temporary(arena_end - 16, 32), "a temporary of 32 bytes leaves the arena");
    Replace(kTemporary, Temporary(arena_end - 95, 32), "a temporary of 32 bytes lies in the tail");
    const auto after_head = [](const Event& event) {
      const Event head = Head(arena, kHeadBytes);
      return [=](EventStreamChecker& checker) { head(checker), event(checker); };
    };
    Replace(kHead, after_head(Temporary(arena + kHeadBytes - 1, 32)), "a temporary of 32 bytes lies in the head");
    Replace(kHead, after_head(Tail(arena + kHeadBytes - 1, 16)), "a tail block of 16 bytes lies in the head");
    const Event temporary = Temporary(arena + 256, 32);
    Replace(
        kTemporary,
        [=](EventStreamChecker& checker) {
          Temporary(arena + 240, 32)(checker);
          checker.OnTemporaryFreed(arena + 240);
          temporary(checker);
        },
        "a temporary starts below the end of the one before");
    Replace(
        kReset,
        [=](EventStreamChecker& checker) {
          Tail(arena + 280, 16)(checker);
          checker.OnTemporariesReset();
        },
        "a tail block of 16 bytes lies in the temporaries");
    Replace(
        kReset,
        [](EventStreamChecker& checker) {
          checker.OnTailRewound(arena_end - 128);
          checker.OnTemporariesReset();
        },
        "the tail was rewound to where it had not been");
  }

  void ReplaceWork() {
    const char* const unknown = "that are no block, no record and no tensor";
    Replace(kWorkBegins, Work(arena_end - 96, 33), unknown);
    Replace(kWorkBegins, Work(arena_end - 64, 64), unknown);
    Replace(kWorkBegins, Work(arena + 256, 32), unknown);
    const Event tail = Tail(arena_end - 112, 16);
    const Event begins = Work(arena_end - 96, 32);
    Replace(
        kWorkBegins, [=](EventStreamChecker& checker) { begins(checker), tail(checker); },
        "event tail allocated in the middle of the runtime's own work");
  }

  void ReplacePlanAndHead() {
    Replace(kPlan, Plan(1, 16), "share bytes while both are alive");
    Replace(kPlan, Plan(2, 48), "share bytes while both are alive");
    Replace(kPlan, Plan(2, 72), "plan: scratch buffer 0 does not start on a multiple of 16");
    Replace(kPlan, Plan(2, kArenaBytes - 8), "plan: scratch buffer 0 leaves the arena");
    Replace(kPlan, Plan(2, kArenaBytes - 112), "plan: scratch buffer 0 lies in the tail");
    Replace(kHead, Head(arena + 16, kHeadBytes), "the head does not start at the arena's first multiple of 16");
    Replace(kHead, Head(arena, kArenaBytes + 16), "the head leaves the arena");
    Replace(kHead, Head(arena, kArenaBytes - 96), "reaches into the tail");
    Replace(
        kTemporary,
        [](EventStreamChecker& checker) {
          Temporary(arena + 256, 32)(checker);
          Head(arena, kHeadBytes)(checker);
        },
        "the head moved over a live temporary");
  }

  void ReplaceOperands() {
    const auto replace = [this](const std::function<void(Operands&)>& change, const char* words) {
      Replace(kInvokeBegins, Invoke(change), words);
    };
    replace([](Operands& o) { o[0].right = AccessRight::kReadWrite; }, "input 0 has a right too many");
    replace([](Operands& o) { o[1].right = AccessRight::kRead; }, "output 1 lacks the right to write");
    replace([](Operands& o) { o[0].bytes += 1; }, "input 0 does not lie where the plan puts it");
    replace([](Operands& o) { o[1].data += 16; }, "output 1 does not lie where the plan puts it");
    replace([](Operands& o) { o[2].index = 1; }, "is not in the committed plan");
    replace([](Operands& o) { o[0].bytes = 33; }, "operands 0 and 1 share bytes");
    replace([](Operands& o) { o[3].bytes = 8; }, "is no tail block that was announced");
    replace([](Operands& o) { o[3].right = AccessRight::kRead; }, "lacks the right to write");
    replace([](Operands& o) { o.push_back({arena + 512, 8, AccessRight::kRead, OperandKind::kConstant, 4}); },
            "lies in the arena");
    Replace(kInvokeBegins, Begin(OperatorPhase::kInvoke, RightOperands(), 1), "persistent block of another operator");
    Replace(kPrepareBegins, Begin(OperatorPhase::kPrepare, {RightOperands()[0]}),
            "has an address before there is a plan");
  }

  // The dilated layout demands a distance that this plan does not keep.
  void KeepNoDistance() {
    Require(CorrectStream(), "dilated layout: tensor 0 and tensor 1 are 0 bytes apart instead of 128",
            {.distance_bytes = 128});
    Require(CorrectStream(), "operands 0 and 1 are 0 bytes apart instead of 128", {.distance_bytes = 128});
  }

  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> RunEventStreamSelfTest() { return SelfTest().Run(); }

}  // namespace arenaproof

#include "engine/harness/offline_plan/plan_run.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "core/model/offline_plan.h"
#include "core/planner/greedy_planner.h"
#include "core/planner/linear_planner.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "engine/explain.h"
#include "engine/oracles/defect.h"
#include "engine/unguided.h"
#include "tools/model/plan_recorder.h"
#include "tools/text/sentences.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof {
namespace {

// The committed plan, and where the tail began when the plan was checked.
class LayoutObserver final : public PlanRecorder {
 public:
  void OnTailAllocated(MemoryRegion block) override {
    if (!committed_) lowest_ = lowest_ == nullptr ? block.data : std::min(lowest_, block.data);
  }
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override {
    committed_ = true;
    PlanRecorder::OnPlanCommitted(head_start, plan);
  }
  const std::byte* lowest_tail() const { return lowest_; }
  bool committed() const { return committed_; }
  void Restart() {
    lowest_ = nullptr;
    committed_ = false;
  }

 private:
  const std::byte* lowest_ = nullptr;
  bool committed_ = false;
};

class CountingListener final : public OfflinePlanListener {
 public:
  std::size_t refused_count = 0;
  std::size_t accepted_count = 0;
  std::vector<Status> warnings;
  std::size_t trusted_count = 0;
  std::uint64_t announced_count = 0;

  void OnRefusedOverlap(const Status&, const OfflineOverlap&) override { ++refused_count; }
  void OnAccepted(const OfflinePlanSummary& summary) override {
    ++accepted_count;
    announced_count = summary.trusted_overlap_count;
  }
  void OnWarning(const Status& warning) override { warnings.push_back(warning); }
  bool OnTrustedOverlap(const OfflineOverlap&) override {
    ++trusted_count;
    return true;
  }
};

bool IsPlanRefusal(StatusCode code) {
  return code >= StatusCode::kOfflinePlanDuplicate && code <= StatusCode::kOfflinePlanPlanner;
}

bool SameLayout(const std::vector<PlanEntry>& a, const std::vector<PlanEntry>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PlanEntry& x, const PlanEntry& y) {
    return x.subgraph == y.subgraph && x.tensor == y.tensor && x.scratch == y.scratch && x.offset == y.offset &&
           x.bytes == y.bytes && x.first == y.first && x.last == y.last;
  });
}

// Detail 2 and 3 of V29 are the planner's name, which the oracle does not know.
bool SameRefusal(const Status& found, Status expected) {
  if (found.code == StatusCode::kOfflinePlanPlanner) {
    expected.detail[2] = found.detail[2];
    expected.detail[3] = found.detail[3];
  }
  return found == expected;
}

// Mapped once: an interpreter has 15 KB, too much to allocate for every input.
struct Memory {
  alignas(64) std::byte arena[kMostPlanArenaBytes + 64];
  alignas(64) std::byte set_up[kPlanSetUpBytes];
};
Memory& TheMemory() {
  static Memory memory;
  return memory;
}

struct SetUpEnd {
  void operator()(PlanSetUp* set_up) const { std::destroy_at(set_up); }
};

class PlanRun {
 public:
  PlanRun(const ValidatedModel& model, const OracleModel& facts, MakePlanSetUp make, const PlanRunOptions& options)
      : model_(model), facts_(facts), options_(options) {
    MemoryPlanner* const planner =
        options.linear_planner ? static_cast<MemoryPlanner*>(&linear_) : static_cast<MemoryPlanner*>(&greedy_);
    InterpreterOptions chosen{.planner = planner, .observer = &observer_};
    chosen.offline_plan = {.trust = options.trust, .listener = &listener_, .strict = options.strict};
    arena_ = TheMemory().arena + options.misalignment;
    set_up_.reset(make(model, {arena_, options.arena_bytes}, chosen, TheMemory().set_up));
    tail_bytes_ = set_up_->tail_bytes();
  }

  PlanRunResult Run() {
    PlanRunResult result;
    if (Explaining()) Explain(QuestionWords());
    result.status = set_up_->Allocate();
    if (Explaining()) Explain("answer: " + (result.status.ok() ? "accepted" : Sentence(result.status)));
    result.layout = observer_.plan();
    result.tail_bytes = set_up_->tail_bytes();
    if (result.status.ok()) {
      CheckAccepted();
    } else if (IsPlanRefusal(result.status.code)) {
      CheckRefused(result.status);
    } else {
      // Memory ends late in small arenas only, and where online tensors no longer fit beside the fixed ones; anything
      // else is a kernel's refusal, before the plan was looked at.
      if (result.status.code == StatusCode::kPlanDoesNotFit && result.status.detail[0] <= result.status.detail[1]) {
        Defect("a plan that fits is said not to", result.status);
      }
      if (result.status.code >= StatusCode::kPlanBadLifetime && result.status.code <= StatusCode::kPlanFixedMoved) {
        Defect("the certifier or the planner is what refuses an offline plan", result.status);
      }
      if (options_.no_kernels && result.status.code != StatusCode::kPlanDoesNotFit) {
        Defect("a refusal that no plan can bring about", result.status);
      }
      if (result.status.code == StatusCode::kPlanDoesNotFit || observer_.committed()) {
        OracleQuestion question;
        const OracleAnswer answer = Ask(&question);
        if (!answer.status.ok()) Defect("a plan is planned around that has to be refused", answer.status);
      }
      if (observer_.committed() && !IsForTheGraphsOperands(result.status)) {
        Defect("a plan was committed and then refused", result.status);
      }
      CheckWhatIsLeft(result.status);
    }
    return result;
  }

 private:
  std::string QuestionWords() const {
    std::string text = "a set-up in an arena of " + std::to_string(options_.arena_bytes) + " bytes, " +
                       std::to_string(options_.misalignment) + " bytes behind a multiple of 64, with the " +
                       (options_.linear_planner ? "linear" : "greedy") + " planner";
    if (options_.trust) text += ", overlaps trusted";
    if (options_.strict) text += ", strict";
    OfflinePlanEntry entry;
    if (const Status located = LocateOfflinePlan(model_, &entry); !located.ok()) {
      return text + "\nthe entry of the plan: " + Sentence(located);
    }
    text += "\nthe plan, " + std::to_string(entry.bytes.size()) +
            " bytes, as words (version, subgraph, count, offsets):\n ";
    for (std::size_t i = 0; i + sizeof(std::int32_t) <= entry.bytes.size(); i += sizeof(std::int32_t)) {
      std::int32_t word = 0;
      std::memcpy(&word, entry.bytes.data() + i, sizeof word);
      text += " " + std::to_string(word);
    }
    return text;
  }

  // All that an interpreter takes of the arena after the plan: what describes the graph's inputs and outputs.
  bool IsForTheGraphsOperands(const Status& refusal) const {
    const auto taken_for = [&](std::size_t count) { return refusal.detail[0] == count * sizeof(Operand); };
    return refusal.code == StatusCode::kTailWouldCrossHead && !options_.no_kernels &&
           (taken_for(model_.inputs(0).size()) || taken_for(model_.outputs(0).size()));
  }

  OracleAnswer Ask(OracleQuestion* question) {
    question->model = &facts_;
    question->trust = options_.trust;
    question->strict = options_.strict;
    question->planner_takes_fixed = !options_.linear_planner;
    question->rooms = options_.rooms;
    const auto start = reinterpret_cast<std::uintptr_t>(arena_);
    question->room_bytes = reinterpret_cast<std::uintptr_t>(observer_.lowest_tail()) - (start + 15) / 16 * 16;
    return AskOracle(model_, question);
  }

  void CheckAccepted() {
    OracleQuestion question;
    const OracleAnswer answer = Ask(&question);
    if (!answer.status.ok()) Defect("a plan is accepted that has to be refused", answer.status);
    const std::string fault = FaultOfLayout(question, answer, observer_.plan(), set_up_->head_bytes());
    if (!fault.empty()) Defect("the layout of an accepted plan", fault.c_str());
    RequireSameEntry(question);
    if (listener_.trusted_count != answer.trusted_overlap_count ||
        listener_.announced_count != answer.trusted_overlap_count) {
      Defect("trusted overlaps",
             ("reported " + std::to_string(listener_.trusted_count) + ", announced " +
              std::to_string(listener_.announced_count) + ", there are " + std::to_string(answer.trusted_overlap_count))
                 .c_str());
    }
    if (listener_.accepted_count != (question.present ? 1 : 0)) Defect("acceptance", "is not reported once");
    RequireWarnings(answer);
    if (options_.plain_tail_bytes != 0) RequireOneHome(answer);
    const bool nothing_fixed =
        std::all_of(answer.offsets.begin(), answer.offsets.end(), [](std::int64_t offset) { return offset < 0; });
    if (nothing_fixed && options_.plain != nullptr && !options_.linear_planner) RequirePlainLayout();
  }

  void CheckRefused(const Status& refusal) {
    OracleQuestion question;
    const OracleAnswer answer = Ask(&question);
    if (!SameRefusal(refusal, answer.status)) {
      if (answer.status.ok()) Defect("a plan is refused that has to be accepted", refusal);
      std::fprintf(stderr, "expected: code %d, numbers %llu %llu %llu %llu\n", static_cast<int>(answer.status.code),
                   static_cast<unsigned long long>(answer.status.detail[0]),
                   static_cast<unsigned long long>(answer.status.detail[1]),
                   static_cast<unsigned long long>(answer.status.detail[2]),
                   static_cast<unsigned long long>(answer.status.detail[3]));
      Defect("another refusal is expected", refusal);
    }
    if (observer_.committed()) Defect("a refused plan was committed", refusal);
    if (listener_.accepted_count + listener_.warnings.size() + listener_.trusted_count > 0) {
      Defect("a refused plan is reported as accepted, or warned about", refusal);
    }
    CheckWhatIsLeft(refusal);
    if (options_.correct == nullptr) return;
    options_.correct();
    observer_.Restart();
    RequireOk(set_up_->Allocate(), "the corrected model after a refusal");
    if (options_.plain != nullptr && !options_.linear_planner) RequirePlainLayout();
  }

  // "Nothing lost".
  void CheckWhatIsLeft(const Status& refusal) {
    if (set_up_->head_bytes() != 0) Defect("a refused model keeps its head", refusal);
    if (set_up_->tail_bytes() - tail_bytes_ != set_up_->lost_tail_bytes()) {
      Defect("tail bytes are lost silently", refusal);
    }
  }

  void RequireWarnings(const OracleAnswer& answer) {
    if (listener_.warnings == answer.warnings) return;
    for (const Status& warning : listener_.warnings)
      std::fprintf(stderr, "reported: %s\n", StatusName(warning.code).data());
    for (const Status& warning : answer.warnings)
      std::fprintf(stderr, "expected: %s\n", StatusName(warning.code).data());
    Defect("warnings", "an accepted plan gives others, in another order, or of other tensors");
  }

  // A variable of the head takes nothing of the tail. Blocks there are whole units of 16 bytes; what
  // padded the first of them may be gone too.
  void RequireOneHome(const OracleAnswer& answer) {
    std::size_t expected = options_.plain_tail_bytes;
    for (std::size_t i = 0; i < facts_.tensors.size(); ++i) {
      if (facts_.tensors[i].variable && answer.offsets[i] >= 0) {
        expected -= static_cast<std::size_t>(facts_.tensors[i].bytes + 15) / 16 * 16;
      }
    }
    const std::size_t found = set_up_->tail_bytes();
    if (found <= expected && expected - found < 16) return;
    Defect("O9", "the tail holds more or fewer variables than the plan leaves it");
  }

  // What registrations of preallocated tensors ask, about some tensor.
  void RequireSameEntry(const OracleQuestion& question) {
    if (facts_.tensors.empty()) return;
    const std::size_t number = (set_up_->head_bytes() / 16 + observer_.plan().size()) % facts_.tensors.size();
    const OracleTensor& tensor = facts_.tensors[number];
    std::int32_t offset = 0;
    RequireOk(OfflineOffsetOf(model_, tensor.subgraph, tensor.index, &offset), "one offset of an accepted plan");
    if (offset != OracleEntry(question, number)) Defect("O9", "a tensor's entry is read elsewhere in the offline plan");
  }

  void RequirePlainLayout() {
    if (!SameLayout(observer_.plan(), *options_.plain)) Defect("O4", "a plan that fixes nothing changes the layout");
  }

  const ValidatedModel& model_;
  const OracleModel& facts_;
  const PlanRunOptions& options_;
  std::byte* arena_ = nullptr;
  GreedyPlanner greedy_;
  LinearPlanner linear_;
  LayoutObserver observer_;
  CountingListener listener_;
  std::size_t tail_bytes_ = 0;
  std::unique_ptr<PlanSetUp, SetUpEnd> set_up_;
};

}  // namespace

PlanRunResult RunPlan(const ValidatedModel& model, const OracleModel& facts, MakePlanSetUp make,
                      const PlanRunOptions& options) {
  return PlanRun(model, facts, make, options).Run();
}

}  // namespace arenaproof
ARENAPROOF_UNGUIDED_END

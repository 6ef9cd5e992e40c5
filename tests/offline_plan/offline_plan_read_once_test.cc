// V31: once the copy of the plan is made the model's bytes no longer matter. After it foreign code runs: the caller's
// planner, observer and listener. Each in turn overwrites the plan, at each of its calls.
#include <gtest/gtest.h>

#include "core/planner/greedy_planner.h"
#include "plan_model_support.h"
#include "tools/model/plan_recorder.h"

namespace arenaproof::testing {
namespace {

class Overwriter {
 public:
  void Arm(PlanModel& model, std::vector<std::byte> bytes, int call) {
    model_ = &model;
    bytes_ = std::move(bytes);
    left_ = call;
  }
  void Called() {
    if (left_-- == 0) model_->OverwritePlan(bytes_);
  }
  bool done() const { return left_ < 0; }

 private:
  PlanModel* model_ = nullptr;
  std::vector<std::byte> bytes_;
  int left_ = -1;
};

class OverwritingPlanner final : public MemoryPlanner {
 public:
  explicit OverwritingPlanner(Overwriter& overwriter) : overwriter_(overwriter) {}
  Status Init(std::span<std::byte> workspace) override { return Called().Init(workspace); }
  std::size_t WorkspaceBytes(std::size_t count) const override { return Called().WorkspaceBytes(count); }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offset) override {
    return Called().AddBuffer(bytes, first, last, offset);
  }
  std::size_t BufferCount() const override { return Called().BufferCount(); }
  Status MaximumBytes(std::size_t* bytes) override { return Called().MaximumBytes(bytes); }
  Status OffsetOf(std::size_t index, std::size_t* offset) override { return Called().OffsetOf(index, offset); }
  const char* name() const override { return "overwriting"; }
  bool supports_offline() const override { return Called().supports_offline(); }
  bool preserves_all_tensors() const override { return greedy_.preserves_all_tensors(); }

 private:
  GreedyPlanner& Called() const {
    overwriter_.Called();
    return greedy_;
  }
  Overwriter& overwriter_;
  mutable GreedyPlanner greedy_;
};

class OverwritingListener final : public OfflinePlanListener {
 public:
  explicit OverwritingListener(Overwriter& overwriter) : overwriter_(overwriter) {}
  void OnRefusedOverlap(const Status&, const OfflineOverlap&) override {}
  void OnAccepted(const OfflinePlanSummary&) override { overwriter_.Called(); }
  void OnWarning(const Status&) override { overwriter_.Called(); }
  bool OnTrustedOverlap(const OfflineOverlap&) override {
    overwriter_.Called();
    return true;
  }

 private:
  Overwriter& overwriter_;
};

// The second temporary block of a set-up without scratch requests is the planning's; the first is the copy.
class OverwritingObserver final : public PlanRecorder {
 public:
  explicit OverwritingObserver(Overwriter& overwriter) : overwriter_(overwriter) {}
  void OnTemporaryAllocated(MemoryRegion) override {
    if (++block_count_ >= 2) overwriter_.Called();
  }

 private:
  Overwriter& overwriter_;
  int block_count_ = 0;
};

enum class Foreign { kPlanner, kListener, kObserver };

// The plan that was committed, "refused" for none; `call`: the call of that code which overwrites, -1: none does.
std::string PlanWhen(Foreign who, int call, const std::vector<std::byte>& bytes, bool* overwritten) {
  PlanModel model(5, {{{0, 1, 2}, {3}}, {{3}, {4}}});
  model.WithPlan({0, 0, 48, -1, 0});
  const ValidatedModel& view = model.Build();
  Overwriter overwriter;
  overwriter.Arm(model, bytes, call);
  Overwriter idle;
  OverwritingPlanner planner(who == Foreign::kPlanner ? overwriter : idle);
  OverwritingListener listener(who == Foreign::kListener ? overwriter : idle);
  OverwritingObserver observer(who == Foreign::kObserver ? overwriter : idle);
  InterpreterOptions options{.planner = &planner, .observer = &observer};
  options.offline_plan = {.trust = true, .listener = &listener};
  std::vector<std::byte> memory((1 << 14) + 64);
  std::byte* const start = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  const auto interpreter = std::make_unique<Interpreter>(view, DoNothingKernels(), start, 1 << 14, options);
  const Status status = interpreter->AllocateTensors();
  *overwritten = call >= 0 && overwriter.done();
  if (!status.ok()) return "refused: " + Text(status);
  std::string text;
  for (const PlanEntry& buffer : observer.plan()) {
    text += std::to_string(buffer.tensor) + " at " + std::to_string(buffer.offset) + ", ";
    std::span<std::byte> bytes_of;
    EXPECT_TRUE(interpreter->TensorBytes(buffer.tensor, &bytes_of).ok());
    EXPECT_EQ(bytes_of.data(), start + buffer.offset);
  }
  return text + "head " + std::to_string(interpreter->head_bytes());
}

TEST(OfflinePlanRules, V31ThePlanIsReadOnceWhateverForeignCodeDoesToItAfterwards) {
  bool overwritten = false;
  const std::string untouched = PlanWhen(Foreign::kPlanner, -1, {}, &overwritten);
  EXPECT_EQ(untouched, "0 at 0, 1 at 0, 2 at 48, 3 at 96, 4 at 0, head 144");
  // Another sound plan, none at all, and bytes that every rule would refuse.
  for (const std::vector<std::byte>& bytes :
       {PlanBytes({96, 144, 192, 240, 288}), PlanBytes({-1, -1, -1, -1, -1}), std::vector(32, std::byte{0x87})}) {
    for (const Foreign who : {Foreign::kPlanner, Foreign::kListener, Foreign::kObserver}) {
      int call_count = 0;
      for (;; ++call_count) {
        const std::string plan = PlanWhen(who, call_count, bytes, &overwritten);
        if (!overwritten) break;
        EXPECT_EQ(plan, untouched) << "overwritten by call " << call_count << " of " << static_cast<int>(who);
      }
      EXPECT_GE(call_count, who == Foreign::kPlanner ? 10 : who == Foreign::kListener ? 3 : 1);
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing

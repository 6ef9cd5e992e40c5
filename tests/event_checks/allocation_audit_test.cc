// The audit behind a set-up: it reports what no event contradicts, so events are changed on their way to the checker
// and the audit alone is asked.
#include "sanitizers/event_checks/allocation_audit.h"

#include <gmock/gmock.h>

#include <functional>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "sanitizers/event_checks/event_relay.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int32_t kState = 3, kFloatState = 4;

// MEAN of int8, which takes scratch buffers, then ADD of a variable; a variable of floats is nobody's. Once more as a
// second subgraph.
std::vector<std::byte> AuditedFile() {
  ModelBuilder builder;
  for (int i = 0; i < 2; ++i) {
    SubgraphSpec& graph = builder.AddSubgraph();
    const auto tensor = [&](std::vector<std::int32_t> shape, bool variable = false) {
      return graph.AddTensor({.type = TensorType::kInt8,
                              .shape = std::move(shape),
                              .quantization = Scale(0.5f, 3),
                              .is_variable = variable});
    };
    const std::int32_t input = tensor({1, 4, 6, 5}), mean = tensor({1, 6, 5}), sum = tensor({1, 6, 5});
    const std::int32_t state = tensor({5}, true);
    graph.AddTensor({.type = TensorType::kFloat32, .shape = {{2}}, .is_variable = true});
    const std::int32_t axes = graph.AddTensor({.type = TensorType::kInt32,
                                               .shape = std::vector<std::int32_t>{1},
                                               .buffer = builder.AddBufferOf(std::vector<std::int32_t>{1})});
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kMean),
                       .inputs = {input, axes},
                       .outputs = {mean},
                       .options = ReducerOptions{}});
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAdd),
                       .inputs = {mean, state},
                       .outputs = {sum},
                       .options = AddOptions{}});
    graph.inputs = {input};
    graph.outputs = {sum};
  }
  return builder.Finish();
}

class ChangedEvents final : public EventRelay {
 public:
  explicit ChangedEvents(ArenaObserver* next) : EventRelay(next) {}
  std::function<void(std::vector<PlanEntry>&)> plan;
  std::function<void(MemoryRegion&)> head, tail;
  bool forgets_frees = false, forgets_resets = false, forgets_plans = false, forgets_last_blocks = false;

  void OnTemporaryFreed(const std::byte* block) override {
    if (!forgets_frees) EventRelay::OnTemporaryFreed(block);
  }
  void OnTemporariesReset() override {
    if (!forgets_resets) EventRelay::OnTemporariesReset();
  }
  void OnHeadResized(MemoryRegion region) override {
    if (head) head(region);
    EventRelay::OnHeadResized(region);
  }
  void OnTailAllocated(MemoryRegion block) override {
    if (tail) tail(block);
    if (!planned_ || !forgets_last_blocks) EventRelay::OnTailAllocated(block);
  }
  void OnPlanCommitted(const std::byte* start, std::span<const PlanEntry> buffers) override {
    std::vector<PlanEntry> changed(buffers.begin(), buffers.end());
    if (plan) plan(changed);
    planned_ = true;
    if (!forgets_plans) EventRelay::OnPlanCommitted(start, changed);
  }

 private:
  bool planned_ = false;
};

class AllocationAudit : public ::testing::Test {
 protected:
  // What the audit adds to what the checker found. `after` may do something to the interpreter first.
  std::vector<std::string> AuditWith(const std::function<void(ChangedEvents&)>& change,
                                     const std::function<void(Interpreter&)>& after = {}) {
    EventStreamChecker checker;
    ChangedEvents changed(&checker);
    change(changed);
    alignas(64) static std::byte arena[16384];
    Interpreter interpreter(model_, ReferenceKernels(), arena, sizeof arena, {.observer = &changed});
    EXPECT_TRUE(interpreter.AllocateTensors().ok());
    if (after) after(interpreter);
    const std::size_t before = checker.inconsistencies().size();
    EXPECT_LT(before, EventStreamChecker::kMaxInconsistencies);
    AuditAllocation(model_, interpreter, checker);
    return {checker.inconsistencies().begin() + static_cast<std::ptrdiff_t>(before), checker.inconsistencies().end()};
  }
  std::vector<std::string> AuditPlanWith(std::function<void(std::vector<PlanEntry>&)> change) {
    return AuditWith([&](ChangedEvents& events) { events.plan = change; });
  }

  const std::vector<std::byte> file_ = AuditedFile();
  const ValidatedModel model_ = Validated(file_);
};

TEST_F(AllocationAudit, IsSilentAboutWhatIsRight) {
  EXPECT_THAT(AuditWith([](ChangedEvents&) {}), IsEmpty());
}

// The plan's entries: tensors 0 to 2 of both subgraphs, then the three scratch buffers of each.
TEST_F(AllocationAudit, ComparesThePlanWithWhereEverythingLies) {
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan[4].offset += 16; }),
              ElementsAre("tensor 1 of subgraph 1 does not lie where the announced plan puts it"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { --plan[0].bytes; }),
              ElementsAre("tensor 0 of subgraph 0 does not lie where the announced plan puts it"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan[7].offset += 16; }),
              ElementsAre("scratch buffer 1 does not lie where the announced plan puts it"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { --plan[6].bytes; }),
              ElementsAre("scratch buffer 0 does not lie where the announced plan puts it"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan[6].scratch = 2; }),
              ElementsAre("scratch buffer 2 does not lie where the announced plan puts it"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan.erase(plan.begin() + 3); }),
              ElementsAre("tensor 0 of subgraph 1 is not in the announced plan"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan.push_back(plan[0]); }),
              ElementsAre("the announced plan lists a tensor twice"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan.pop_back(); }),
              ElementsAre("the announced plan has 5 scratch buffers, the interpreter 6"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan.push_back({.subgraph = 1, .tensor = kState, .bytes = 5}); }),
              ElementsAre("variable 3 has a place in the plan too"));
  EXPECT_THAT(AuditPlanWith([](auto& plan) { plan[0].bytes += 8192; }), Contains(HasSubstr("bytes, the plan needs 8")));
}

TEST_F(AllocationAudit, MissesWhatWasNotAnnounced) {
  EXPECT_THAT(AuditWith([](ChangedEvents& events) { events.forgets_plans = true; }),
              ElementsAre("no plan was announced"));
  EXPECT_THAT(AuditWith([](ChangedEvents& events) {
                events.head = [](MemoryRegion& head) { head.bytes -= head.bytes > 0 ? 16 : 0; };
              }),
              ElementsAre(HasSubstr("bytes, announced were")));
  EXPECT_THAT(AuditWith([](ChangedEvents& events) { events.forgets_resets = true; }),
              ElementsAre("set-up is over, and no reset of the temporaries was announced"));
  EXPECT_THAT(
      AuditWith([](ChangedEvents& events) { events.forgets_frees = events.forgets_resets = true; }),
      ElementsAre("a temporary is left after set-up", "set-up is over, and no reset of the temporaries was announced"));
  EXPECT_THAT(AuditWith([](ChangedEvents& events) {
                events.tail = [](MemoryRegion& block) { block.bytes -= std::min<std::size_t>(block.bytes, 32); };
              }),
              ElementsAre(HasSubstr("bytes between announced blocks belong to no announced one")));
  EXPECT_THAT(AuditWith([](ChangedEvents& events) { events.forgets_last_blocks = true; }),
              ElementsAre(HasSubstr("its announced blocks reach down to")));
}

TEST_F(AllocationAudit, LooksAtEachByteOfEachVariable) {
  for (std::int32_t subgraph = 0; subgraph < 2; ++subgraph) {
    for (const std::int32_t variable : {kState, kFloatState}) {
      for (const bool last : {false, true}) {
        const std::vector<std::string> found =
            AuditWith([](ChangedEvents&) {},
                      [&](Interpreter& interpreter) {
                        std::span<std::byte> bytes;
                        ASSERT_TRUE(interpreter.TensorBytes(variable, &bytes, subgraph).ok());
                        for (const std::byte byte : bytes) ASSERT_EQ(byte, std::byte(variable == kState ? 3 : 0));
                        (last ? bytes.back() : bytes.front()) ^= std::byte{1};
                      });
        EXPECT_THAT(
            found, ElementsAre("variable " + std::to_string(variable) + " does not hold its first value after set-up"));
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing

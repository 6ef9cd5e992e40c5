#include "engine/harness/self_test/oracle_self_test.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "engine/cases/validated.h"
#include "engine/harness/model_pipeline/committed_plan_checker.h"
#include "engine/harness/model_pipeline/model_pipeline.h"
#include "engine/harness/model_pipeline/watched_session.h"
#include "engine/harness/self_test/access_list_self_test.h"
#include "engine/harness/self_test/comparison_self_test.h"
#include "engine/harness/self_test/dying_child.h"
#include "engine/harness/self_test/plan_self_test.h"
#include "engine/harness/self_test/self_test_network.h"
#include "engine/harness/self_test/view_self_test.h"
#include "engine/oracles/defect.h"
#include "engine/oracles/model/model_oracle.h"
#include "sanitizers/event_checks/allocation_audit.h"
#include "sanitizers/event_checks/event_relay.h"
#include "sanitizers/self_test/event_stream_self_test.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kVariable = 4;

// x + constant -> y, y + x -> z, all quantised, and a variable of nobody.
std::vector<std::byte> SelfTestModel() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::int32_t x = AddSelfTestTensor(graph, kSelfTestElements);
  const std::int32_t constant =
      AddSelfTestTensor(graph, kSelfTestElements, builder.AddBuffer(std::vector<std::byte>(kSelfTestElements)));
  const std::int32_t y = AddSelfTestTensor(graph, kSelfTestElements), z = AddSelfTestTensor(graph, kSelfTestElements);
  AddSelfTestTensor(graph, kSelfTestElements, 0, true);
  const std::uint32_t code = builder.AddCode(BuiltinOperator::kAdd);
  graph.AddOperator({.code = code, .inputs = {x, constant}, .outputs = {y}, .options = AddOptions{}});
  graph.AddOperator({.code = code, .inputs = {y, x}, .outputs = {z}, .options = AddOptions{}});
  graph.inputs = {x};
  graph.outputs = {z};
  return builder.Finish();
}

[[noreturn]] void Fail(const std::string& what) { Defect("an oracle failed its self-test", what.c_str()); }

// ---- kernels

Status RefuseToInvoke(const InvokeContext&) { return Failure(StatusCode::kKernelUnsupported); }

Status ReadBehindTheInput(const InvokeContext& context) {
  const volatile std::byte* const behind = context.inputs[0].data + context.inputs[0].bytes;
  return *behind == std::byte{1} ? WriteZeros(context) : WriteZeros(context);
}
Status WriteTheConstant(const InvokeContext& context) {
  if (context.inputs[1].constant) context.inputs[1].data[0] ^= std::byte{1};
  return WriteZeros(context);
}
std::byte* remembered_constant = nullptr;
Status RememberTheConstant(const InvokeContext& context) {
  if (context.inputs[1].constant) remembered_constant = context.inputs[1].data;
  return WriteZeros(context);
}
void WriteWhatIsRemembered(void*) {
  if (remembered_constant != nullptr) *remembered_constant = std::byte{77};
}
Status LeakATemporary(PrepareContext& context) {
  std::byte* block = nullptr;
  return context.services->AllocateTemporary(16, 16, &block);
}
// A set-up with a status that no model can bring about, and one with a status that a model can.
Status EndAsSharedBytes(PrepareContext&) { return Failure(StatusCode::kPlanSharedBytes); }
Status EndAsUnsupported(PrepareContext&) { return Failure(StatusCode::kKernelUnsupported); }

ModelStage RunWithWrongKernel(const std::vector<std::byte>& file, Status (*invoke)(const InvokeContext&),
                              Status (*prepare)(PrepareContext&) = nullptr) {
  const Kernel kernel{.op = BuiltinOperator::kAdd, .name = "wrong", .prepare = prepare, .invoke = invoke};
  const KernelSet kernels{.name = "wrong", .kernels = {&kernel, 1}};
  return RunModelPipeline({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, kernels);
}

// ---- events that are changed on their way

class EventCorrupter final : public EventRelay {
 public:
  explicit EventCorrupter(ArenaObserver* next) : EventRelay(next) {}
  std::function<void(std::vector<PlanEntry>&)> plan;
  std::function<void(MemoryRegion&)> head, tail;
  bool forgets_frees = false, forgets_resets = false;

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
    EventRelay::OnTailAllocated(block);
  }
  void OnPlanCommitted(const std::byte* start, std::span<const PlanEntry> buffers) override {
    std::vector<PlanEntry> changed(buffers.begin(), buffers.end());
    if (plan) plan(changed);
    EventRelay::OnPlanCommitted(start, changed);
  }
};

class OracleSelfTest {
 public:
  void Run() {
    for (const std::string& missed : RunEventStreamSelfTest()) Fail("event checker: " + missed);
    for (const std::string& missed : RunAccessListSelfTest()) Fail("event checker: " + missed);
    for (const std::string& missed : RunPlanOracleSelfTest()) Fail(missed);
    for (const std::string& missed : RunViewOracleSelfTest()) Fail(missed);
    if (RunModelPipeline({reinterpret_cast<const std::uint8_t*>(file_.data()), file_.size()}) != ModelStage::kInvoked) {
      Fail("a sound model is not invoked");
    }
    for (const std::string& missed : RunComparisonSelfTest()) Fail(missed);
    ShowKernels();
    ShowModels();
    ShowPlans();
    ShowEventsAsTheyAre();
    ShowAudit();
  }

 private:
  void RequireDeath(const char* what, const std::function<void()>& action, const std::string& words) const {
    const std::string stderr_of_crash = StderrOfCrash(action);
    if (stderr_of_crash.find("DEFECT: " + words) == std::string::npos) Fail(what + std::string(": ") + stderr_of_crash);
  }

  void ShowKernels() const {
    const auto require = [&](const char* what, Status (*invoke)(const InvokeContext&), const char* words,
                             Status (*prepare)(PrepareContext&) = nullptr) {
      RequireDeath(what, [&] { RunWithWrongKernel(file_, invoke, prepare); }, words);
    };
    require("a kernel that fails in invoke", RefuseToInvoke, "invoke after a prepare that accepted everything");
    require("a kernel that leaks a temporary", WriteZeros, "AllocateTensors", LeakATemporary);
    require("a set-up that ends with tensors that share bytes", WriteZeros, "AllocateTensors", EndAsSharedBytes);
    if (RunWithWrongKernel(file_, WriteZeros, EndAsUnsupported) != ModelStage::kPlanned) {
      Fail("a kernel may not refuse what it does not support");
    }
    require("a kernel that leaves a byte of its output", LeaveAByte, "the outputs differ");
    RequireDeath(
        "a kernel that writes a constant when it is freed", [&] { EndWithAWriteToTheFile(); }, "the model file");
    if (const auto instrument = InstrumentOfThisBuild(); instrument != nullptr) {
      require("a kernel that reads behind its input", ReadBehindTheInput, "violation");
      require("a kernel that writes a constant", WriteTheConstant, "violation");
    }
  }

  // The write comes after the last invoke of the last session, where no instrument looks any more.
  void EndWithAWriteToTheFile() const {
    const Kernel kernel{
        .op = BuiltinOperator::kAdd, .name = "wrong", .invoke = RememberTheConstant, .free = WriteWhatIsRemembered};
    const KernelSet kernels{.name = "wrong", .kernels = {&kernel, 1}};
    const PlacedModel placed = PlaceModel(model_);
    WatchedSession session(placed, kernels, PipelineArenaMemory().span(), {});
    RequireOk(session.Allocate(), "the self-test's set-up");
    session.Run(1, 0);
  }

  // A verdict that is wrong of a sound model, and sound of a wrong one.
  void ShowModels() const {
    RequireDeath(
        "a sound model that is refused", [&] { CheckModelFile(model_, Failure(StatusCode::kModelSubgraphCount)); },
        "validation");
    ModelBuilder builder;
    SubgraphSpec& graph = builder.AddSubgraph();
    graph.AddTensor({.shape = {{kSelfTestElements}}});
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {1}});
    const std::vector<std::byte> file = builder.Finish();
    ModelView wrong;
    RequireOk(ModelView::Open(file, &wrong), "opening a model with a wrong index");
    RequireDeath("a wrong model that is accepted", [&] { CheckModelFile(wrong, Ok()); }, "validation");
  }

  // The runtime's own plan is right; with any number of it changed it is not.
  void ShowPlans() const {
    const PlacedModel placed{.view = model_, .original = file_};
    WatchedSession session(placed, ReferenceKernels(), PipelineArenaMemory().span(), {});
    RequireOk(session.Allocate(), "the self-test's set-up");
    const std::vector<PlanEntry> right = session.event_checker().plan();
    const auto check = [&](const std::vector<PlanEntry>& plan) {
      CommittedPlanChecker checker(placed, nullptr);
      checker.OnAttach({PipelineArenaMemory().data(), kPipelineArenaBytes}, {});
      checker.OnPlanCommitted(PipelineArenaMemory().data(), plan);
    };
    check(right);
    const auto require = [&](const char* what, const std::function<void(std::vector<PlanEntry>&)>& change) {
      std::vector<PlanEntry> plan = right;
      change(plan);
      RequireDeath(what, [&] { check(plan); }, "the runtime's plan");
    };
    if (right.size() != 3) Fail("the self-test's plan has another number of buffers");
    require("a plan in which tensors share bytes", [](auto& plan) { plan[0].offset = plan[1].offset; });
    require("a misaligned plan", [](auto& plan) { plan[2].offset += 8; });
    require("a plan outside of the arena", [](auto& plan) { plan[2].offset = kPipelineArenaBytes; });
    require("a plan with a tensor less", [](auto& plan) { plan.pop_back(); });
    require("a plan with a tensor twice", [](auto& plan) { plan.push_back(plan[0]); });
    require("a tensor that dies early", [](auto& plan) { --plan[0].last; });
    require("a tensor that begins late", [](auto& plan) { ++plan[1].first; });
    require("a tensor of a byte less", [](auto& plan) { --plan[1].bytes; });
    require("a constant with a place", [](auto& plan) { plan[0].tensor = 1; });
  }

  // What is changed in events is shown by RunEventStreamSelfTest, RunAccessListSelfTest and ShowAudit.
  void ShowEventsAsTheyAre() const {
    EventStreamChecker checker;
    checker.CompareWith(&model_);
    Interpreter interpreter(model_, ReferenceKernels(), PipelineArenaMemory().data(), kPipelineArenaBytes,
                            {.observer = &checker});
    RequireOk(interpreter.AllocateTensors(), "the self-test's set-up");
    AuditAllocation(model_, interpreter, checker);
    RequireOk(interpreter.Invoke(), "the self-test's invoke");
    if (!checker.inconsistencies().empty()) {
      Fail("checker and audit report what is right: " + checker.inconsistencies().front());
    }
  }

  // What the audit reports by itself, whatever the event checker has reported before.
  void ShowAudit() const {
    const auto require = [&](const char* words, const std::function<void(EventCorrupter&)>& change) {
      for (const std::string& complaint : AuditWith(change, {})) {
        if (complaint.find(words) != std::string::npos) return;
      }
      Fail(std::string("the audit does not report '") + words + "'");
    };
    const auto with_plan = [](const std::function<void(std::vector<PlanEntry>&)>& change) {
      return [=](EventCorrupter& f) { f.plan = change; };
    };
    require("does not lie where the announced plan puts it", with_plan([](auto& plan) { plan.back().offset += 16; }));
    require("does not lie where the announced plan puts it", with_plan([](auto& plan) { --plan[0].bytes; }));
    require("is not in the announced plan", with_plan([](auto& plan) { plan.pop_back(); }));
    require("lists a tensor twice", with_plan([](auto& plan) { plan.push_back(plan[0]); }));
    require("bytes, the plan needs", with_plan([](auto& plan) { plan[0].bytes += kPipelineArenaBytes / 2; }));
    require("the announced plan has 1 scratch buffers",
            with_plan([](auto& plan) { plan.push_back({.scratch = 0, .owner_operator = 0, .bytes = 16}); }));
    require("has a place in the plan too", with_plan([](auto& plan) { plan[0].tensor = kVariable; }));
    require("bytes, announced were",
            [](EventCorrupter& f) { f.head = [](MemoryRegion& head) { head.bytes += head.bytes ? 16 : 0; }; });
    require("belong to no announced one", [](EventCorrupter& f) {
      f.tail = [](MemoryRegion& block) { block.bytes -= std::min<std::size_t>(block.bytes, 32); };
    });
    require("a temporary is left", [](EventCorrupter& f) { f.forgets_frees = f.forgets_resets = true; });
    require("no reset of the temporaries was announced", [](EventCorrupter& f) { f.forgets_resets = true; });
    const auto complaints =
        AuditWith([](EventCorrupter&) {}, [](std::span<std::byte> variable) { variable[0] ^= std::byte{1}; });
    if (complaints.size() != 1 || complaints[0].find("does not hold its first value") == std::string::npos) {
      Fail("the audit does not look at the variable's value");
    }
  }

  std::vector<std::string> AuditWith(const std::function<void(EventCorrupter&)>& change,
                                     const std::function<void(std::span<std::byte>)>& corrupt_variable) const {
    EventStreamChecker checker;
    EventCorrupter corrupter(&checker);
    change(corrupter);
    Interpreter interpreter(model_, ReferenceKernels(), PipelineArenaMemory().data(), kPipelineArenaBytes,
                            {.observer = &corrupter});
    RequireOk(interpreter.AllocateTensors(), "the self-test's set-up");
    std::span<std::byte> variable;
    RequireOk(interpreter.TensorBytes(kVariable, &variable), "the self-test's variable");
    if (corrupt_variable) corrupt_variable(variable);
    const std::vector<std::string> before = checker.inconsistencies();
    AuditAllocation(model_, interpreter, checker);
    std::vector<std::string> after = checker.inconsistencies();
    after.erase(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(before.size()));
    return after;
  }

  const std::vector<std::byte> file_ = SelfTestModel();
  const ValidatedModel model_ = Validated(file_);
};

}  // namespace

void RunOracleSelfTest() { OracleSelfTest().Run(); }

}  // namespace arenaproof

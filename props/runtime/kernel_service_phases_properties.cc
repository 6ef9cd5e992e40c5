// What happens to kernels that ask for what they may not have: a service outside of its phase, a subgraph that their
// operator does not call, memory while a model runs. Each request has the answer that runtime_services.h and kernel.h
// give for it, nothing else changes; failures are charged to the operator that failed, and a profiler receives an end
// for every begin.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <optional>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/cases/validated.h"
#include "props/support/draws.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

enum class Request : std::uint8_t {
  kDescribeSubgraph,
  kDescribeOperand,
  kCopyTensors,
  kInvokeSubgraph,
  kReadOutput,
  kFindResource,
  kPlaceOutput,
  kSizeResource,
  kReadResource,
  kAssignResource,
  kSetExternalContext,
  kAllocatePersistent,
  kRequestScratch,
  kAllocateTemporary,
  kFreeTemporary
};
constexpr int kRequestCount = 15;

enum class Moment : std::uint8_t { kInit, kPrepare, kInvoke, kReset };

enum class CallerEnd : std::uint8_t {
  kSucceeds,
  kFails,
  kCalleeFails,
  kCalleeFailsUnreported,
  kEndsQuietly,
  kIsCancelled,
  kCalleeEndsQuietly,
  kTakesPersistent,
  kTakesTemporary
};
constexpr int kCallerEndCount = 9;
bool CallsItsCallee(CallerEnd end) {
  return end == CallerEnd::kCalleeFails || end == CallerEnd::kCalleeFailsUnreported ||
         end == CallerEnd::kCalleeEndsQuietly;
}

// What kernels end an invoke with that is nobody's failure.
constexpr std::int32_t kQuietValue = 15, kCancelledValue = 8;

StatusCode StatusAfter(CallerEnd end) {
  switch (end) {
    case CallerEnd::kSucceeds:
    case CallerEnd::kCalleeFailsUnreported:
      return StatusCode::kOk;
    case CallerEnd::kEndsQuietly:
    case CallerEnd::kCalleeEndsQuietly:
      return StatusCode::kInvokeAborted;
    case CallerEnd::kIsCancelled:
      return StatusCode::kInvokeCancelled;
    case CallerEnd::kFails:
    case CallerEnd::kCalleeFails:
      return StatusCode::kKernelFailed;
    case CallerEnd::kTakesPersistent:
    case CallerEnd::kTakesTemporary:
      return StatusCode::kArenaMovedInInvoke;
  }
  return StatusCode::kOk;
}

// What the kernels of the case do, and what they were answered. There is one interpreter at a time.
struct Case {
  Request request{};
  Moment moment{};
  std::int32_t subgraph = 0;
  CallerEnd end{};
  ModelAllocator* allocator = nullptr;
  // Kept by a kernel that should not have.
  PrepareServices* services = nullptr;
  RuntimeServices* runtime = nullptr;
  std::int32_t callee_value = 0;  // what it ends with
  std::optional<StatusCode> answer;
  void* context_seen = nullptr;
};
Case current;
int some_context, other_context;

constexpr std::int32_t kCallingSubgraphCount = 4;  // 0 calls 1 and 2, nobody calls 3
constexpr std::size_t kCallingElements = 4;

Status Ask(Request request, std::int32_t subgraph) {
  RuntimeServices& runtime = *current.runtime;
  std::byte* block = nullptr;
  std::byte bytes[4];
  std::int32_t id = 0;
  switch (request) {
    case Request::kDescribeSubgraph: {
      SubgraphCounts counts;
      return runtime.DescribeSubgraph(subgraph, &counts);
    }
    case Request::kDescribeOperand: {
      Operand operand;
      return runtime.DescribeOperand(subgraph, 0, &operand);
    }
    case Request::kCopyTensors:
      return runtime.CopyTensors({TensorListKind::kOperatorInputs, -1, 1},
                                 {TensorListKind::kSubgraphInputs, subgraph, 0});
    case Request::kInvokeSubgraph:
      return runtime.InvokeSubgraph(subgraph);
    case Request::kReadOutput:
      return runtime.ReadOutput(subgraph, 0, bytes);
    case Request::kFindResource:
      return runtime.FindResource("", "variable", &id);
    case Request::kPlaceOutput:
      return runtime.PlaceOutput(5, bytes);
    case Request::kSizeResource:
      return runtime.SizeResource(7, 16, 0);
    case Request::kReadResource:
      return runtime.ReadResource(7, 0);
    case Request::kAssignResource:
      return runtime.AssignResource(7, 0);
    case Request::kSetExternalContext:
      return runtime.SetExternalContext(&some_context);
    case Request::kAllocatePersistent:
      return current.services->AllocatePersistent(16, &block);
    case Request::kRequestScratch:
      return current.services->RequestScratch(16);
    case Request::kAllocateTemporary: {
      const Status status = current.services->AllocateTemporary(16, 16, &block);
      if (status.ok()) return current.services->FreeTemporary(block);
      return status;
    }
    case Request::kFreeTemporary:
      return current.services->FreeTemporary(bytes);
  }
  return Ok();
}

// The table of runtime_services.h and of kernel.h.
bool MayAsk(Request request, Moment moment) {
  switch (request) {
    case Request::kDescribeSubgraph:
    case Request::kDescribeOperand:
    case Request::kFindResource:
    case Request::kPlaceOutput:
    case Request::kSizeResource:
    case Request::kRequestScratch:
    case Request::kAllocateTemporary:
    case Request::kFreeTemporary:
      return moment == Moment::kPrepare;
    case Request::kCopyTensors:
    case Request::kInvokeSubgraph:
    case Request::kReadOutput:
    case Request::kReadResource:
    case Request::kAssignResource:
      return moment == Moment::kInvoke;
    case Request::kAllocatePersistent:
      return moment == Moment::kInit || moment == Moment::kPrepare;
    case Request::kSetExternalContext:
      return moment != Moment::kReset;
  }
  return false;
}

StatusCode ExpectedAnswer() {
  if (!MayAsk(current.request, current.moment)) return StatusCode::kRuntimeState;
  switch (current.request) {
    case Request::kDescribeSubgraph:
    case Request::kDescribeOperand:
    case Request::kCopyTensors:
    case Request::kInvokeSubgraph:
    case Request::kReadOutput:
      if (current.subgraph < 0 || current.subgraph >= kCallingSubgraphCount) return StatusCode::kRuntimeSubgraphIndex;
      return current.subgraph == 1 || current.subgraph == 2 ? StatusCode::kOk : StatusCode::kSubgraphNotCalled;
    case Request::kPlaceOutput:
      return StatusCode::kRuntimeTensorIndex;
    case Request::kSizeResource:
    case Request::kReadResource:
    case Request::kAssignResource:
      return StatusCode::kResourceIndex;
    case Request::kFreeTemporary:
      return StatusCode::kForeignTemporary;
    default:
      return StatusCode::kOk;
  }
}

void RequireTheExpectedAnswer() {
  if (!current.answer.has_value() || *current.answer == ExpectedAnswer()) return;
  RC_LOG() << "answer " << static_cast<int>(*current.answer) << ", expected " << static_cast<int>(ExpectedAnswer())
           << "\n";
  RC_FAIL(
      "a kernel's request of a service has another answer than its phase and subgraph allow (kRuntimeState, "
      "kSubgraphNotCalled, kRuntimeSubgraphIndex)");
}

void AskAt(Moment moment) {
  if (moment == current.moment && !current.answer) current.answer = Ask(current.request, current.subgraph).code;
}

Status InitCaller(PrepareContext& context) {
  current.services = context.services;
  current.runtime = context.runtime;
  AskAt(Moment::kInit);
  return Ok();
}

Status PrepareCaller(PrepareContext&) {
  AskAt(Moment::kPrepare);
  return Ok();
}

void ResetCaller(void*) { AskAt(Moment::kReset); }

Status InvokeCaller(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes);
  current.context_seen = context.runtime->external_context();
  AskAt(Moment::kInvoke);
  std::byte* block = nullptr;
  switch (current.end) {
    case CallerEnd::kSucceeds:
      return Ok();
    case CallerEnd::kFails:
      return StatusOfKernelValue(1);
    case CallerEnd::kTakesPersistent:
      return current.allocator->AllocatePersistent(16, &block);
    case CallerEnd::kTakesTemporary:
      return current.allocator->AllocateTemporary(16, 16, &block);
    case CallerEnd::kEndsQuietly:
      return StatusOfKernelValue(kQuietValue);
    case CallerEnd::kIsCancelled:
      return StatusOfKernelValue(kCancelledValue);
    case CallerEnd::kCalleeFails:
    case CallerEnd::kCalleeFailsUnreported:
    case CallerEnd::kCalleeEndsQuietly: {
      current.callee_value = current.end == CallerEnd::kCalleeEndsQuietly ? kQuietValue : 1;
      const Status status = context.runtime->InvokeSubgraph(2);
      current.callee_value = 0;
      return current.end == CallerEnd::kCalleeFailsUnreported ? Ok() : status;
    }
  }
  return Ok();
}

Status InvokeCalleeThatMayFail(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes);
  return StatusOfKernelValue(current.callee_value);
}

constexpr Kernel kAnyPhaseKernels[] = {
    {.op = BuiltinOperator::kIf,
     .name = "any-phase",
     .init = InitCaller,
     .prepare = PrepareCaller,
     .invoke = InvokeCaller,
     .reset = ResetCaller},
    {.op = BuiltinOperator::kRelu, .name = "callee", .invoke = InvokeCalleeThatMayFail}};

std::vector<std::byte> CallingModel() {
  ModelBuilder builder;
  const std::vector<std::int32_t> shape{static_cast<std::int32_t>(kCallingElements)};
  for (std::int32_t s = 0; s < kCallingSubgraphCount; ++s) {
    SubgraphSpec& graph = builder.AddSubgraph();
    graph.AddTensor({.shape = shape});
    graph.AddTensor({.shape = shape});
    graph.inputs = {0};
    graph.outputs = {1};
    if (s == 0) {
      graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kIf),
                         .inputs = {0, 0},
                         .outputs = {1},
                         .options = IfOptions{1, 2}});
    } else {
      graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {1}});
    }
  }
  return builder.Finish();
}

// Requires that events nest and that each ends once.
class PairedEvents final : public Profiler {
 public:
  std::uint32_t BeginEvent(const char*) override {
    open_.push_back(++begun_);
    return begun_;
  }
  void EndEvent(std::uint32_t handle) override {
    if (open_.empty() || open_.back() != handle) RC_FAIL("a profiler's event ends that is not the innermost one");
    open_.pop_back();
  }
  bool all_ended() const { return open_.empty(); }
  std::uint32_t begun() const { return begun_; }

 private:
  std::vector<std::uint32_t> open_;
  std::uint32_t begun_ = 0;
};

struct Subject {
  Subject() {
    const Status status =
        *rc::gen::arbitrary<bool>().as("two arenas")
            ? ModelAllocator::Create(ArenaBuffers{arena, sizeof arena, other_arena, sizeof other_arena}, {},
                                     &current.allocator)
            : ModelAllocator::Create(arena, sizeof arena, {}, &current.allocator);
    RC_ASSERT(status.ok());
  }
  const std::vector<std::byte> file = CallingModel();
  const ValidatedModel model = Validated(file);
  alignas(64) std::byte arena[16384];
  alignas(64) std::byte other_arena[16384];
  const KernelSet kernels{"any-phase", kAnyPhaseKernels};
  PairedEvents events;
};

RC_GTEST_PROP(KernelServicePhases, AnswersEveryRequestAsItsPhaseAndSubgraphAllow, ()) {
  current = {};
  current.request = static_cast<Request>(*rc::gen::inRange(0, kRequestCount).as("request"));
  current.moment = static_cast<Moment>(*rc::gen::inRange(0, 4).as("moment"));
  current.subgraph = *rc::gen::inRange(-1, kCallingSubgraphCount + 1).as("subgraph");
  Subject subject;
  Interpreter interpreter(subject.model, subject.kernels, *current.allocator,
                          {.resource_variable_count = 1, .profiler = &subject.events});
  RC_ASSERT(interpreter.AllocateTensors().ok());
  const Status invoked = interpreter.Invoke();
  RequireTheExpectedAnswer();  // first: a request wrongly granted makes an invoke fail later
  RC_ASSERT(invoked.ok());
  RC_ASSERT(interpreter.Reset().ok());
  RC_ASSERT(current.answer.has_value());
  RequireTheExpectedAnswer();
  RC_ASSERT(subject.events.all_ended());
}

RC_GTEST_PROP(KernelServicePhases, ChargesAFailureToTheOperatorThatFailed, ()) {
  current = {};
  current.moment = Moment::kInit;
  current.request = Request::kAllocatePersistent;
  Subject subject;
  Interpreter interpreter(subject.model, subject.kernels, *current.allocator,
                          {.resource_variable_count = 1, .profiler = &subject.events});
  RC_ASSERT(interpreter.AllocateTensors().ok());
  // Each invoke has an end of its own, whatever the one before it has left.
  for (int run = 2 + Below(4); run > 0; --run) {
    current.end = static_cast<CallerEnd>(Below(kCallerEndCount));
    RC_LOG() << "end " << static_cast<int>(current.end) << "\n";
    const std::uint32_t begun_before = subject.events.begun();
    const Status status = interpreter.Invoke();
    const OperatorLocation& failed = interpreter.failed_operator();
    if (!subject.events.all_ended() || subject.events.begun() != begun_before + (CallsItsCallee(current.end) ? 2 : 1)) {
      RC_FAIL("the profiler did not receive one begin and one end for each operator");
    }
    const StatusCode expected = StatusAfter(current.end);
    if (status.code != expected)
      RC_FAIL("an invoke that moved the arena (kArenaMovedInInvoke), failed or ended quietly has another status");
    if (expected != StatusCode::kKernelFailed && expected != StatusCode::kArenaMovedInInvoke) {
      if (failed.known()) RC_FAIL("failed_operator is known, and the invoke did not fail");
      continue;
    }
    const bool right = failed.operator_index == 0 &&
                       failed.subgraph == (current.end == CallerEnd::kCalleeFails ? 2 : 0) &&
                       failed.phase == OperatorPhase::kInvoke;
    if (!right) RC_FAIL("failed_operator does not name the operator that failed");
  }
}

RC_GTEST_PROP(KernelServicePhases, KeepsTheFirstExternalContext, ()) {
  current = {};
  current.moment = Moment::kInit;
  current.request = Request::kAllocatePersistent;
  Subject subject;
  Interpreter interpreter(subject.model, subject.kernels, *current.allocator, {.resource_variable_count = 1});
  void* const contexts[] = {nullptr, &some_context, &other_context};
  void* kept = nullptr;
  for (std::size_t count = *rc::gen::inRange<std::size_t>(1, 5); count > 0; --count) {
    void* const context = contexts[*rc::gen::inRange(0, 3)];
    const StatusCode expected = context == nullptr ? StatusCode::kExternalContextNull
                                : kept != nullptr  ? StatusCode::kExternalContextTwice
                                                   : StatusCode::kOk;
    if (interpreter.SetExternalContext(context).code != expected) {
      RC_FAIL("an external context is set that may not be, or refused that may (kExternalContextTwice)");
    }
    if (expected == StatusCode::kOk) kept = context;
    RC_ASSERT(interpreter.Invoke().ok());
    if (current.context_seen != kept) RC_FAIL("a kernel sees another external context than the first that was set");
  }
}

}  // namespace
}  // namespace arenaproof::testing

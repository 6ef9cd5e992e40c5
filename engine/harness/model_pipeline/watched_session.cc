#include "engine/harness/model_pipeline/watched_session.h"

#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/explain.h"
#include "engine/harness/model_pipeline/model_pipeline.h"
#include "engine/harness/model_pipeline/record_audit.h"
#include "engine/oracles/defect.h"
#include "sanitizers/event_checks/allocation_audit.h"
#include "sanitizers/instrument/instrument_factory.h"
#include "sanitizers/layout/layout.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"
#include "tools/model/unproduced_tensors.h"
#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

EventStreamOptions EventStreamOptionsOf(bool dilated) {
  if (!dilated) return {};
  return {.distance_bytes = 2 * kClosedBytes, .persistent_spacing_bytes = kClosedBytes};
}

// Statuses of AllocateTensors that no model can bring about while planner, runtime and reference kernels are right.
bool IsSetUpDefect(StatusCode code) {
  switch (code) {
    case StatusCode::kPlannerBufferCount:
    case StatusCode::kPlanBadLifetime:
    case StatusCode::kPlanUnplaced:
    case StatusCode::kPlanMisaligned:
    case StatusCode::kPlanOutsideHead:
    case StatusCode::kPlanSharedBytes:
    case StatusCode::kTemporariesLeaked:
    case StatusCode::kForeignTemporary:
    case StatusCode::kRuntimeState:
    case StatusCode::kAllocatorBusy:
    case StatusCode::kAllocatorIdle:
    case StatusCode::kArenaTemporariesLive:
    case StatusCode::kPrepareUnfinished:
    case StatusCode::kRuntimeOperatorIndex:
    case StatusCode::kLifetimeSpan:
    case StatusCode::kLifetimeScratchOrder:
      return true;
    default:
      return false;
  }
}

// Statuses of an invoke that a model can bring about although its prepare was accepted: what they depend on is known
// when it runs.
bool IsRunTimeRefusal(const ModelView& model, StatusCode code) {
  switch (code) {
    case StatusCode::kResourceTableMissing:  // for a handle from outside, in a model that names no variable
      return CountResourceVariables(model) == 0;
    case StatusCode::kResourceIndex:
    case StatusCode::kResourceEmpty:
    case StatusCode::kResourceBytes:
    case StatusCode::kInvokeCancelled:
    case StatusCode::kKernelIndex:
    case StatusCode::kKernelRunTimeShape:
    case StatusCode::kKernelDivisor:
    case StatusCode::kKernelDomain:
      return true;
    default:
      return false;
  }
}

}  // namespace

CheckedMemory& PipelineArenaMemory() {
  static CheckedMemory memory(kPipelineArenaBytes);
  return memory;
}

std::unique_ptr<AccessInstrument> InstrumentOfThisBuild() {
  for (const char* const name : {"asan", "shadow"}) {
    std::unique_ptr<AccessInstrument> instrument = MakeInstrument(name);
    if (instrument->Available().ok()) return instrument;
  }
  return nullptr;
}

WatchedSession::WatchedSession(const PlacedModel& placed, const KernelSet& kernels, std::span<std::byte> arena,
                               const SessionOptions& session)
    : placed_(placed),
      model_(placed.view),
      instrument_(InstrumentOfThisBuild()),
      event_checker_(EventStreamOptionsOf(session.dilated)),
      plan_checker_(placed, &event_checker_) {
  if (Explaining()) {
    Explain("an interpreter in an arena of " + std::to_string(arena.size()) + " bytes, " +
            (session.dilated ? "dilated" : "faithful") + " layout");
  }
  std::memset(arena.data(), session.garbage, arena.size());
  InterpreterOptions options = ForModel(model_, {.observer = &plan_checker_, .record_memory = session.recorded});
  budget_.emplace(model_, kMostInvokeWork);
  options.cancellation = &*budget_;
  if (session.dilated) {
    options.planner = &dilating_;
    options.persistent_spacing_bytes = kClosedBytes;
  }
  event_checker_.CompareWith(&model_);
  if (instrument_) {
    event_checker_.ForwardTo(instrument_.get());
    const MemoryRegion model_memory = PipelineModelMemory().region().whole;
    const std::span<const std::byte> file = model_.bytes();
    instrument_->Watch({model_memory, {file.data(), file.size()}});
    instrument_->Watch({PipelineArenaMemory().region().whole, {arena.data(), arena.size()}});
    instrument_->SkipSelfTest();
  }
  interpreter_ = std::make_unique<Interpreter>(model_, kernels, arena.data(), arena.size(), options);
}

// What kernels free may be written at the very last.
WatchedSession::~WatchedSession() {
  interpreter_.reset();
  RefuseViolations();
  placed_.RefuseChangedFile();
  RefuseInconsistencies();
}

Status WatchedSession::Allocate() {
  if (Explaining()) Explain("AllocateTensors");
  const Status status = interpreter_->AllocateTensors();
  if (Explaining()) Explain("  answers: " + (status.ok() ? "ok" : Sentence(status)));
  RefuseViolations();
  placed_.RefuseChangedFile();
  if (IsSetUpDefect(status.code)) Defect("AllocateTensors", status);
  if (status.ok()) {
    ++set_up_count_;
    AuditAllocation(model_, *interpreter_, event_checker_);
    RefuseOtherVariables();
  }
  AuditRecord(model_, *interpreter_, set_up_count_, event_checker_);
  RefuseInconsistencies();
  return status;
}

void WatchedSession::DescribeTensor(std::uint64_t choice) {
  const std::size_t subgraph = choice % model_.subgraph_count();
  const auto tensor = static_cast<std::int32_t>((choice >> 8) % (model_.tensor_count(subgraph) + 1));
  const bool exists = static_cast<std::size_t>(tensor) < model_.tensor_count(subgraph);
  const bool ready = interpreter_->state() == InterpreterState::kInvoke;
  const std::size_t before_bytes = interpreter_->arena_used_bytes();
  const Operand* described = nullptr;
  const Status status = interpreter_->AllocateTemporaryTensor(tensor, &described, static_cast<std::int32_t>(subgraph));
  if (status.ok()
          ? !ready || !exists
          : status.code != (ready ? exists ? StatusCode::kArenaTemporaryDoesNotFit : StatusCode::kRuntimeTensorIndex
                                  : StatusCode::kRuntimeState)) {
    Defect("the struct of a tensor", status);
  }
  if (status.ok()) {
    const Status refused = interpreter_->AllocateTensors();
    if (refused.code != StatusCode::kArenaTemporariesLive) Defect("AllocateTensors while a struct is held", refused);
    RequireOk(interpreter_->FreeTemporaryTensor(described), "giving back the struct of a tensor");
  }
  if (interpreter_->arena_used_bytes() != before_bytes) Defect("the struct of a tensor", "bytes of the arena are lost");
}

void WatchedSession::FillInputs(std::uint64_t choice) {
  InputGenerator generator(static_cast<std::uint32_t>(choice | 1));
  const bool any_bits = choice % 4 == 0;  // of floats too: infinities, NaNs, denormals
  for (const Operand& input : interpreter_->inputs()) {
    const bool has_values = any_bits && input.type != TensorType::kBool;
    if (generator.Fill(has_values ? TensorType::kInt8 : input.type, {input.data, input.bytes})) continue;
    if (input.bytes > 0) std::memset(input.data, 0, input.bytes);  // a type without a rule has a value too
  }
}

RunResult WatchedSession::Run(std::uint64_t choice, int garbage) {
  StartAfresh(garbage);
  FillInputs(choice);
  return InvokeOnce();
}

RunResult WatchedSession::Run(std::span<const std::vector<std::byte>> inputs, int garbage) {
  StartAfresh(garbage);
  std::size_t next = 0;
  for (const Operand& input : interpreter_->inputs()) {
    if (next == inputs.size() || inputs[next].size() != input.bytes) Defect("inputs", "values of another size");
    if (input.bytes > 0) std::memcpy(input.data, inputs[next].data(), input.bytes);
    ++next;
  }
  return InvokeOnce();
}

void WatchedSession::StartAfresh(int garbage) {
  const MemoryRegion head = event_checker_.head();
  std::memset(const_cast<std::byte*>(head.data), garbage, head.bytes);
  RequireOk(interpreter_->Reset(), "reset after a set-up that succeeded");
  AuditVariables(model_, *interpreter_, "reset", event_checker_);
  ClearUnproducedTensors(model_, *interpreter_);
}

RunResult WatchedSession::InvokeOnce() {
  budget_.emplace(model_, kMostInvokeWork);
  const std::vector<std::uint64_t> before = InvokeCounts();
  RunResult result;
  if (Explaining()) Explain("Invoke");
  const Status status = interpreter_->Invoke();
  if (Explaining()) Explain("  answers: " + (status.ok() ? "ok" : Sentence(status)));
  RefuseViolations();
  placed_.RefuseChangedFile();
  RefuseInconsistencies();
  result.code = status.code;
  if (IsRunTimeRefusal(model_, status.code)) return result;
  RequireOk(status, "invoke after a prepare that accepted everything");
  const std::vector<std::uint64_t> after = InvokeCounts();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (after[i] == before[i] + 1) continue;
    Defect("events and arena do not fit", "an operator's invoke was not announced once for each run");
  }
  for (const Operand& output : interpreter_->outputs()) {
    if (output.data != nullptr) result.outputs.insert(result.outputs.end(), output.data, output.data + output.bytes);
  }
  return result;
}

// A resource variable is known by its container and its name.
void WatchedSession::RefuseOtherVariables() const {
  std::set<std::pair<std::string_view, std::string_view>> keys;
  for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model_.operator_count(s); ++i) {
      const OperatorView view = model_.operator_at(s, i);
      const auto* const handle = std::get_if<VarHandleOptions>(&view.options);
      if (view.code == BuiltinOperator::kVarHandle && handle != nullptr && handle->container != nullptr &&
          handle->shared_name != nullptr) {
        keys.emplace(handle->container, handle->shared_name);
      }
    }
  }
  if (interpreter_->resource_variable_count() == keys.size()) return;
  Defect("resource variables", "not one for each container and name");
}

// The counts of the main graph's operators.
std::vector<std::uint64_t> WatchedSession::InvokeCounts() const {
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < model_.operator_count(0); ++i) {
    counts.push_back(event_checker_.BeginCount(OperatorPhase::kInvoke, 0, static_cast<std::int32_t>(i)));
  }
  return counts;
}

void WatchedSession::RefuseViolations() const {
  if (!instrument_ || instrument_->log().access_count() == 0) return;
  for (const Violation& violation : instrument_->log().groups()) {
    std::fprintf(stderr, "%s\n", ViolationSentence(violation, "").c_str());
    for (const std::string& line : violation.map) std::fprintf(stderr, "  %s\n", line.c_str());
  }
  Defect("violation", "a kernel touched what is not its operator's own");
}

void WatchedSession::RefuseInconsistencies() const {
  if (event_checker_.inconsistencies().empty()) return;
  for (const std::string& inconsistency : event_checker_.inconsistencies())
    std::fprintf(stderr, "%s\n", inconsistency.c_str());
  Defect("events and arena do not fit", event_checker_.inconsistencies().front().c_str());
}

}  // namespace arenaproof

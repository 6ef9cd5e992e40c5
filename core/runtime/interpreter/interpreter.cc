// Construction, the order of AllocateTensors, and queries. What happens around one operator: interpreter_operator.cc.
#include "core/runtime/interpreter/interpreter.h"

#include <cstring>

#include "core/arena/runtime_work.h"
#include "core/base/alignment.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/kernel_interface/operand_view.h"

namespace arenaproof {
namespace {

// The main graph; others run only when an operator calls them.
constexpr std::size_t kMainSubgraph = 0;

// A quantised int8 tensor's zero is its zero point.
std::uint8_t FillOf(const QuantizationView& quantization) {
  return quantization.zero_point_count > 0 ? static_cast<std::uint8_t>(quantization.zero_point()) : std::uint8_t{0};
}

InterpreterOptions WithObserver(InterpreterOptions options, ArenaObserver* observer) {
  options.observer = observer;
  return options;
}

MemoryRegion BytesOf(const Arena& arena) {
  const std::uintptr_t begin = arena.state().begin;
  return {reinterpret_cast<const std::byte*>(begin), arena.state().end - begin};
}

}  // namespace

Interpreter::Interpreter(const ValidatedModel& model, const KernelSet& kernels, std::byte* arena,
                         std::size_t arena_bytes, const InterpreterOptions& options)
    : model_(model), kernels_(kernels), options_(options) {
  preallocated_.KeepClearOf({arena, arena_bytes});
  if (options_.observer != nullptr) {
    options_.observer->OnAttach({arena, arena_bytes}, {model.bytes().data(), model.bytes().size()});
  }
  creation_ = ModelAllocator::Create(arena, arena_bytes, options_, &allocator_);
  if (creation_.ok()) creation_ = CreateResources();
  services_.set_allocator(allocator_);
}

Status Interpreter::CreateResources() {
  if (options_.resource_variable_count == 0) return Ok();
  return allocator_->CreateResources(options_.resource_variable_count, &resources_);
}

Interpreter::Interpreter(const ValidatedModel& model, const KernelSet& kernels, const ArenaBuffers& arenas,
                         const InterpreterOptions& options)
    : model_(model), kernels_(kernels), options_(options) {
  preallocated_.KeepClearOf({arenas.non_persistent, arenas.non_persistent_bytes});
  preallocated_.KeepClearOf({arenas.persistent, arenas.persistent_bytes});
  if (options_.observer != nullptr) {
    options_.observer->OnAttach({MemoryRegion{arenas.non_persistent, arenas.non_persistent_bytes},
                                 MemoryRegion{arenas.persistent, arenas.persistent_bytes}},
                                {model.bytes().data(), model.bytes().size()});
  }
  creation_ = ModelAllocator::Create(arenas, options_, &allocator_);
  if (creation_.ok()) creation_ = CreateResources();
  services_.set_allocator(allocator_);
}

Interpreter::Interpreter(const ValidatedModel& model, const KernelSet& kernels, ModelAllocator& allocator,
                         const InterpreterOptions& options)
    : model_(model),
      kernels_(kernels),
      options_(WithObserver(options, allocator.arena().observer())),
      shares_allocator_(true),
      allocator_(&allocator) {
  creation_ = CheckPlannerKeepsTensors(options_, allocator.planner());
  if (creation_.ok()) creation_ = CreateResources();
  services_.set_allocator(allocator_);
  preallocated_.KeepClearOf(BytesOf(allocator.arena().non_persistent()));
  preallocated_.KeepClearOf(BytesOf(allocator.arena().persistent()));
}

Interpreter::~Interpreter() {
  if (state_ != InterpreterState::kSuspended) FreeOperators();  // whose records the arena may have lost
  if (options_.observer != nullptr && !shares_allocator_) options_.observer->OnDetach();
}

Status Interpreter::AllocateTensors() {
  if (state_ == InterpreterState::kSuspended) return RequireAllocated();
  if (attempting_) return Failure(StatusCode::kAllocatorBusy);
  if (allocator_ != nullptr) ARENAPROOF_RETURN_IF_ERROR(allocator_->CheckTemporariesFreed());
  allocation_attempted_ = attempting_ = true;
  FreeOperators();
  TakeBackContext();
  if (resources_ != nullptr) resources_->Clear();
  failed_operator_ = {};
  state_ = InterpreterState::kInit;
  Status status = creation_;
  if (status.ok()) status = AllocateAll();
  if (!status.ok()) {
    FreeOperators();
    TakeBackContext();
    state_ = InterpreterState::kFailed;
  }
  attempting_ = false;
  return status;
}

// Afterwards there is no allocation.
void Interpreter::FreeOperators() {
  for (const SubgraphAllocation& subgraph : allocation_.subgraphs) {
    if (!any_free_) break;
    for (const OperatorRecord& record : subgraph.operators) {
      if (record.kernel != nullptr && record.kernel->free != nullptr) record.kernel->free(record.op_data);
    }
  }
  allocation_ = {};
  any_free_ = any_reset_ = false;
}

Status Interpreter::AllocateAll() {
  ARENAPROOF_RETURN_IF_ERROR(allocator_->StartModelAllocation(model_, &allocation_));
  preallocated_.Apply(allocation_);
  const Status status = AllocateStarted();
  if (status.ok()) {
    allocator_->KeepModelAllocation(SetUpChecksum());
  } else {
    FreeOperators();  // before the tail that has their records goes back
    allocator_->allocating() ? allocator_->AbortModelAllocation() : allocator_->WithdrawModelAllocation();
  }
  return status;
}

Status Interpreter::AllocateStarted() {
  ARENAPROOF_RETURN_IF_ERROR(ResolveKernels());
  ARENAPROOF_RETURN_IF_ERROR(InitOperators());
  state_ = InterpreterState::kPrepare;
  ARENAPROOF_RETURN_IF_ERROR(PrepareOperators());
  state_ = InterpreterState::kMemoryPlanning;
  OfflinePlanPolicy offline_plan = options_.offline_plan;
  offline_plan.shared_allocator = shares_allocator_;
  ARENAPROOF_RETURN_IF_ERROR(allocator_->FinishModelAllocation(model_, &allocation_, offline_plan, options_.sharing));
  ARENAPROOF_RETURN_IF_ERROR(AllocateGraphTensors());
  state_ = InterpreterState::kInvoke;
  return Reset();
}

Status Interpreter::AllocateGraphTensors() {
  const std::span<const EvalTensor> tensors = allocation_.subgraphs[kMainSubgraph].tensors;
  const auto allocate = [&](std::span<const std::int32_t> indices, std::span<Operand>* structs) -> Status {
    Operand* first = nullptr;
    RecordingScope scope = allocator_->RecordAs(MemoryCategory::kPersistentTensors);
    ARENAPROOF_RETURN_IF_ERROR(allocator_->tail().AllocateArray(indices.size(), &first));
    scope.Close(indices.size());
    *structs = {first, indices.size()};
    const OperandSource source{&model_, kMainSubgraph, tensors, nullptr};
    return FillOperands(source, 0, indices, {}, *structs);
  };
  ARENAPROOF_RETURN_IF_ERROR(allocate(model_.inputs(kMainSubgraph), &allocation_.graph_inputs));
  return allocate(model_.outputs(kMainSubgraph), &allocation_.graph_outputs);
}

Status Interpreter::Invoke() {
  if (!allocation_attempted_) ARENAPROOF_RETURN_IF_ERROR(AllocateTensors());
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  failed_operator_ = {};
  active_count_ = 0;
  return RunSubgraph(kMainSubgraph);
}

Status Interpreter::Reset() {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  ResetOperators();
  FillVariables();
  if (resources_ != nullptr) resources_->Reset(options_.observer);
  return Ok();
}

void Interpreter::ResetOperators() {
  if (!any_reset_) return;
  for (const SubgraphAllocation& subgraph : allocation_.subgraphs) {
    for (const OperatorRecord& record : subgraph.operators) {
      if (record.kernel->reset != nullptr) record.kernel->reset(record.op_data);
    }
  }
}

void Interpreter::FillVariables() {
  for (std::size_t s = 0; s < allocation_.subgraphs.size(); ++s) {
    for (std::size_t i = 0; i < allocation_.subgraphs[s].tensors.size(); ++i) FillVariable(s, i);
  }
}

void Interpreter::FillVariable(std::size_t subgraph, std::size_t tensor) {
  const EvalTensor& found = allocation_.subgraphs[subgraph].tensors[tensor];
  if (!found.variable || found.bytes == 0) return;
  const std::uint8_t fill = found.type == TensorType::kInt8 ? FillOf(model_.tensor(subgraph, tensor).quantization) : 0;
  std::byte* const data = found.data;
  const std::size_t bytes = found.bytes;
  const OperandRange value{data, bytes, AccessRight::kWrite, OperandKind::kVariable, static_cast<std::int32_t>(tensor)};
  const RuntimeWorkScope work(options_.observer, RuntimeWork::kVariableFill, {&value, 1},
                              static_cast<std::int32_t>(subgraph));
  std::memset(data, fill, bytes);
}

Status Interpreter::ResetVariable(std::int32_t tensor, std::int32_t subgraph) {
  EvalTensor* found = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(FindTensor(subgraph, tensor, &found));
  if (!found->variable) {
    return Failure(StatusCode::kTensorNotVariable, std::int64_t{subgraph}, std::int64_t{tensor});
  }
  FillVariable(static_cast<std::size_t>(subgraph), static_cast<std::size_t>(tensor));
  return Ok();
}

Status Interpreter::SetExternalContext(void* context) {
  if (context == nullptr) return Failure(StatusCode::kExternalContextNull);
  if (external_context_ != nullptr) return Failure(StatusCode::kExternalContextTwice);
  external_context_ = context;
  return Ok();
}

void Interpreter::TakeBackContext() {
  if (context_is_of_kernels_) external_context_ = nullptr;
  context_is_of_kernels_ = false;
}

Status Interpreter::RegisterPreallocatedTensor(std::int32_t subgraph, std::int32_t tensor, std::byte* buffer,
                                               std::size_t bytes) {
  // A kernel's init runs in the state that a new interpreter has, too, when the registrations have been applied.
  if (!attempting_ && (state_ == InterpreterState::kInit || state_ == InterpreterState::kFailed)) {
    return preallocated_.Register(model_, subgraph, tensor, buffer, bytes);
  }
  return Failure(StatusCode::kPreallocatedTooLate, std::int64_t{subgraph}, std::int64_t{tensor});
}

Status Interpreter::RequireAllocated() const {
  if (state_ == InterpreterState::kInvoke) return Ok();
  return Failure(StatusCode::kRuntimeState, state_, InterpreterState::kInvoke);
}

std::span<const Operand> Interpreter::inputs() const {
  return state_ == InterpreterState::kSuspended ? std::span<const Operand>() : allocation_.graph_inputs;
}
std::span<const Operand> Interpreter::outputs() const {
  return state_ == InterpreterState::kSuspended ? std::span<const Operand>() : allocation_.graph_outputs;
}

Status Interpreter::FindTensor(std::int32_t subgraph, std::int32_t tensor, EvalTensor** found) const {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  if (subgraph < 0 || static_cast<std::size_t>(subgraph) >= allocation_.subgraphs.size()) {
    return Failure(StatusCode::kRuntimeSubgraphIndex, std::int64_t{subgraph}, allocation_.subgraphs.size());
  }
  const std::span<EvalTensor> tensors = allocation_.subgraphs[static_cast<std::size_t>(subgraph)].tensors;
  if (tensor < 0 || static_cast<std::size_t>(tensor) >= tensors.size()) {
    return Failure(StatusCode::kRuntimeTensorIndex, std::int64_t{tensor}, tensors.size());
  }
  *found = &tensors[static_cast<std::size_t>(tensor)];
  return Ok();
}

Status Interpreter::TensorBytes(std::int32_t tensor, std::span<std::byte>* bytes, std::int32_t subgraph) const {
  EvalTensor* found = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(FindTensor(subgraph, tensor, &found));
  *bytes = found->data == nullptr ? std::span<std::byte>() : std::span<std::byte>(found->data, found->bytes);
  return Ok();
}

Status Interpreter::AllocatePersistentTensor(std::int32_t tensor, const Operand** described, std::int32_t subgraph) {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  return allocator_->AllocatePersistentTensor(model_, &allocation_, subgraph, tensor, described);
}

Status Interpreter::AllocateTemporaryTensor(std::int32_t tensor, const Operand** described, std::int32_t subgraph) {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  return allocator_->AllocateTemporaryTensor(model_, &allocation_, subgraph, tensor, described);
}

Status Interpreter::FreeTemporaryTensor(const Operand* described) {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  return allocator_->FreeTemporaryTensor(described);
}

Status Interpreter::TensorOffset(std::int32_t tensor, std::size_t* offset, std::int32_t subgraph) const {
  EvalTensor* found = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(FindTensor(subgraph, tensor, &found));
  const auto head_start = reinterpret_cast<std::uintptr_t>(allocator_->arena().OverlayAddress());
  const std::uintptr_t from_start = reinterpret_cast<std::uintptr_t>(found->data) - head_start;
  if (found->constant || found->bytes == 0 || from_start >= head_bytes()) {
    return Failure(StatusCode::kTensorNotPlanned, std::int64_t{tensor});
  }
  *offset = from_start;
  return Ok();
}

std::size_t Interpreter::scratch_count() const {
  return state_ == InterpreterState::kInvoke ? allocation_.scratch_data.size() : 0;
}

Status Interpreter::ScratchBytes(std::size_t scratch, std::span<std::byte>* bytes) const {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  if (scratch >= allocation_.scratch_data.size()) {
    return Failure(StatusCode::kRuntimeTensorIndex, scratch, allocation_.scratch_data.size());
  }
  *bytes = {allocation_.scratch_data[scratch], allocation_.scratch_bytes[scratch]};
  return Ok();
}

const Kernel* Interpreter::kernel_of(std::int32_t operator_index, std::int32_t subgraph) const {
  if (state_ != InterpreterState::kInvoke || operator_index < 0 || subgraph < 0) return nullptr;
  if (static_cast<std::size_t>(subgraph) >= allocation_.subgraphs.size()) return nullptr;
  const std::span<const OperatorRecord> operators = allocation_.subgraphs[static_cast<std::size_t>(subgraph)].operators;
  const auto index = static_cast<std::size_t>(operator_index);
  return index < operators.size() ? operators[index].kernel : nullptr;
}

// The allocator and the table of resources lie in the tail, which may be lost.
const ModelAllocator* Interpreter::allocator() const {
  return state_ == InterpreterState::kSuspended ? nullptr : allocator_;
}
const MemoryPlanner* Interpreter::planner() const { return allocator() == nullptr ? nullptr : &allocator()->planner(); }
std::size_t Interpreter::resource_variable_count() const {
  return state_ == InterpreterState::kSuspended || resources_ == nullptr ? 0 : resources_->count();
}
std::size_t Interpreter::resource_value_bytes() const {
  return state_ == InterpreterState::kSuspended || resources_ == nullptr ? 0 : resources_->value_bytes();
}
std::size_t Interpreter::arena_used_bytes() const {
  return allocator() == nullptr ? 0 : allocator()->arena().UsedBytes();
}
std::size_t Interpreter::head_bytes() const {
  return allocator() == nullptr ? 0 : allocator()->arena().NonPersistentUsedBytes();
}
std::size_t Interpreter::tail_bytes() const {
  return allocator() == nullptr ? 0 : allocator()->arena().PersistentUsedBytes();
}
std::size_t Interpreter::lost_tail_bytes() const { return allocator() == nullptr ? 0 : allocator()->lost_tail_bytes(); }

}  // namespace arenaproof

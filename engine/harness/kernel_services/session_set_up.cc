#include <algorithm>
#include <cstring>
#include <utility>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/explain.h"
#include "engine/harness/kernel_services/service_session.h"
#include "engine/oracles/defect.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostBookkeepingBytes = 8000;  // of a network: records, tables, planning

// The arena, or what a plan or a number can hold, is too small.
bool IsAboutRoom(StatusCode code) {
  switch (code) {
    case StatusCode::kArenaBufferTooSmall:
    case StatusCode::kArenaHeadDoesNotFit:
    case StatusCode::kArenaTemporaryDoesNotFit:
    case StatusCode::kArenaPersistentDoesNotFit:
    case StatusCode::kTailWouldCrossHead:
    case StatusCode::kPlanMemoryDoesNotFit:
    case StatusCode::kPlanDoesNotFit:
    case StatusCode::kPlannerTooManyBuffers:
    case StatusCode::kPlanWorkspaceTooSmall:
    case StatusCode::kPlannerOverflow:
    case StatusCode::kSizeOverflow:
    case StatusCode::kOfflinePlanOutsideHead:
      return true;
    default:
      return false;
  }
}

std::size_t RankOf(const ServiceTensor& tensor) { return tensor.shape.size(); }

}  // namespace

OperatorPlace ServiceSession::PlaceOf(std::size_t slot) const {
  for (std::size_t g = 0; g < network_.graphs.size(); ++g) {
    for (std::size_t i = 0; i < graph_of(g).operators.size(); ++i) {
      if (graph_of(g).operators[i].slot == slot) return {g, i};
    }
  }
  Defect("kernel", "one runs that serves no operator of the network");
}

void ServiceSession::BeginSetUp() {
  attempted_ = setting_up_ = true;
  set_up_phase_ = ScriptPhase::kInit;
  set_up_next_ = {};
  set_up_answer_ = {};
  stop_place_.reset();
  any_kernel_ran_ = false;
  frees_.assign(kKernelSlots, 0);
  scratch_count_ = asked_bytes_ = 0;
  state_.allocated = false;
  state_.resources.clear();
  if (state_.context_is_of_kernels) state_.context = nullptr;
  state_.context_is_of_kernels = false;
  for (auto& tensors : state_.tensors) {
    for (ServiceTensorState& tensor : tensors) {
      std::byte* const kept = tensor.preallocated;
      tensor = {};
      tensor.preallocated = kept;
    }
  }
  for (auto& operators : state_.operators) {
    for (ServiceOperatorState& op : operators) {
      op.scratch_bytes.clear();
      op.resets = 0;
    }
  }
  if (interpreter_->allocator() != nullptr) {
    tail_before_ = tail_begin();
    head_before_ = head_end();
  }
  for (std::size_t g = 0; g < network_.graphs.size(); ++g) {
    for (const ServiceTensor& tensor : graph_of(g).tensors) {
      asked_bytes_ += tensor.bytes + (tensor.offset >= 0 ? 256 : 32);
      set_up_answer_.RefuseIf(RankOf(tensor) > kServiceRankLimit, StatusCode::kOperandRankLimit);
    }
    for (std::size_t i = 0; i < graph_of(g).operators.size(); ++i) {
      const bool nobodys = op_at({g, i}).kind == ServiceKernelKind::kNobody;
      if (nobodys && !stop_place_) {
        set_up_answer_.RefuseIf(true, StatusCode::kUnresolvedOperator, g, i);
        stop_place_ = {g, i};
      }
    }
  }
}

bool ServiceSession::RoomIsShort() const {
  if (interpreter_->allocator() == nullptr) return true;
  const std::size_t room = world_.two_arenas ? std::min(head_limit() - head_before_, tail_before_ - tail_limit())
                                             : tail_before_ - head_before_;
  return room < kMostBookkeepingBytes || room - kMostBookkeepingBytes < asked_bytes_;
}

// Operators without init and prepare are passed in silence; what is checked after a prepare is checked of them too.
void ServiceSession::PassBareOperators() {
  while (set_up_next_.graph < network_.graphs.size()) {
    if (set_up_next_.index == graph_of(set_up_next_.graph).operators.size()) {
      set_up_next_ = {set_up_next_.graph + 1, 0};
      if (set_up_next_.graph == network_.graphs.size() && set_up_phase_ == ScriptPhase::kInit) {
        set_up_phase_ = ScriptPhase::kPrepare;
        set_up_next_ = {};
      }
      continue;
    }
    if (op_at(set_up_next_).kind == ServiceKernelKind::kScripted) return;
    if (set_up_phase_ == ScriptPhase::kPrepare) EndOfPrepare(set_up_next_);
    if (set_up_answer_.refused()) return;
    ++set_up_next_.index;
  }
}

void ServiceSession::ExpectSetUpOf(std::size_t slot, ScriptPhase phase) {
  if (!setting_up_) Defect("kernel", "its init or prepare runs outside of AllocateTensors");
  PassBareOperators();
  if (set_up_answer_.refused()) Defect("kernel", "it runs although the set-up has to stop");
  if (set_up_phase_ != phase || set_up_next_ != PlaceOf(slot)) Defect("kernel", "it runs out of its turn");
  ++set_up_next_.index;
  any_kernel_ran_ = true;
}

Status ServiceSession::Init(std::size_t slot, PrepareContext& context) {
  return RunSetUp(slot, ScriptPhase::kInit, context);
}
Status ServiceSession::Prepare(std::size_t slot, PrepareContext& context) {
  return RunSetUp(slot, ScriptPhase::kPrepare, context);
}

Status ServiceSession::RunSetUp(std::size_t slot, ScriptPhase phase, PrepareContext& context) {
  ExpectSetUpOf(slot, phase);
  const OperatorPlace place = PlaceOf(slot);
  if (Explaining()) {
    Explain(std::string(phase == ScriptPhase::kInit ? "  init" : "  prepare") + " of operator " +
            std::to_string(place.index) + " of graph " + std::to_string(place.graph));
  }
  phase_ = phase;
  running_ = place;
  services_ = context.services;
  runtime_ = context.runtime;
  ServiceOperatorState& op = state_at(place);
  RequireOperands(context.inputs, context.outputs);
  const std::vector<std::byte> options(slot < kCustomSlots ? slot + 1 : 0, static_cast<std::byte>(slot));
  if (!std::equal(options.begin(), options.end(), context.custom_options.begin(), context.custom_options.end())) {
    Defect("kernel", "its custom options are not those of the file");
  }
  if (slot == kIfSlot && context.options_as<IfOptions>()->else_subgraph_index != running_op().called[1]) {
    Defect("kernel", "its options are not those of the file");
  }
  if (context.op_data != op.op_data) Defect("kernel", "it is not given the data that it set");
  prepare_ = &context;
  FollowKernel();
  prepare_ = nullptr;
  if (context.op_data == nullptr && !op.persistent.empty()) context.op_data = op.persistent[0].data;
  op.op_data = context.op_data;
  const Status result = DrawResult();
  if (!result.ok()) {
    set_up_answer_.Insist(result);
    stop_place_ = place;
  } else if (phase == ScriptPhase::kPrepare) {
    EndOfPrepare(place);
  }
  asked_bytes_ += 24 * op.persistent.size();
  state_.temporaries.clear();
  state_.given_back.clear();
  running_.reset();
  phase_ = ScriptPhase::kNone;
  return result;
}

void ServiceSession::EndOfPrepare(OperatorPlace place) {
  for (const std::int32_t output : op_at(place).outputs) {
    const ServiceTensor& tensor = described(place.graph, output);
    const std::size_t axis = tensor.dynamic_axis();
    set_up_answer_.RefuseIf(axis < tensor.shape.size(), StatusCode::kDynamicShape, place.index, std::int64_t{output},
                            axis, 0);
  }
  set_up_answer_.RefuseIf(!state_.temporaries.empty(), StatusCode::kTemporariesLeaked, place.graph, place.index,
                          state_.temporaries.size());
  if (set_up_answer_.refused()) stop_place_ = place;
  state_at(place).first_scratch = scratch_count_;
  scratch_count_ += state_at(place).scratch_bytes.size();
}

void ServiceSession::FinishSetUp(const Status& status) {
  setting_up_ = false;
  const bool room_failed = IsAboutRoom(status.code) && RoomIsShort();
  if (!set_up_answer_.refused() && !room_failed) {
    PassBareOperators();
    if (!set_up_answer_.refused() && set_up_next_.graph != network_.graphs.size()) {
      Defect("AllocateTensors", "a kernel was not asked to prepare");
    }
  }
  if (!room_failed) RequireAnswer("AllocateTensors", status, set_up_answer_);
  if (room_failed && Explaining()) Explain("      AllocateTensors: there is no room");
  RequireFrees(status);
  state_.allocated = status.ok();
  if (status.ok()) {
    RequireAllocatedWell();
    RequireOneReset("AllocateTensors");
    return;
  }
  if (!room_failed && stop_place_ && status.code != StatusCode::kOperandRankLimit) {
    const OperatorLocation& failed = interpreter_->failed_operator();
    if (!failed.known() || OperatorPlace{static_cast<std::size_t>(failed.subgraph),
                                         static_cast<std::size_t>(failed.operator_index)} != *stop_place_) {
      Defect("failed_operator", "it does not name the operator that stopped the set-up");
    }
  }
  RequireGivenBack();
}

// Each kernel of the set-up before, and each that a failed one had found.
void ServiceSession::RequireFrees(const Status& status) {
  const bool found_all = any_kernel_ran_ || (status.ok() || status.code == StatusCode::kDynamicShape);
  for (std::size_t g = 0; g < network_.graphs.size(); ++g) {
    for (std::size_t i = 0; i < graph_of(g).operators.size(); ++i) {
      const ServiceOperator& op = op_at({g, i});
      if (op.kind != ServiceKernelKind::kScripted) continue;
      bool found = found_all;
      if (status.code == StatusCode::kUnresolvedOperator && !any_kernel_ran_) {
        found = g < stop_place_->graph || (g == stop_place_->graph && i < stop_place_->index);
      }
      const std::size_t due = (had_kernel_[op.slot] ? 1u : 0u) + (found && !status.ok() ? 1u : 0u);
      if (frees_[op.slot] != due) Defect("kernel", "it was not freed once for each set-up that found it");
      had_kernel_[op.slot] = status.ok();
    }
  }
  frees_.assign(kKernelSlots, 0);
}

void ServiceSession::RequireOneReset(const char* when) {
  for (std::size_t g = 0; g < network_.graphs.size(); ++g) {
    for (std::size_t i = 0; i < graph_of(g).operators.size(); ++i) {
      const bool has_reset = op_at({g, i}).kind == ServiceKernelKind::kScripted;
      if (state_at({g, i}).resets != (has_reset ? 1 : 0)) Defect(when, "a kernel was not reset once");
    }
    for (std::size_t t = 0; t < graph_of(g).tensors.size(); ++t) {
      const ServiceTensor& tensor = graph_of(g).tensors[t];
      if (!tensor.variable) continue;
      ServiceTensorState& state = state_.tensors[g][t];
      state.known = true;
      state.value.assign(tensor.bytes, std::byte{tensor.reset_value()});
      if (std::memcmp(state.address, state.value.data(), tensor.bytes) != 0) {
        Defect(when, "a variable does not have its first value");
      }
    }
  }
  for (ServiceResource& resource : state_.resources) {
    std::fill(resource.value.begin(), resource.value.end(), std::byte{resource.fill});
  }
}

void ServiceSession::RequireAllocatedWell() {
  if (interpreter_->state() != InterpreterState::kInvoke) Defect("AllocateTensors", "the model is not ready");
  if (interpreter_->scratch_count() != scratch_count_) Defect("AllocateTensors", "another number of scratch buffers");
  if (interpreter_->resource_variable_count() != state_.resources.size()) {
    Defect("AllocateTensors", "another number of resource variables");
  }
  const MemoryRegion arena{arena_.data(), arena_.size()};
  for (std::size_t g = 0; g < network_.graphs.size(); ++g) {
    for (std::size_t t = 0; t < graph_of(g).tensors.size(); ++t) {
      const ServiceTensor& tensor = graph_of(g).tensors[t];
      ServiceTensorState& state = state_.tensors[g][t];
      std::span<std::byte> bytes;
      RequireOk(interpreter_->TensorBytes(static_cast<std::int32_t>(t), &bytes, static_cast<std::int32_t>(g)),
                "TensorBytes");
      state.address = bytes.data();
      const std::byte* const own = state.placed != nullptr ? state.placed : state.preallocated;
      if (own != nullptr && state.address != own) Defect("AllocateTensors", "a tensor is not where it was placed");
      if (own != nullptr || tensor.constant || tensor.bytes == 0) continue;
      const MemoryRegion where{bytes.data(), tensor.bytes};
      const bool inside = LiesIn(where, arena) || LiesIn(where, {persistent_arena_.data(), persistent_arena_.size()});
      if (!inside) Defect("AllocateTensors", "a tensor does not lie in the arena");
      if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 16 != 0) Defect("AllocateTensors", "a misaligned tensor");
    }
    for (ServiceOperatorState& op : state_.operators[g]) {
      for (std::size_t i = 0; i < op.scratch_bytes.size(); ++i) {
        std::span<std::byte> bytes;
        RequireOk(interpreter_->ScratchBytes(op.first_scratch + i, &bytes), "ScratchBytes");
        if (bytes.size() != op.scratch_bytes[i]) Defect("L5", "a scratch buffer of other bytes than asked for");
        if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 16 != 0) Defect("L5", "a misaligned scratch buffer");
        const MemoryRegion head{arena_.data(), head_end() - reinterpret_cast<std::uintptr_t>(arena_.data())};
        if (!bytes.empty() && !LiesIn({bytes.data(), bytes.size()}, head)) Defect("L5", "scratch outside of the head");
      }
    }
  }
}

void ServiceSession::RequireGivenBack() {
  if (interpreter_->state() != InterpreterState::kFailed) Defect("AllocateTensors", "it failed and does not say so");
  if (interpreter_->scratch_count() != 0 || !interpreter_->inputs().empty()) {
    Defect("AllocateTensors", "it failed and left something");
  }
  if (state_.context_is_of_kernels) state_.context = nullptr;
  state_.context_is_of_kernels = false;
  if (interpreter_->allocator() == nullptr) return;
  if (tail_begin() != tail_before_) Defect("AllocateTensors", "it failed and the tail is not where it was");
  if (head_end() != head_before_) Defect("AllocateTensors", "it failed and the head is not as large as it was");
}

void ServiceSession::Reset(std::size_t slot, void* op_data) {
  ServiceOperatorState& op = state_at(PlaceOf(slot));
  if (op_data != op.op_data) Defect("reset", "a kernel is not given the data that it set");
  ++op.resets;
  granted_.RequireUntouched();
  const ScriptPhase phase = std::exchange(phase_, ScriptPhase::kReset);
  if (kernel_calls_ < kMostKernelCalls) FollowKernel();
  phase_ = phase;
}

void ServiceSession::Free(std::size_t slot, void* op_data) {
  ServiceOperatorState& op = state_at(PlaceOf(slot));
  if (op_data != op.op_data) Defect("free", "a kernel is not given the data that it set");
  ++frees_[slot];
  granted_.RequireUntouched();
  const ScriptPhase phase = std::exchange(phase_, ScriptPhase::kFree);
  FollowKernel();
  phase_ = phase;
  op.persistent.clear();
  op.op_data = nullptr;
}

}  // namespace arenaproof

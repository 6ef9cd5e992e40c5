// Rules that several calls share, and how a script's numbers are drawn.
#include <algorithm>
#include <cstring>
#include <limits>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/explain.h"
#include "engine/harness/kernel_services/service_session.h"
#include "engine/oracles/defect.h"

namespace arenaproof {

std::uintptr_t ServiceSession::head_begin() const {
  return interpreter_->allocator()->arena().non_persistent().state().begin;
}
std::uintptr_t ServiceSession::head_end() const {
  return interpreter_->allocator()->arena().non_persistent().state().head_end;
}
std::uintptr_t ServiceSession::temporary_end() const {
  return interpreter_->allocator()->arena().non_persistent().state().temporary_end;
}
std::uintptr_t ServiceSession::head_limit() const {
  return interpreter_->allocator()->arena().non_persistent().state().tail_begin;
}
std::uintptr_t ServiceSession::tail_begin() const {
  return interpreter_->allocator()->arena().persistent().state().tail_begin;
}
std::uintptr_t ServiceSession::tail_limit() const {
  if (world_.two_arenas) return interpreter_->allocator()->arena().persistent().state().begin;
  return std::max(temporary_end(), head_before_);  // an earlier set-up's head is not given away
}

void ServiceSession::RefuseOutside(ExpectedAnswer& expected, bool in_init, bool in_prepare, bool in_invoke) const {
  expected.RefuseIf(phase_ == ScriptPhase::kInit && !in_init, StatusCode::kRuntimeState, InterpreterState::kInit);
  expected.RefuseIf(phase_ == ScriptPhase::kPrepare && !in_prepare, StatusCode::kRuntimeState,
                    InterpreterState::kPrepare);
  expected.RefuseIf(phase_ == ScriptPhase::kInvoke && !in_invoke, StatusCode::kRuntimeState, InterpreterState::kInvoke);
  expected.RefuseIf(phase_ == ScriptPhase::kReset || phase_ == ScriptPhase::kFree, StatusCode::kRuntimeState);
}

void ServiceSession::RefuseUncalled(ExpectedAnswer& expected, std::int32_t subgraph) const {
  if (!running_) return;
  const bool exists = subgraph >= 0 && static_cast<std::size_t>(subgraph) < network_.graphs.size();
  const std::vector<std::int32_t>& called = running_op().called;
  expected.RefuseIf(!exists, StatusCode::kRuntimeSubgraphIndex, std::int64_t{subgraph}, network_.graphs.size());
  expected.RefuseIf(exists && std::find(called.begin(), called.end(), subgraph) == called.end(),
                    StatusCode::kSubgraphNotCalled, running_->graph, running_->index, std::int64_t{subgraph});
}

// From the tail's begin down: spacing, what rounds the address down, the block, spacing.
void ServiceSession::RefusePersistent(ExpectedAnswer& expected, std::size_t bytes, std::size_t alignment,
                                      std::size_t spacing) const {
  const std::size_t room = tail_begin() - tail_limit();
  bool fits = tail_begin() >= tail_limit() && spacing <= room && bytes <= room - spacing;
  if (fits) {
    const std::uintptr_t lowest = tail_begin() - spacing - bytes;
    const std::uintptr_t block = lowest - lowest % alignment;
    fits = block >= tail_limit() && spacing <= block - tail_limit();
  }
  expected.RefuseIf(!fits, StatusCode::kArenaPersistentDoesNotFit);
  expected.RefuseIf(!fits, StatusCode::kTailWouldCrossHead);
}

void ServiceSession::RequireOperand(const Operand& operand, std::size_t graph, std::int32_t tensor,
                                    const char* what) const {
  if (tensor < 0) {
    if (operand.present || operand.data != nullptr || operand.bytes != 0) Defect(what, "an omitted operand is there");
    return;
  }
  const ServiceTensor& wanted = described(graph, tensor);
  const ServiceTensorState& state = state_.tensors[graph][static_cast<std::size_t>(tensor)];
  if (!operand.present || operand.tensor_index != tensor || operand.type != wanted.type ||
      operand.bytes != wanted.bytes || operand.constant != wanted.constant || operand.variable != wanted.variable ||
      !std::equal(operand.shape().begin(), operand.shape().end(), wanted.shape.begin(), wanted.shape.end())) {
    Defect(what, "an operand is not described as the file does");
  }
  const bool has_place = phase_ == ScriptPhase::kInvoke || phase_ == ScriptPhase::kNone;
  const std::byte* address = has_place ? state.address : state.placed;
  if (wanted.constant) {
    const auto* const file = reinterpret_cast<const std::byte*>(network_.file.data());
    if (!LiesIn({operand.data, operand.bytes}, {file, network_.file.size()})) Defect(what, "a constant is elsewhere");
    for (std::size_t i = 0; i < operand.bytes; ++i) {
      if (operand.data[i] != std::byte{ServiceConstantByte(i)}) Defect(what, "a constant has another value");
    }
    return;
  }
  if (operand.data == address) return;
  Defect(what, address == nullptr ? "an operand has an address before it has a place"
                                  : "an operand has another address than its tensor");
}

void ServiceSession::RequireOperands(std::span<const Operand> inputs, std::span<const Operand> outputs) const {
  const ServiceOperator& op = running_op();
  if (inputs.size() != op.inputs.size() || outputs.size() != op.outputs.size()) {
    Defect("kernel", "another number of operands than the file says");
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) RequireOperand(inputs[i], running_->graph, op.inputs[i], "an input");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    RequireOperand(outputs[i], running_->graph, op.outputs[i], "an output");
  }
  for (const std::span<const Operand> operands : {inputs, outputs}) {
    for (const Operand& operand : operands) {
      const bool quantised = operand.present && phase_ != ScriptPhase::kInvoke &&
                             described(running_->graph, operand.tensor_index).quantised;
      if (operand.quantization.present() != quantised) Defect("an operand", "its quantisation is not the file's");
      if (quantised && operand.quantization.zero_point() != kServiceZeroPoint) {
        Defect("an operand", "its zero point is not the file's");
      }
    }
  }
}

// Mostly one that the operator calls.
std::int32_t ServiceSession::DrawSubgraph() {
  const std::uint8_t choice = reader_.Byte();
  if (running_ && choice < 208 && !running_op().called.empty()) {
    return running_op().called[choice % running_op().called.size()];
  }
  if (choice < 252) return choice % 5 - 1;
  return choice % 2 == 0 ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int32_t>::min();
}

// Small, around what is left, or near the largest number.
std::size_t ServiceSession::DrawBytes() {
  constexpr std::size_t kSmall[] = {16, 40, 0, 1, 24, 100, 7, 64};
  const std::uint8_t choice = reader_.Byte();
  if (choice < 176) return kSmall[choice % 8];
  if (choice < 208) return choice * 8u;
  if (choice < 240) {
    const std::uintptr_t end = phase_ == ScriptPhase::kNone ? 0 : temporary_end();
    return (world_.two_arenas && choice % 2 == 0 ? tail_begin() - tail_limit() : head_limit() - end) + choice - 240u;
  }
  return std::numeric_limits<std::size_t>::max() - (choice - 240u) * (choice - 240u);
}

std::vector<std::byte> ServiceSession::ArenaBytes() const {
  std::vector<std::byte> bytes(arena_.begin(), arena_.end());
  bytes.insert(bytes.end(), persistent_arena_.begin(), persistent_arena_.end());
  return bytes;
}

// Save for the regions `but`.
void ServiceSession::RequireArenaUnchanged(std::vector<std::byte> before, std::span<const MemoryRegion> but,
                                           const char* call) const {
  const auto require = [&](std::span<const std::byte> now, std::byte* then) {
    for (const MemoryRegion& region : but) {
      if (region.bytes == 0 || !LiesIn(region, {now.data(), now.size()})) continue;
      std::memcpy(then + (region.data - now.data()), region.data, region.bytes);
    }
    if (now.empty() || std::memcmp(now.data(), then, now.size()) == 0) return;
    Defect(call, "it changed a byte of the arena that is none of its own");
  };
  require(arena_, before.data());
  require(persistent_arena_, before.data() + arena_.size());
}

}  // namespace arenaproof

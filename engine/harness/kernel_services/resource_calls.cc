// What a kernel asks for that lives longer than its own memory: resource variables, an output's place, the context.
#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/explain.h"
#include "engine/harness/kernel_services/service_session.h"
#include "engine/oracles/defect.h"

namespace arenaproof {

void ServiceSession::FindVariable() {
  static constexpr const char* kContainers[] = {"", "a", "", nullptr};
  static constexpr const char* kNames[] = {"x", "y", "z", "x", "y", nullptr};
  const char* const container = kContainers[reader_.Below(4)];
  const char* const name = kNames[reader_.Below(6)];
  if (runtime_ == nullptr) return;
  ExpectedAnswer expected;
  RefuseOutside(expected, false, true, false);
  expected.RefuseIf(world_.resource_count == 0, StatusCode::kResourceTableMissing);
  expected.RefuseIf(container == nullptr, StatusCode::kResourceKeyMissing, 0);
  expected.RefuseIf(name == nullptr, StatusCode::kResourceKeyMissing, 1);
  std::size_t index = state_.resources.size();
  if (!expected.refused()) {
    for (std::size_t i = 0; i < state_.resources.size(); ++i) {
      if (state_.resources[i].container == container && state_.resources[i].name == name) index = i;
    }
    expected.RefuseIf(index == world_.resource_count, StatusCode::kResourceTableFull, world_.resource_count);
  }
  std::int32_t id = -7;
  RequireAnswer("FindResource", runtime_->FindResource(container, name, &id), expected);
  if (expected.refused()) return;
  if (id != static_cast<std::int32_t>(index)) Defect("FindResource", "another variable's number");
  if (index == state_.resources.size()) state_.resources.push_back({container, name, false, 0, {}});
}

void ServiceSession::PlaceAnOutput() {
  const std::uint8_t choice = reader_.Byte();
  const std::uint8_t where = reader_.Byte();
  if (runtime_ == nullptr) return;
  std::size_t output = choice % 3;
  if (choice >= 250) output = ~std::size_t{0};
  std::byte* block = nullptr;
  const OperatorPlace place = running_ ? *running_ : OperatorPlace{};
  std::vector<GrantedBlock>& own = state_at(place).persistent;
  if (where < 192 && !own.empty()) {
    block = own[where % own.size()].data + (where >= 160 ? 16 : 0);
  } else if (where < 208) {
    for (const auto& operators : state_.operators) {
      for (const ServiceOperatorState& other : operators) {
        if (!other.persistent.empty()) block = other.persistent[0].data;
      }
    }
  } else if (where < 224 && !state_.temporaries.empty()) {
    block = state_.temporaries[0].data;
  } else if (where < 240) {
    block = arena_.data();
  }
  ExpectedAnswer expected;
  RefuseOutside(expected, false, true, false);
  if (expected.refused()) return RequireAnswer("PlaceOutput", runtime_->PlaceOutput(output, block), expected);
  const ServiceOperator& op = running_op();
  expected.RefuseIf(output >= op.outputs.size(), StatusCode::kRuntimeTensorIndex, output, op.outputs.size());
  GrantedBlock* holder = nullptr;
  MemoryRegion region;
  if (!expected.refused()) {
    const std::int32_t tensor = op.outputs[output];
    region = {block, described(place.graph, tensor).bytes};
    for (GrantedBlock& candidate : own) {
      if (LiesIn(region, {candidate.data, candidate.bytes})) holder = &candidate;
    }
    expected.RefuseIf(tensor_at(place.graph, tensor).preallocated != nullptr, StatusCode::kPlacedOutputKind,
                      place.graph, std::int64_t{tensor}, 2);
    expected.RefuseIf(holder == nullptr, StatusCode::kPlacedOutputBlock, place.graph, std::int64_t{tensor},
                      region.bytes);
  }
  RequireAnswer("PlaceOutput", runtime_->PlaceOutput(output, block), expected);
  if (expected.refused()) return;
  for (const std::int32_t other : op.outputs) {
    ServiceTensorState& state = tensor_at(place.graph, other);
    if (state.placed == nullptr || other == op.outputs[output]) continue;
    if (!ShareBytes(region, {state.placed, described(place.graph, other).bytes})) continue;
    operands_overlap_ = true;
    state.shares = tensor_at(place.graph, op.outputs[output]).shares = true;
  }
  if (region.bytes != holder->bytes) operands_overlap_ = true;
  holder->handed_on.push_back(region);
  tensor_at(place.graph, op.outputs[output]).placed = block;
}

void ServiceSession::SizeVariable() {
  const auto id = static_cast<std::int32_t>(reader_.Below(state_.resources.size() + 2)) - 1;
  const std::size_t bytes = DrawBytes();
  const std::uint8_t fill = reader_.Byte();
  if (runtime_ == nullptr) return;
  ExpectedAnswer expected;
  RefuseOutside(expected, false, true, false);
  const bool exists = id >= 0 && static_cast<std::size_t>(id) < state_.resources.size();
  expected.RefuseIf(world_.resource_count == 0, StatusCode::kResourceTableMissing);
  expected.RefuseIf(!exists, StatusCode::kResourceIndex, std::int64_t{id}, state_.resources.size());
  ServiceResource* const variable = exists ? &state_.resources[static_cast<std::size_t>(id)] : nullptr;
  const bool sized = exists && variable->sized;
  const std::size_t spacing = world_.spaced ? 64 : 0;
  if (!expected.refused() && sized) {
    expected.RefuseIf(variable->value.size() != bytes, StatusCode::kResourceBytes, std::int64_t{id}, bytes,
                      variable->value.size());
  } else if (!expected.refused()) {
    RefusePersistent(expected, bytes, 16, spacing);
  }
  const std::uintptr_t tail = tail_begin();
  RequireAnswer("SizeResource", runtime_->SizeResource(id, bytes, fill), expected);
  if ((expected.refused() || sized) && tail_begin() != tail)
    Defect("SizeResource", "nothing given, and the tail moved");
  if (expected.refused() || sized) return;
  variable->sized = true;
  variable->fill = fill;
  variable->value.assign(bytes, std::byte{fill});
  asked_bytes_ += bytes + 16 + 2 * spacing;
}

void ServiceSession::ReadVariable() {
  const auto id = static_cast<std::int32_t>(reader_.Below(state_.resources.size() + 2)) - 1;
  const std::uint8_t choice = reader_.Byte();
  if (runtime_ == nullptr) return;
  const std::size_t output = choice < 250 ? choice % 3u : ~std::size_t{0};
  ExpectedAnswer expected;
  RefuseOutside(expected, false, false, true);
  expected.RefuseIf(world_.resource_count == 0, StatusCode::kResourceTableMissing);
  if (phase_ != ScriptPhase::kInvoke)
    return RequireAnswer("ReadResource", runtime_->ReadResource(id, output), expected);
  const ServiceOperator& op = running_op();
  const bool exists = id >= 0 && static_cast<std::size_t>(id) < state_.resources.size();
  const bool has_output = output < op.outputs.size();
  expected.RefuseIf(!has_output, StatusCode::kRuntimeTensorIndex, output, op.outputs.size());
  expected.RefuseIf(!exists, StatusCode::kResourceIndex, std::int64_t{id}, state_.resources.size());
  MemoryRegion written;
  if (!expected.refused()) {
    const ServiceResource& variable = state_.resources[static_cast<std::size_t>(id)];
    written = {tensor_at(running_->graph, op.outputs[output]).address,
               described(running_->graph, op.outputs[output]).bytes};
    expected.RefuseIf(!variable.sized, StatusCode::kResourceEmpty, std::int64_t{id});
    expected.RefuseIf(variable.sized && variable.value.size() != written.bytes, StatusCode::kResourceBytes,
                      std::int64_t{id}, written.bytes, variable.value.size());
  }
  std::vector<std::byte> before = ArenaBytes();
  RequireAnswer("ReadResource", runtime_->ReadResource(id, output), expected);
  if (expected.refused()) return RequireArenaUnchanged(std::move(before), {}, "ReadResource");
  RequireArenaUnchanged(std::move(before), {&written, 1}, "ReadResource");
  const std::vector<std::byte>& value = state_.resources[static_cast<std::size_t>(id)].value;
  if (!value.empty() && std::memcmp(written.data, value.data(), value.size()) != 0) {
    Defect("ReadResource", "the output does not hold the variable's value");
  }
  Write(running_->graph, op.outputs[output], value);
}

void ServiceSession::AssignVariable() {
  const auto id = static_cast<std::int32_t>(reader_.Below(state_.resources.size() + 2)) - 1;
  const std::uint8_t choice = reader_.Byte();
  if (runtime_ == nullptr) return;
  const std::size_t input = choice < 250 ? choice % 4u : ~std::size_t{0};
  ExpectedAnswer expected;
  RefuseOutside(expected, false, false, true);
  expected.RefuseIf(world_.resource_count == 0, StatusCode::kResourceTableMissing);
  if (phase_ != ScriptPhase::kInvoke) {
    return RequireAnswer("AssignResource", runtime_->AssignResource(id, input), expected);
  }
  const ServiceOperator& op = running_op();
  const bool exists = id >= 0 && static_cast<std::size_t>(id) < state_.resources.size();
  const bool has_input = input < op.inputs.size() && op.inputs[input] >= 0;
  expected.RefuseIf(!has_input, StatusCode::kRuntimeTensorIndex, input, op.inputs.size());
  expected.RefuseIf(!exists, StatusCode::kResourceIndex, std::int64_t{id}, state_.resources.size());
  MemoryRegion read;
  if (!expected.refused()) {
    const ServiceResource& variable = state_.resources[static_cast<std::size_t>(id)];
    const Operand& operand = invoke_->inputs[input];
    read = {operand.data, operand.bytes};
    expected.RefuseIf(!variable.sized, StatusCode::kResourceEmpty, std::int64_t{id});
    expected.RefuseIf(variable.sized && variable.value.size() != read.bytes, StatusCode::kResourceBytes,
                      std::int64_t{id}, read.bytes, variable.value.size());
  }
  std::vector<std::byte> before = ArenaBytes();
  RequireAnswer("AssignResource", runtime_->AssignResource(id, input), expected);
  if (expected.refused()) return RequireArenaUnchanged(std::move(before), {}, "AssignResource");
  // Where it lies is the runtime's secret: somewhere in the tail, and in no block that was granted.
  const std::span<std::byte> tail_arena = world_.two_arenas ? persistent_arena_ : arena_;
  const auto* const tail = reinterpret_cast<const std::byte*>(tail_begin());
  const MemoryRegion anywhere{tail, static_cast<std::size_t>(tail_arena.data() + tail_arena.size() - tail)};
  RequireArenaUnchanged(std::move(before), {&anywhere, 1}, "AssignResource");
  state_.resources[static_cast<std::size_t>(id)].value.assign(read.data, read.data + read.bytes);
}

void ServiceSession::SetContextOfKernel() {
  void* const context = reader_.Below(4) == 0 ? nullptr : &state_;
  if (runtime_ == nullptr) return;
  const bool in_scope = phase_ != ScriptPhase::kReset && phase_ != ScriptPhase::kFree;
  if (in_scope && runtime_->external_context() != state_.context) Defect("external_context", "it is another one");
  ExpectedAnswer expected;
  RefuseOutside(expected, true, true, true);
  expected.RefuseIf(context == nullptr, StatusCode::kExternalContextNull);
  expected.RefuseIf(state_.context != nullptr, StatusCode::kExternalContextTwice);
  RequireAnswer("SetExternalContext by a kernel", runtime_->SetExternalContext(context), expected);
  if (expected.refused()) return;
  state_.context = context;
  state_.context_is_of_kernels = true;
}

}  // namespace arenaproof

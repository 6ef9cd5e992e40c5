// What the application asks of an interpreter between a kernel's runs.
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/explain.h"
#include "engine/harness/kernel_services/service_session.h"
#include "engine/oracles/defect.h"

namespace arenaproof {

void ServiceSession::DescribeTensorStruct() {
  const auto [subgraph, tensor, graph, count, exists, found] = DrawTensor();
  const bool temporary = reader_.Byte() % 4 != 0;
  ExpectedAnswer expected;
  expected.RefuseIf(!state_.allocated, StatusCode::kRuntimeState);
  expected.RefuseIf(!exists, StatusCode::kRuntimeSubgraphIndex, std::int64_t{subgraph}, network_.graphs.size());
  expected.RefuseIf(exists && !found, StatusCode::kRuntimeTensorIndex, std::int64_t{tensor}, count);
  if (!expected.refused() && head_limit() - head_end() < 2 * sizeof(Operand)) {
    expected.RefuseIf(true, StatusCode::kArenaTemporaryDoesNotFit);
    expected.RefuseIf(true, StatusCode::kArenaPersistentDoesNotFit);
    expected.RefuseIf(true, StatusCode::kTailWouldCrossHead);
  }
  const bool may_fail = expected.refused();
  const Operand* operand = nullptr;
  Explain(temporary ? "AllocateTemporaryTensor" : "AllocatePersistentTensor");
  const Status status = temporary ? interpreter_->AllocateTemporaryTensor(tensor, &operand, subgraph)
                                  : interpreter_->AllocatePersistentTensor(tensor, &operand, subgraph);
  const bool short_of_room = world_.two_arenas || status.code == StatusCode::kArenaPersistentDoesNotFit;
  if (!status.ok() && !may_fail && short_of_room && RoomIsShort()) return;
  if (!(status.ok() && may_fail && state_.allocated && found)) RequireAnswer("a tensor's struct", status, expected);
  if (!status.ok()) return;
  RequireOperand(*operand, graph, tensor, "a tensor's struct");
  if (!temporary) return;
  ExpectedAnswer held, foreign;
  held.RefuseIf(true, StatusCode::kArenaTemporariesLive);
  foreign.RefuseIf(true, StatusCode::kForeignTemporary);
  RequireAnswer("AllocateTensors while a struct is held", interpreter_->AllocateTensors(), held);
  RequireAnswer("giving a struct back", interpreter_->FreeTemporaryTensor(operand), {});
  RequireAnswer("giving a struct back twice", interpreter_->FreeTemporaryTensor(operand), foreign);
}

void ServiceSession::Query() {
  Explain("queries");
  const auto subgraph = static_cast<std::int32_t>(reader_.Below(network_.graphs.size() + 2)) - 1;
  const bool exists = subgraph >= 0 && static_cast<std::size_t>(subgraph) < network_.graphs.size();
  const auto graph = exists ? static_cast<std::size_t>(subgraph) : 0;
  const auto tensor = static_cast<std::int32_t>(reader_.Below(graph_of(graph).tensors.size() + 2)) - 1;
  const bool found = exists && tensor >= 0 && static_cast<std::size_t>(tensor) < graph_of(graph).tensors.size();
  ExpectedAnswer expected;
  expected.RefuseIf(!state_.allocated, StatusCode::kRuntimeState);
  expected.RefuseIf(!exists, StatusCode::kRuntimeSubgraphIndex);
  expected.RefuseIf(exists && !found, StatusCode::kRuntimeTensorIndex);
  std::span<std::byte> bytes;
  RequireAnswer("TensorBytes", interpreter_->TensorBytes(tensor, &bytes, subgraph), expected);
  if (!expected.refused() && bytes.data() != tensor_at(graph, tensor).address) Defect("TensorBytes", "elsewhere");
  std::size_t offset = 0;
  const std::byte* const address = expected.refused() ? nullptr : tensor_at(graph, tensor).address;
  const bool in_head = address != nullptr && !described(graph, tensor).constant && described(graph, tensor).bytes > 0 &&
                       reinterpret_cast<std::uintptr_t>(address) - head_begin() < head_end() - head_begin();
  expected.RefuseIf(!in_head, StatusCode::kTensorNotPlanned);
  RequireAnswer("TensorOffset", interpreter_->TensorOffset(tensor, &offset, subgraph), expected);
  if (in_head && head_begin() + offset != reinterpret_cast<std::uintptr_t>(address))
    Defect("TensorOffset", "elsewhere");

  const std::size_t scratch = reader_.Below(scratch_count_ + 2);
  ExpectedAnswer scratch_expected;
  scratch_expected.RefuseIf(!state_.allocated, StatusCode::kRuntimeState);
  scratch_expected.RefuseIf(state_.allocated && scratch >= scratch_count_, StatusCode::kRuntimeTensorIndex, scratch,
                            scratch_count_);
  RequireAnswer("ScratchBytes", interpreter_->ScratchBytes(scratch, &bytes), scratch_expected);
  const auto index = static_cast<std::int32_t>(reader_.Below(6)) - 1;
  const bool operator_exists =
      state_.allocated && exists && index >= 0 && static_cast<std::size_t>(index) < graph_of(graph).operators.size();
  if ((interpreter_->kernel_of(index, subgraph) != nullptr) != operator_exists) Defect("kernel_of", "wrong answer");
}

}  // namespace arenaproof

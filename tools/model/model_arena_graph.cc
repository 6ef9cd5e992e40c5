#include "tools/model/model_arena_graph.h"

#include "core/runtime/planning/buffer_sharing_source.h"

namespace arenaproof {

ModelArenaGraph::ModelArenaGraph(const SubgraphAllocation& subgraph, std::span<const PlacedBuffer> buffers,
                                 std::span<const std::uint32_t> buffer_of_tensor, bool shares)
    : subgraph_(subgraph), buffer_of_tensor_(buffer_of_tensor), shares_(shares) {
  for (std::size_t i = 0; i < subgraph.tensors.size(); ++i) {
    const EvalTensor& tensor = subgraph.tensors[i];
    const std::uint32_t buffer = buffer_of_tensor[i];
    const bool in_head = buffer != kNoBuffer && !tensor.variable && tensor.bytes > 0 && buffers[buffer].last >= 0;
    const ArenaTensorKind elsewhere = tensor.constant ? ArenaTensorKind::kConstant : ArenaTensorKind::kCustom;
    tensors_.push_back({tensor.bytes, in_head ? ArenaTensorKind::kArena : elsewhere, nullptr});
    if (tensor.variable) variables_.push_back(static_cast<std::int32_t>(i));
  }
  FindInputs();
}

void ModelArenaGraph::FindInputs() {
  inputs_.assign(subgraph_.inputs.begin(), subgraph_.inputs.end());
  std::vector<bool> has_value(tensors_.size());
  const auto mark = [&](std::span<const std::int32_t> tensors) {
    for (const std::int32_t tensor : tensors) {
      if (tensor >= 0) has_value[static_cast<std::size_t>(tensor)] = true;
    }
  };
  mark(subgraph_.inputs);
  for (const OperatorRecord& record : subgraph_.operators) mark(record.outputs);
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!has_value[i] && tensors_[i].kind == ArenaTensorKind::kArena) inputs_.push_back(static_cast<std::int32_t>(i));
  }
}

void ModelArenaGraph::AddScratch(std::span<const PlacedBuffer> buffers, std::span<const std::size_t> scratch_bytes) {
  const std::size_t first_buffer = buffers.size() - scratch_bytes.size();
  for (const OperatorRecord& record : subgraph_.operators) {
    first_temporary_.push_back(temporaries_.size());
    for (std::size_t i = 0; i < record.scratch_count; ++i) {
      const std::size_t request = record.first_scratch + i;
      const std::size_t buffer = first_buffer + request;
      const bool reached = buffers[buffer].last >= 0;
      temporaries_.push_back(static_cast<std::int32_t>(tensors_.size()));
      scratch_buffers_.push_back(static_cast<std::uint32_t>(buffer));
      tensors_.push_back(
          {scratch_bytes[request], reached ? ArenaTensorKind::kArena : ArenaTensorKind::kCustom, nullptr});
    }
  }
}

std::uint32_t ModelArenaGraph::BufferOf(std::size_t tensor) const {
  if (tensors_[tensor].kind != ArenaTensorKind::kArena) return kNoBuffer;
  const std::size_t own = buffer_of_tensor_.size();
  return tensor < own ? buffer_of_tensor_[tensor] : scratch_buffers_[tensor - own];
}

ArenaNode ModelArenaGraph::NodeAt(std::size_t index) const {
  const OperatorRecord& record = subgraph_.operators[index];
  const unsigned sharing = shares_ && record.kernel != nullptr ? record.kernel->sharing : kSharesNothing;
  ArenaNode node{.inputs = record.inputs, .outputs = record.outputs, .sharing = sharing};
  if (!first_temporary_.empty()) {
    node.temporaries = std::span(temporaries_).subspan(first_temporary_[index], record.scratch_count);
  }
  return node;
}

}  // namespace arenaproof

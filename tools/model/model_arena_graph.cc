#include "tools/model/model_arena_graph.h"

#include "core/runtime/planning/buffer_sharing_source.h"

namespace arenaproof {

ModelArenaGraph::ModelArenaGraph(const SubgraphAllocation& subgraph, std::span<const PlacedBuffer> buffers,
                                 std::span<const std::uint32_t> buffer_of_tensor, bool shares)
    : subgraph_(subgraph), shares_(shares) {
  for (std::size_t i = 0; i < subgraph.tensors.size(); ++i) {
    const EvalTensor& tensor = subgraph.tensors[i];
    const std::uint32_t buffer = buffer_of_tensor[i];
    const bool in_head = buffer != kNoBuffer && !tensor.variable && tensor.bytes > 0 && buffers[buffer].last >= 0;
    const ArenaTensorKind elsewhere = tensor.constant ? ArenaTensorKind::kConstant : ArenaTensorKind::kCustom;
    tensors_.push_back({tensor.bytes, in_head ? ArenaTensorKind::kArena : elsewhere, nullptr});
    if (tensor.variable) variables_.push_back(static_cast<std::int32_t>(i));
  }
}

ArenaNode ModelArenaGraph::NodeAt(std::size_t index) const {
  const OperatorRecord& record = subgraph_.operators[index];
  const unsigned sharing = shares_ && record.kernel != nullptr ? record.kernel->sharing : kSharesNothing;
  return {.inputs = record.inputs, .outputs = record.outputs, .sharing = sharing};
}

}  // namespace arenaproof

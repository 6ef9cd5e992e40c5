#include "core/runtime/planning/sharing_check.h"

#include <algorithm>
#include <cstddef>

#include "core/base/in_place.h"

namespace arenaproof {
namespace {

// Null when the list names none.
const SubgraphAllocation* SubgraphOf(const ModelAllocation& allocation, const BufferAlias& alias,
                                     std::size_t* first_tensor) {
  if (alias.subgraph < 0 || static_cast<std::size_t>(alias.subgraph) >= allocation.subgraphs.size()) return nullptr;
  const auto index = static_cast<std::size_t>(alias.subgraph);
  *first_tensor = 0;
  for (const SubgraphAllocation& before : allocation.subgraphs.first(index)) *first_tensor += before.tensors.size();
  return &allocation.subgraphs[index];
}

bool Allows(const ModelAllocation& allocation, std::span<const std::uint32_t> buffer_of_tensor,
            const BufferAlias& alias) {
  std::size_t first_tensor = 0;
  const SubgraphAllocation* const subgraph = SubgraphOf(allocation, alias, &first_tensor);
  if (subgraph == nullptr || alias.operator_index < 0 ||
      static_cast<std::size_t>(alias.operator_index) >= subgraph->operators.size()) {
    return false;
  }
  const OperatorRecord& record = subgraph->operators[static_cast<std::size_t>(alias.operator_index)];
  const auto input = static_cast<std::size_t>(alias.input);
  if (record.kernel == nullptr || record.outputs.empty() || alias.input < 0 || input >= record.inputs.size()) {
    return false;
  }
  const unsigned sharing = record.kernel->sharing;
  if (input >= kMostSharedInputs || (sharing & (kSharesInput0 << input)) == 0) return false;
  if (alias.modifies != ((sharing & kLeavesDataUnmodified) == 0)) return false;
  const std::int32_t from = record.inputs[input];
  const std::int32_t to = record.outputs[0];
  const auto is = [&](std::int32_t tensor, std::uint32_t buffer) {
    const std::size_t index = first_tensor + static_cast<std::size_t>(tensor);
    return tensor >= 0 && index < buffer_of_tensor.size() && buffer_of_tensor[index] == buffer;
  };
  if (!is(from, alias.source) || !is(to, alias.buffer)) return false;
  const std::size_t bytes = subgraph->tensors[static_cast<std::size_t>(from)].bytes;
  if (bytes != subgraph->tensors[static_cast<std::size_t>(to)].bytes) return false;
  return !alias.modifies || (bytes > kScalarBytes && std::count(record.inputs.begin(), record.inputs.end(), from) == 1);
}

}  // namespace

Status CheckSharingOperators(const ModelAllocation& allocation, std::span<const std::uint32_t> buffer_of_tensor,
                             std::span<const BufferAlias> aliases) {
  for (const BufferAlias& alias : aliases) {
    if (Allows(allocation, buffer_of_tensor, alias)) continue;
    return Failure(StatusCode::kPlanAliasOperator, alias.buffer, alias.source, std::int64_t{alias.subgraph},
                   std::int64_t{alias.operator_index});
  }
  return Ok();
}

}  // namespace arenaproof

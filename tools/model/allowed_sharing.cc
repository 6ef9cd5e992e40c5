#include "tools/model/allowed_sharing.h"

#include <algorithm>
#include <tuple>

#include "core/base/in_place.h"
#include "core/runtime/planning/buffer_sharing_source.h"
#include "core/runtime/planning/sharing_check.h"

namespace arenaproof {
namespace {

std::vector<std::size_t> CountWrites(const SubgraphAllocation& subgraph) {
  std::vector<std::size_t> writes(subgraph.tensors.size());
  for (const OperatorRecord& record : subgraph.operators) {
    for (const std::int32_t tensor : record.outputs) {
      if (tensor >= 0) ++writes[static_cast<std::size_t>(tensor)];
    }
  }
  return writes;
}

}  // namespace

std::vector<BufferAlias> AllowedByOperators(const ModelAllocation& allocation,
                                            std::span<const std::uint32_t> buffer_of_tensor) {
  std::vector<BufferAlias> allowed;
  std::size_t first_tensor = 0;
  for (std::size_t s = 0; s < allocation.subgraphs.size(); ++s) {
    const SubgraphAllocation& subgraph = allocation.subgraphs[s];
    const std::vector<std::size_t> writes = CountWrites(subgraph);
    const auto buffer_of = [&](std::int32_t tensor) {
      const auto index = static_cast<std::size_t>(tensor);
      return tensor < 0 || writes[index] > 1 ? kNoBuffer : buffer_of_tensor[first_tensor + index];
    };
    for (std::size_t i = 0; i < subgraph.operators.size(); ++i) {
      const OperatorRecord& record = subgraph.operators[i];
      if (record.kernel == nullptr || record.outputs.empty()) continue;
      BufferAlias alias;
      alias.buffer = buffer_of(record.outputs[0]);
      alias.modifies = (record.kernel->sharing & kLeavesDataUnmodified) == 0;
      alias.subgraph = static_cast<std::int32_t>(s);
      alias.operator_index = static_cast<std::int32_t>(i);
      const std::size_t inputs = std::min<std::size_t>(kMostSharedInputs, record.inputs.size());
      for (std::size_t input = 0; input < inputs && alias.buffer != kNoBuffer; ++input) {
        alias.source = buffer_of(record.inputs[input]);
        alias.input = static_cast<std::int32_t>(input);
        if (alias.source == kNoBuffer) continue;
        if (CheckSharingOperators(allocation, buffer_of_tensor, {&alias, 1}).ok()) allowed.push_back(alias);
      }
    }
    first_tensor += subgraph.tensors.size();
  }
  const auto key = [](const BufferAlias& alias) {
    return std::tuple(alias.buffer, alias.source, alias.subgraph, alias.operator_index, alias.input);
  };
  std::sort(allowed.begin(), allowed.end(),
            [&](const BufferAlias& a, const BufferAlias& b) { return key(a) < key(b); });
  return allowed;
}

}  // namespace arenaproof

// Every tensor of an allocation in the order of offline plans and lifetimes: subgraph by subgraph.
#pragma once

#include <cstddef>

#include "core/base/status.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

struct TensorNumber {
  std::size_t subgraph = 0;
  std::size_t tensor = 0;        // in its subgraph
  std::size_t concatenated = 0;  // tensors of the subgraphs before, plus `tensor`
};

// The tensor with a concatenated number; there has to be one.
inline TensorNumber NumberOfTensor(const ModelAllocation& allocation, std::size_t concatenated) {
  TensorNumber number{0, concatenated, concatenated};
  for (; number.tensor >= allocation.subgraphs[number.subgraph].tensors.size(); ++number.subgraph) {
    number.tensor -= allocation.subgraphs[number.subgraph].tensors.size();
  }
  return number;
}

// visit(TensorNumber, EvalTensor&) -> Status; the first failure ends the walk.
template <typename Visit>
Status ForEachTensor(const ModelAllocation& allocation, Visit visit) {
  TensorNumber number;
  for (number.subgraph = 0; number.subgraph < allocation.subgraphs.size(); ++number.subgraph) {
    const auto tensors = allocation.subgraphs[number.subgraph].tensors;
    for (number.tensor = 0; number.tensor < tensors.size(); ++number.tensor, ++number.concatenated) {
      ARENAPROOF_RETURN_IF_ERROR(visit(number, tensors[number.tensor]));
    }
  }
  return Ok();
}

}  // namespace arenaproof

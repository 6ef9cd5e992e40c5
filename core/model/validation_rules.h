// Inside the model room only: the rules of validate.h by concern. Each returns the first rule that is broken.
#pragma once

#include <cstddef>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/model/validate.h"

namespace arenaproof {

// Model-wide lists, buffers, metadata, signatures, each subgraph's own lists.
Status CheckModelLists(const ModelView& model, ValidationReport* report);

// The sum of all lists' lengths stays below the file's bytes, so that what follows is linear in the file's size even
// when tables share their lists.
Status CheckListWork(const ModelView& model);

// Type, shape, buffer, constant data; quantisation.
Status CheckTensor(const ModelView& model, std::size_t subgraph, std::size_t index, ValidationReport* report);
Status CheckQuantization(const TensorView& tensor, std::size_t subgraph, std::size_t index);

// Code, operands, custom options; options of the union.
Status CheckOperator(const ModelView& model, std::size_t subgraph, std::size_t index, const OperatorSupport* support,
                     ValidationReport* report);
Status CheckOptions(const OperatorView& view, std::size_t subgraph, std::size_t index);

// Who writes what, and in which order, within one subgraph whose indices are all in range.
Status CheckProducers(const ModelView& model, std::size_t subgraph);

}  // namespace arenaproof

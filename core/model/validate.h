// Everything that the flatbuffer verifier lets through but no allocator should see is refused here, before any
// allocation: indices, shapes, sizes, types, missing lists and options, quantisation, calls between subgraphs, who
// writes what. Work is bounded by the file's size, whatever the file says. No heap; about 3 KB of stack.
//
// Rules: each StatusCode kModel... in core/base/status_codes.inc is one, its line says which numbers come with it.
// Those that the format does not ask for, kModelOutputNotProduced above all: docs/validation.md.
#pragma once

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/model/validation_report.h"

namespace arenaproof {

// Tensors of one subgraph; with more, looking for who writes them would no longer be linear.
inline constexpr std::size_t kMaxTensorCount = 65536;

// Which operators the runtime's kernels serve.
class OperatorSupport {
 public:
  // Asked of codes outside the schema too.
  virtual bool Serves(const ModelView& model, std::size_t subgraph, const OperatorView& view) const = 0;

 protected:
  ~OperatorSupport() = default;
};

// Returns report->status; ValidatedModel::Of gives the model too. Unsupported types and features are always gathered,
// unsupported operators when `support` is given, and else those whose code is outside the schema. `report` starts
// afresh.
Status ValidateModel(const ModelView& model, ValidationReport* report, const OperatorSupport* support = nullptr);

}  // namespace arenaproof

// Which kernel of a set serves an operator.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/model/model_view.h"
#include "core/model/validate.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/kernel_interface/limits.h"

namespace arenaproof {

// What a kernel is found by: the code, and of a custom operator the name.
struct OperatorKey {
  OperatorKey(BuiltinOperator code) : op(code) {}  // NOLINT(google-explicit-constructor): the usual case
  explicit OperatorKey(const OperatorView& view) : op(view.code), custom_name(view.custom_name) {}

  // Whether the kernel is for the operator, whatever its operands are.
  bool IsServedBy(const Kernel& kernel) const;

  BuiltinOperator op;
  std::string_view custom_name;
};

// The first of the set's own kernels for the operator that serves such operands (serves null: all), else the
// fallback's; null when there is none. The views are those of prepare.
const Kernel* FindKernel(const KernelSet& set, const OperatorKey& key, std::span<const Operand> inputs,
                         std::span<const Operand> outputs);

// The same for an operator of a model that has not been allocated. Fails as FillOperands does (operand_view.h).
Status FindKernelOf(const KernelSet& set, const ModelView& model, std::size_t subgraph, std::size_t operator_index,
                    const Kernel** kernel);

// How many operators of the model (all subgraphs) one of the set's own kernels serves, fallback not counted. A set that
// serves none shows nothing about the model. Fails as FillOperands does.
Status CountServedOperators(const KernelSet& set, const ModelView& model, std::size_t* served_count);

// Lets validation name every operator that the set and its fallback do not serve. Goes by the operator alone: operands
// are not validated yet when it is asked, and a kernel's `serves` is not for such.
class KernelSetSupport final : public OperatorSupport {
 public:
  explicit KernelSetSupport(const KernelSet& set) : set_(set) {}
  bool Serves(const ModelView& model, std::size_t subgraph, const OperatorView& view) const override;

 private:
  const KernelSet& set_;
};

}  // namespace arenaproof

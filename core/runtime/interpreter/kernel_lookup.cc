#include "core/runtime/interpreter/kernel_lookup.h"

#include "core/runtime/kernel_interface/operand_view.h"

namespace arenaproof {
namespace {

const Kernel* FindOwnKernel(const KernelSet& set, const OperatorKey& key, std::span<const Operand> inputs,
                            std::span<const Operand> outputs) {
  for (const Kernel& kernel : set.kernels) {
    if (key.IsServedBy(kernel) && (kernel.serves == nullptr || kernel.serves(inputs, outputs))) return &kernel;
  }
  return nullptr;
}

struct OperatorWithOperands {
  OperatorView view;
  std::array<Operand, kMaxOperandsPerOperator> operands;

  Status Fill(const ModelView& model, std::size_t subgraph, std::size_t operator_index) {
    view = model.operator_at(subgraph, operator_index);
    return FillOperands({&model, subgraph, {}, nullptr}, operator_index, view.inputs, view.outputs, operands);
  }
  std::span<const Operand> inputs() const { return {operands.data(), view.inputs.size()}; }
  std::span<const Operand> outputs() const { return {operands.data() + view.inputs.size(), view.outputs.size()}; }
};

}  // namespace

bool OperatorKey::IsServedBy(const Kernel& kernel) const {
  if (kernel.op != op) return false;
  return op != BuiltinOperator::kCustom || (kernel.custom_name != nullptr && custom_name == kernel.custom_name);
}

const Kernel* FindKernel(const KernelSet& set, const OperatorKey& key, std::span<const Operand> inputs,
                         std::span<const Operand> outputs) {
  for (const KernelSet* candidate = &set; candidate != nullptr; candidate = candidate->fallback) {
    if (const Kernel* const kernel = FindOwnKernel(*candidate, key, inputs, outputs); kernel != nullptr) return kernel;
  }
  return nullptr;
}

Status FindKernelOf(const KernelSet& set, const ModelView& model, std::size_t subgraph, std::size_t operator_index,
                    const Kernel** kernel) {
  OperatorWithOperands described;
  ARENAPROOF_RETURN_IF_ERROR(described.Fill(model, subgraph, operator_index));
  *kernel = described.view.has_opcode
                ? FindKernel(set, OperatorKey(described.view), described.inputs(), described.outputs())
                : nullptr;
  return Ok();
}

Status CountServedOperators(const KernelSet& set, const ModelView& model, std::size_t* served_count) {
  OperatorWithOperands described;
  std::size_t count = 0;
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
      ARENAPROOF_RETURN_IF_ERROR(described.Fill(model, subgraph, i));
      if (!described.view.has_opcode) continue;
      const Kernel* const own =
          FindOwnKernel(set, OperatorKey(described.view), described.inputs(), described.outputs());
      if (own != nullptr) ++count;
    }
  }
  *served_count = count;
  return Ok();
}

bool KernelSetSupport::Serves(const ModelView&, std::size_t, const OperatorView& view) const {
  if (!view.has_opcode || !IsBuiltinOperator(view.code)) return false;
  for (const KernelSet* candidate = &set_; candidate != nullptr; candidate = candidate->fallback) {
    for (const Kernel& kernel : candidate->kernels) {
      if (OperatorKey(view).IsServedBy(kernel)) return true;
    }
  }
  return false;
}

}  // namespace arenaproof

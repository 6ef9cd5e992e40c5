#include "tools/model/refused_types.h"

#include <array>

#include "core/runtime/kernel_interface/limits.h"
#include "core/runtime/kernel_interface/operand_view.h"

namespace arenaproof {
namespace {

struct OperandsOf {
  OperandsOf(const ModelView& model, const OperatorLocation& location)
      : view(model.operator_at(static_cast<std::size_t>(location.subgraph),
                               static_cast<std::size_t>(location.operator_index))),
        status(FillOperands({&model, static_cast<std::size_t>(location.subgraph), {}, nullptr},
                            static_cast<std::size_t>(location.operator_index), view.inputs, view.outputs, operands)) {}

  std::span<const Operand> inputs() const { return std::span(operands).first(view.inputs.size()); }
  std::span<const Operand> outputs() const {
    return std::span(operands).subspan(view.inputs.size(), view.outputs.size());
  }

  std::array<Operand, kMaxOperandsPerOperator> operands;
  OperatorView view;
  Status status;
};

}  // namespace

RefusedTypes::Refused RefusedTypes::Describe(BuiltinOperator code, std::span<const Operand> inputs,
                                             std::span<const Operand> outputs) {
  Refused described{code, inputs.size(), {}, {}};
  for (const auto operands : {inputs, outputs}) {
    for (const Operand& operand : operands) {
      described.operands.push_back({operand.present, operand.constant, operand.variable, operand.type});
    }
  }
  return described;
}

const std::string* RefusedTypes::Find(BuiltinOperator code, std::span<const Operand> inputs,
                                      std::span<const Operand> outputs) const {
  const Refused asked = Describe(code, inputs, outputs);
  for (const Refused& known : refused_) {
    if (known.code == code && known.input_count == asked.input_count && known.operands == asked.operands) {
      return &known.refusal;
    }
  }
  return nullptr;
}

const std::string* RefusedTypes::Find(const ModelView& model, const OperatorLocation& location) const {
  const OperandsOf operands(model, location);
  return operands.status.ok() ? Find(operands.view.code, operands.inputs(), operands.outputs()) : nullptr;
}

bool RefusedTypes::Add(const ModelView& model, const OperatorLocation& location, const std::string& refusal) {
  const OperandsOf operands(model, location);
  if (!operands.status.ok() || Find(model, location) != nullptr) return false;
  refused_.push_back(Describe(operands.view.code, operands.inputs(), operands.outputs()));
  refused_.back().refusal = refusal;
  return true;
}

}  // namespace arenaproof

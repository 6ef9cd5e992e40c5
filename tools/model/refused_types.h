// Operators whose kernel does not take the types of their operands, by these types: what one is refused for, all of the
// same code and types are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

class RefusedTypes {
 public:
  // False: they are known already, or the operator cannot be described.
  bool Add(const ModelView& model, const OperatorLocation& location, const std::string& refusal);

  // The sentence of the refusal; null when none is known.
  const std::string* Find(BuiltinOperator code, std::span<const Operand> inputs,
                          std::span<const Operand> outputs) const;
  const std::string* Find(const ModelView& model, const OperatorLocation& location) const;

 private:
  struct OperandType {
    bool present = false, constant = false, variable = false;
    TensorType type = TensorType::kFloat32;

    friend bool operator==(const OperandType&, const OperandType&) = default;
  };
  struct Refused {
    BuiltinOperator code;
    std::size_t input_count;
    std::vector<OperandType> operands;  // inputs, then outputs
    std::string refusal;
  };
  static Refused Describe(BuiltinOperator code, std::span<const Operand> inputs, std::span<const Operand> outputs);

  std::vector<Refused> refused_;
};

}  // namespace arenaproof

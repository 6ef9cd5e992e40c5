// An operator's operands as kernels from outside see them.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/kernel_interface/limits.h"
#include "kernels/vendor/kernel_abi.h"

namespace arenaproof {

class LibraryOperands {
 public:
  // At most kMaxOperandsPerOperator of them together, as the runtime has it.
  LibraryOperands(std::span<const Operand> inputs, std::span<const Operand> outputs);

  const ArenaproofOperand* inputs() const { return operands_.data(); }
  std::size_t input_count() const { return input_count_; }
  const ArenaproofOperand* outputs() const { return operands_.data() + input_count_; }
  std::size_t output_count() const { return output_count_; }

 private:
  std::array<ArenaproofOperand, kMaxOperandsPerOperator> operands_{};
  std::size_t input_count_ = 0, output_count_ = 0;
};

}  // namespace arenaproof

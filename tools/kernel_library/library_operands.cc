#include "tools/kernel_library/library_operands.h"

#include <algorithm>

namespace arenaproof {
namespace {

static_assert(ARENAPROOF_MAX_RANK == kMaxOperandRank);

ArenaproofQuantization QuantizationOf(const QuantizationView& view) {
  if (!view.present()) return {};
  return {.scales = view.scales.data(),
          .scale_count = view.scales.size(),
          .zero_point_bytes = reinterpret_cast<const unsigned char*>(view.zero_point_bytes),
          .zero_point_count = view.zero_point_count,
          .dimension = view.dimension};
}

ArenaproofOperand OperandOfLibrary(const Operand& operand) {
  ArenaproofOperand one{};
  one.absent = operand.present ? 0 : 1;
  if (!operand.present) return one;
  one.data = operand.data;
  one.bytes = operand.bytes;
  one.type = static_cast<std::int32_t>(operand.type);
  one.rank = operand.rank;
  std::copy(operand.dims.begin(), operand.dims.end(), one.dims);
  one.constant = operand.constant ? 1 : 0;
  one.variable = operand.variable ? 1 : 0;
  one.quantization = QuantizationOf(operand.quantization);
  return one;
}

}  // namespace

LibraryOperands::LibraryOperands(std::span<const Operand> inputs, std::span<const Operand> outputs)
    : input_count_(inputs.size()), output_count_(outputs.size()) {
  const auto end = std::transform(inputs.begin(), inputs.end(), operands_.begin(), OperandOfLibrary);
  std::transform(outputs.begin(), outputs.end(), end, OperandOfLibrary);
}

}  // namespace arenaproof

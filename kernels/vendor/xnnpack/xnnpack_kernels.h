// What the kernels over XNNPACK share: their functions for the table, what each keeps of an operator, and how operands
// are read. An operand goes to XNNPACK as it lies in the arena, without a copy, so what its micro-kernels read beyond
// an input, which XNN_EXTRA_BYTES allows them, they read there.
#pragma once

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/vendor/kernel_abi.h"

namespace xnnpack_kernels {

// What a kernel fails with, beside the values of the header.
inline constexpr std::int32_t kQuantization = 2, kShape = 3, kActivation = 4, kRefused = 5;

// Stored values that an output may have.
struct Range {
  std::int8_t least, most;
};

inline bool IsInt8(const ArenaproofOperand& operand) {
  return operand.absent == 0 && operand.type == ARENAPROOF_TYPE_INT8 && operand.bytes > 0;
}

inline std::size_t ElementCount(const ArenaproofOperand& operand) {
  std::size_t count = 1;
  for (std::int32_t i = 0; i < operand.rank; ++i) count *= static_cast<std::size_t>(operand.dims[i]);
  return count;
}

inline bool HasOneScale(const ArenaproofOperand& operand) {
  return operand.quantization.scale_count == 1 && operand.quantization.zero_point_count == 1;
}

inline float ScaleOf(const ArenaproofOperand& operand) { return operand.quantization.scales[0]; }

// Zero points lie at any address; those of one operand are alike.
inline std::int8_t ZeroPointOf(const ArenaproofOperand& operand) {
  std::int64_t value = 0;
  std::memcpy(&value, operand.quantization.zero_point_bytes, sizeof value);
  return static_cast<std::int8_t>(value);
}

inline Range FromZeroOn(const ArenaproofOperand& output) { return {ZeroPointOf(output), 127}; }

inline const std::int8_t* InputOf(const ArenaproofInvoke& context) {
  return static_cast<const std::int8_t*>(context.inputs[0].data);
}
inline std::int8_t* OutputOf(const ArenaproofInvoke& context) {
  return static_cast<std::int8_t*>(context.outputs[0].data);
}

// Persistent: XNNPACK's operator, with packed weights in memory of its own, and how often it is applied.
struct KeptOperator {
  xnn_operator_t xnnpack;
  std::size_t batch_count;
};

// The context's op_data becomes a KeptOperator; when there is no memory for it, XNNPACK's operator goes.
std::int32_t Keep(ArenaproofSetUp& context, xnn_operator_t xnnpack, std::size_t batch_count);
inline const KeptOperator& KeptOf(const ArenaproofInvoke& context) {
  return *static_cast<const KeptOperator*>(context.op_data);
}
// Runs it in this thread, when it could be set up.
std::int32_t Run(const KeptOperator& kept, xnn_status set_up);
void Free(void* op_data);

// FULLY_CONNECTED of int8, with a scale for each row of weights or one for all.
std::int32_t ServesProduct(const ArenaproofOperand* inputs, std::size_t input_count, const ArenaproofOperand* outputs,
                           std::size_t output_count);
std::int32_t PrepareProduct(ArenaproofSetUp* context);
std::int32_t InvokeProduct(const ArenaproofInvoke* context);

// RELU of int8, whose output is quantised as its input is.
std::int32_t ServesRelu(const ArenaproofOperand* inputs, std::size_t input_count, const ArenaproofOperand* outputs,
                        std::size_t output_count);
std::int32_t PrepareRelu(ArenaproofSetUp* context);
std::int32_t InvokeRelu(const ArenaproofInvoke* context);

}  // namespace xnnpack_kernels

// A clamp of stored values.
#include "kernels/vendor/xnnpack/xnnpack_kernels.h"

namespace xnnpack_kernels {

std::int32_t ServesRelu(const ArenaproofOperand* inputs, std::size_t input_count, const ArenaproofOperand* outputs,
                        std::size_t output_count) {
  return input_count == 1 && output_count == 1 && IsInt8(inputs[0]) && IsInt8(outputs[0]);
}

std::int32_t PrepareRelu(ArenaproofSetUp* context) {
  const ArenaproofOperand &input = context->inputs[0], &output = context->outputs[0];
  if (!HasOneScale(input) || !HasOneScale(output)) return kQuantization;
  if (ScaleOf(input) != ScaleOf(output) || ZeroPointOf(input) != ZeroPointOf(output)) return kQuantization;
  const std::size_t count = ElementCount(input);
  if (count != ElementCount(output)) return kShape;
  const Range range = FromZeroOn(output);
  xnn_operator_t made = nullptr;
  const xnn_status status = xnn_create_clamp_nc_s8(count, count, count, range.least, range.most, 0, &made);
  return status == xnn_status_success ? Keep(*context, made, 1) : kRefused;
}

std::int32_t InvokeRelu(const ArenaproofInvoke* context) {
  const KeptOperator& kept = KeptOf(*context);
  return Run(kept,
             xnn_setup_clamp_nc_s8(kept.xnnpack, kept.batch_count, InputOf(*context), OutputOf(*context), nullptr));
}

}  // namespace xnnpack_kernels

#include "average_kernel.h"

#include <cstddef>

namespace consumer {
namespace {

using namespace arenaproof;

Status Prepare(PrepareContext& context) {
  if (context.inputs.size() != 1 || context.outputs.size() != 1) return Failure(StatusCode::kKernelFailed, 2);
  const Operand& input = context.inputs[0];
  const Operand& output = context.outputs[0];
  const bool floats = input.type == TensorType::kFloat32 && output.type == TensorType::kFloat32;
  return floats && input.bytes == output.bytes ? Ok() : Failure(StatusCode::kKernelFailed, 3);
}

Status Average(const InvokeContext& context, bool reads_in_front) {
  const auto* input = context.inputs[0].as<float>();
  auto* output = context.outputs[0].mutable_as<float>();
  for (std::size_t i = 0; i < context.inputs[0].element_count(); ++i) {
    const float before = i > 0 || reads_in_front ? *(input + i - 1) : 0;
    output[i] = (before + input[i]) / 2;
  }
  return Ok();
}

Status InvokeSound(const InvokeContext& context) { return Average(context, false); }
Status InvokeFaulty(const InvokeContext& context) { return Average(context, true); }

}  // namespace

const Kernel kAverage = {.op = BuiltinOperator::kCustom,
                         .name = "consumer",
                         .prepare = Prepare,
                         .invoke = InvokeSound,
                         .custom_name = "consumer.average"};
const Kernel kAverageThatReadsInFront = {.op = BuiltinOperator::kCustom,
                                         .name = "consumer-faulty",
                                         .prepare = Prepare,
                                         .invoke = InvokeFaulty,
                                         .custom_name = "consumer.average"};

}  // namespace consumer

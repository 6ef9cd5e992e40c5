#include "kernels/aligned/fully_connected.h"

#include "kernels/aligned/rows.h"

namespace arenaproof::aligned {

bool ServesInt8(std::span<const Operand> inputs, std::span<const Operand> outputs) {
  if (inputs.size() < 2 || outputs.size() != 1) return false;
  return inputs[0].present && inputs[1].present && inputs[0].type == TensorType::kInt8 &&
         inputs[1].type == TensorType::kInt8 && outputs[0].type == TensorType::kInt8;
}

Status InvokeSound(const InvokeContext& context) {
  return ForEachBatch(context,
                      [](const Product& product) { RunGroups<ClampedLoader>(product, 0, product.data.output_count); });
}

Status InvokeFaulty(const InvokeContext& context) {
  return ForEachBatch(
      context, [](const Product& product) { RunGroups<WholeBlockLoader>(product, 0, product.data.output_count); });
}

Status InvokeUnderreading(const InvokeContext& context) {
  return ForEachBatch(
      context, [](const Product& product) { RunGroups<UnderreadingLoader>(product, 0, product.data.output_count); });
}

Status InvokeFaultyDispatch(const InvokeContext& context) {
  return ForEachBatch(context, [](const Product& product) { RunAsDispatched<WholeBlockLoader>(product); });
}

}  // namespace arenaproof::aligned

#include "core/runtime/kernel_interface/eval_tensor.h"

#include "core/model/tensor_bytes.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

bool EvalTensor::needs_planning() const { return data == nullptr && !variable && bytes != 0; }

Status DescribeTensor(const TensorView& tensor, std::size_t index, ConstantPlacement* constants,
                      EvalTensor* described) {
  if (tensor.shape.size() > kMaxOperandRank) {
    return Failure(StatusCode::kOperandRankLimit, index, tensor.shape.size(), kMaxOperandRank);
  }
  EvalTensor result;
  result.dims = tensor.shape.data();
  result.rank = static_cast<std::uint8_t>(tensor.shape.size());
  result.type = tensor.type;
  result.variable = tensor.is_variable;
  result.constant = tensor.is_constant();
  if (result.constant) {
    ARENAPROOF_RETURN_IF_ERROR(TensorFileBytes(tensor, &result.bytes));
    const std::byte* const data =
        constants == nullptr ? tensor.data.data() : constants->Locate(tensor.buffer, tensor.data.data());
    result.data = const_cast<std::byte*>(data);  // kernels must not write it, instruments see when they do
  } else {
    ARENAPROOF_RETURN_IF_ERROR(TensorArenaBytes(tensor, &result.bytes));
  }
  *described = result;
  return Ok();
}

}  // namespace arenaproof

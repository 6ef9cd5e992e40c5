#include "core/model/tensor_bytes.h"

#include "core/base/byte_size.h"

namespace arenaproof {

Status TensorArenaBytes(const TensorView& tensor, std::size_t* bytes) {
  std::size_t elements = 0;
  ARENAPROOF_RETURN_IF_ERROR(ElementCount(tensor.shape, &elements));
  return ArrayBytes(elements, ElementBytes(tensor.type), bytes);
}

Status TensorFileBytes(const TensorView& tensor, std::size_t* bytes) {
  ARENAPROOF_RETURN_IF_ERROR(TensorArenaBytes(tensor, bytes));
  if (tensor.type == TensorType::kInt4) *bytes = *bytes / 2 + *bytes % 2;
  return Ok();
}

}  // namespace arenaproof

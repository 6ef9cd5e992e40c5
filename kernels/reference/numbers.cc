#include "kernels/reference/numbers.h"

#include "kernels/reference/elements.h"

namespace arenaproof::reference {

std::int64_t NumberAt(const Operand& numbers, std::size_t position) {
  switch (numbers.type) {
    case TensorType::kInt8:
      return ElementReader<std::int8_t>(numbers)[position];
    case TensorType::kInt16:
      return ElementReader<std::int16_t>(numbers)[position];
    case TensorType::kInt32:
      return ElementReader<std::int32_t>(numbers)[position];
    default:
      return ElementReader<std::int64_t>(numbers)[position];
  }
}

Status CheckNumberList(const PrepareContext& context, std::size_t operand, std::size_t count) {
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, operand, {TensorType::kInt32, TensorType::kInt64}));
  ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, operand, 1, 1));
  return CheckElementCount(context, operand, count);
}

Status CheckNumber(std::size_t operand, std::size_t position, std::int64_t found, std::int64_t least,
                   std::int64_t most) {
  if (found < least) return Failure(StatusCode::kKernelIndex, operand, position, found, least);
  if (found > most) return Failure(StatusCode::kKernelIndex, operand, position, found, most);
  return Ok();
}

Status CheckIndices(const Operand& indices, std::size_t operand, std::int64_t limit) {
  const ElementReader<std::int32_t> index(indices);
  const std::size_t count = indices.element_count();
  for (std::size_t i = 0; i < count; ++i) ARENAPROOF_RETURN_IF_ERROR(CheckNumber(operand, i, index[i], 0, limit - 1));
  return Ok();
}

}  // namespace arenaproof::reference

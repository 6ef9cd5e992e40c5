#include "kernels/reference/dims_copy.h"

#include <cstddef>
#include <cstdint>

#include "kernels/reference/elements.h"

namespace arenaproof::reference {

Status CopyOutputDims(PrepareContext& context) {
  const Operand& output = context.outputs[0];
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent((1u + output.rank) * sizeof(std::int32_t), &block));
  const ElementWriter<std::int32_t> copy(block);
  copy.Store(0, output.rank);
  for (std::size_t axis = 0; axis < output.rank; ++axis) copy.Store(axis + 1, output.dims[axis]);
  return Ok();
}

}  // namespace arenaproof::reference

#include "kernels/reference/strided_copy.h"

#include <cstring>

namespace arenaproof::reference {
namespace {

// Most runs are one element long: a copy of a known size is one load and one store.
void CopyRun(std::byte* to, const std::byte* from, std::size_t bytes) {
  switch (bytes) {
    case 1:
      *to = *from;
      return;
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    default:
      std::memcpy(to, from, bytes);
  }
}

}  // namespace

std::array<std::ptrdiff_t, kMaxOperandRank> ElementStrides(const Operand& operand) {
  std::array<std::ptrdiff_t, kMaxOperandRank> strides{};
  std::ptrdiff_t stride = 1;
  for (std::size_t axis = operand.rank; axis-- > 0;) {
    strides[axis] = stride;
    stride *= operand.dims[axis];
  }
  return strides;
}

void CopyStrided(const StridedSource& source, const Operand& from, const Operand& to) {
  const std::size_t element_bytes = ElementBytes(to.type);
  // The innermost axes that lie in one run.
  std::size_t axes = kMaxOperandRank;
  std::size_t run = 1;
  while (axes > 0 && (source.extents[axes - 1] == 1 || source.strides[axes - 1] == static_cast<std::ptrdiff_t>(run))) {
    run *= source.extents[axes - 1];
    --axes;
  }
  std::size_t run_count = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) run_count *= source.extents[axis];
  if (run == 0) return;
  std::array<std::size_t, kMaxOperandRank> position{};
  std::ptrdiff_t at = source.first;
  for (std::size_t i = 0; i < run_count; ++i) {
    CopyRun(to.data + i * run * element_bytes, from.data + at * static_cast<std::ptrdiff_t>(element_bytes),
            run * element_bytes);
    for (std::size_t axis = axes; axis-- > 0;) {
      at += source.strides[axis];
      if (++position[axis] < source.extents[axis]) break;
      at -= source.strides[axis] * static_cast<std::ptrdiff_t>(source.extents[axis]);
      position[axis] = 0;
    }
  }
}

}  // namespace arenaproof::reference

// What reductions share: an operand and a list of the axes that are reduced; a negative axis counts from the end and a
// repeated one counts once. With keep_dims a reduced axis stays as 1, else it goes. Axes of 1 make no difference to
// where a value lies, so a file that keeps or drops more of them is accepted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

inline constexpr std::size_t kReducedData = 0;
inline constexpr std::size_t kReducedAxes = 1;

struct Reduction {
  std::array<bool, kMaxOperandRank> reduced{};
  std::size_t reduced_count = 1;  // elements that go into one output
};

// Axes that are constant, and the output's shape. kKernelNotConstant.
Status ReadReduction(const PrepareContext& context, Reduction* reduction);
// Axes that may be computed: those of a constant list and the output's shape are checked at once, those of another when
// the operator runs, by the second function (kKernelIndex, kKernelRunTimeShape).
Status CheckReduction(const PrepareContext& context);
Status ReadReduction(const InvokeContext& context, Reduction* reduction);

// Scratch for `count` numbers of 4 bytes.
Status RequestNumbers(PrepareContext& context, std::size_t count);
// The reference walks indices and resolved axes in scratch of its own. Requested as there, so that a plan made here is
// the device's plan.
Status RequestReductionScratch(PrepareContext& context);

// visit(output index, input index) for every element of the input in memory order.
template <typename Visit>
void ForEachReduced(const Operand& input, const Reduction& reduction, Visit visit) {
  std::array<std::size_t, kMaxOperandRank> strides{};
  std::size_t stride = 1;
  for (std::size_t axis = input.rank; axis-- > 0;) {
    if (reduction.reduced[axis]) continue;
    strides[axis] = stride;
    stride *= static_cast<std::size_t>(input.dims[axis]);
  }
  std::array<std::size_t, kMaxOperandRank> position{};
  std::size_t to = 0;
  const std::size_t count = input.element_count();
  for (std::size_t from = 0; from < count; ++from) {
    visit(to, from);
    for (std::size_t axis = input.rank; axis-- > 0;) {
      to += strides[axis];
      if (++position[axis] < static_cast<std::size_t>(input.dims[axis])) break;
      to -= strides[axis] * position[axis];
      position[axis] = 0;
    }
  }
}

}  // namespace arenaproof::reference

// Element-wise operators over two operands whose shapes are broadcast: right-aligned, missing dimensions count 1, a
// dimension of 1 repeats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

// Extents of the output, right-aligned, and how far each operand moves per step along them.
struct Broadcast {
  std::array<std::size_t, kMaxOperandRank> extents{};
  std::array<std::size_t, kMaxOperandRank> first_strides{};
  std::array<std::size_t, kMaxOperandRank> second_strides{};
};

// Inputs 0 and 1 broadcast to exactly the shape of output 0.
Status CheckBroadcast(const PrepareContext& context);

// Precondition: CheckBroadcast was ok for these operands.
Broadcast BroadcastOf(const Operand& first, const Operand& second, const Operand& output);

// visit(output index, first index, second index) for every element of the output in memory order.
template <typename Visit>
void ForEachBroadcast(const Operand& first, const Operand& second, const Operand& output, Visit visit) {
  const Broadcast plan = BroadcastOf(first, second, output);
  const std::size_t count = output.element_count();
  constexpr std::size_t kLast = kMaxOperandRank - 1;
  std::array<std::size_t, kMaxOperandRank> position{};
  std::size_t first_index = 0;
  std::size_t second_index = 0;
  for (std::size_t index = 0; index < count; ++index) {
    visit(index, first_index, second_index);
    for (std::size_t axis = kLast;; --axis) {
      first_index += plan.first_strides[axis];
      second_index += plan.second_strides[axis];
      if (++position[axis] < plan.extents[axis]) break;
      first_index -= plan.first_strides[axis] * plan.extents[axis];
      second_index -= plan.second_strides[axis] * plan.extents[axis];
      position[axis] = 0;
      if (axis == 0) break;
    }
  }
}

}  // namespace arenaproof::reference

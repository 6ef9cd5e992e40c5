// Element-wise operators over operands whose shapes are broadcast: right-aligned, missing dimensions count 1, a
// dimension of 1 repeats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "core/base/status.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"

namespace arenaproof::reference {

using AxisCounts = std::array<std::size_t, kMaxOperandRank>;

// The first `input_count` inputs broadcast to exactly the shape of output 0.
Status CheckBroadcast(const PrepareContext& context, std::size_t input_count = 2);
// Two inputs and one output of one of these types, broadcast.
Status CheckBinary(const PrepareContext& context, std::initializer_list<TensorType> served);

// Right-aligned: the output's extents, and how far an operand moves per step along them.
AxisCounts BroadcastExtents(const Operand& output);
AxisCounts BroadcastStrides(const Operand& operand);

// visit(output index, operands' indices) for every element of the output in memory order. Precondition: CheckBroadcast
// was ok for these operands.
template <std::size_t kCount, typename Visit>
void ForEachBroadcast(const std::array<const Operand*, kCount>& operands, const Operand& output, Visit visit) {
  const AxisCounts extents = BroadcastExtents(output);
  std::array<AxisCounts, kCount> strides{};
  for (std::size_t i = 0; i < kCount; ++i) strides[i] = BroadcastStrides(*operands[i]);
  const std::size_t count = output.element_count();
  constexpr std::size_t kLast = kMaxOperandRank - 1;
  AxisCounts position{};
  std::array<std::size_t, kCount> indices{};
  for (std::size_t index = 0; index < count; ++index) {
    visit(index, indices);
    for (std::size_t axis = kLast;; --axis) {
      for (std::size_t i = 0; i < kCount; ++i) indices[i] += strides[i][axis];
      if (++position[axis] < extents[axis]) break;
      for (std::size_t i = 0; i < kCount; ++i) indices[i] -= strides[i][axis] * extents[axis];
      position[axis] = 0;
      if (axis == 0) break;
    }
  }
}

// visit(output index, first index, second index).
template <typename Visit>
void ForEachBroadcast(const Operand& first, const Operand& second, const Operand& output, Visit visit) {
  ForEachBroadcast<2>({&first, &second}, output,
                      [&](std::size_t to, const std::array<std::size_t, 2>& from) { visit(to, from[0], from[1]); });
}

// Output 0 is function(a, b) of the elements of inputs 0 and 1.
template <typename Element, typename Function>
void MapBroadcast(const InvokeContext& context, Function function) {
  const ElementReader<Element> first(context.inputs[0]);
  const ElementReader<Element> second(context.inputs[1]);
  const ElementWriter<Element> output(context.outputs[0]);
  ForEachBroadcast(context.inputs[0], context.inputs[1], context.outputs[0],
                   [&](std::size_t to, std::size_t i, std::size_t j) {
                     output.Store(to, static_cast<Element>(function(first[i], second[j])));
                   });
}

}  // namespace arenaproof::reference

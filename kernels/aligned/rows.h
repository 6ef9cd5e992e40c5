// How the rows of a FULLY_CONNECTED are shared out to dot products of four rows. The loader decides what a block really
// reads; tests bring one that writes the addresses down.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/aligned/dot_product.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/fully_connected.h"

namespace arenaproof::aligned {

// Sixteen rows further the address has the same remainder whatever the depth is, so a call takes r, r+16, r+32, r+48.
inline constexpr std::size_t kRowStep = 16;
inline constexpr std::size_t kGroupRows = kRowsPerCall * kRowStep;

// One matrix times one vector of the batch.
struct Product {
  const InvokeContext& context;
  const reference::FullyConnectedData& data;
  std::size_t batch;

  const Operand& Input() const { return context.inputs[0]; }
  const Operand& Filter() const { return context.inputs[1]; }
  bool HasBias() const { return reference::HasInput(context, 2); }
  std::uintptr_t Vector() const { return reinterpret_cast<std::uintptr_t>(Input().data) + batch * data.depth; }
  std::uintptr_t Row(std::size_t row) const {
    return reinterpret_cast<std::uintptr_t>(Filter().data) + row * data.depth;
  }
  void Finish(std::size_t row, std::int32_t sum) const {
    const std::int32_t bias = HasBias() ? reference::ElementReader<std::int32_t>(context.inputs[2])[row] : 0;
    context.outputs[0].mutable_as<std::int8_t>()[batch * data.output_count + row] = data.Finish(sum, bias, row);
  }
};

// `count` rows from `first`, one row step apart.
template <typename Loader>
void RunRows(const Product& product, std::size_t first, std::size_t count) {
  std::array<std::uintptr_t, kRowsPerCall> rows{};
  for (std::size_t i = 0; i < count; ++i) rows[i] = product.Row(first + i * kRowStep);
  std::array<std::int32_t, kRowsPerCall> sums{};
  DotProduct<Loader>(rows, count, product.Vector(), product.data.depth, -product.data.input_zero_point, sums);
  for (std::size_t i = 0; i < count; ++i) product.Finish(first + i * kRowStep, sums[i]);
}

// Rows [begin, end) in groups of 64 and a last, smaller one.
template <typename Loader>
void RunGroups(const Product& product, std::size_t begin, std::size_t end) {
  for (std::size_t group = begin; group < end; group += kGroupRows) {
    const std::size_t group_end = std::min(group + kGroupRows, end);
    for (std::size_t first = group; first < std::min(group + kRowStep, group_end); ++first) {
      RunRows<Loader>(product, first, (group_end - first + kRowStep - 1) / kRowStep);
    }
  }
}

inline void RunExactly(const Product& product, std::size_t begin, std::size_t end) {
  const std::int8_t* vector = product.Input().as<std::int8_t>() + product.batch * product.data.depth;
  for (std::size_t row = begin; row < end; ++row) {
    const std::int8_t* weights = product.Filter().as<std::int8_t>() + row * product.data.depth;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < product.data.depth; ++i)
      sum += weights[i] * (vector[i] - product.data.input_zero_point);
    product.Finish(row, sum);
  }
}

// The library's own condition for the stepped-back path: not everything is 16-aligned, and the depth is not 64.
inline bool TakesSteppedBackPath(const Product& product) {
  const std::size_t depth = product.data.depth;
  std::uintptr_t all = product.Row(0) | product.Vector() | depth;
  all |= reinterpret_cast<std::uintptr_t>(product.context.outputs[0].data) + product.batch * product.data.output_count;
  if (product.HasBias()) all |= reinterpret_cast<std::uintptr_t>(product.context.inputs[2].data);
  return all % kBlockBytes != 0 && depth != 64;
}

// Whole groups of 64 rows where the library would take the stepped-back path, everything else exactly.
template <typename Loader>
void RunAsDispatched(const Product& product) {
  const std::size_t rows = product.data.output_count;
  const std::size_t grouped = TakesSteppedBackPath(product) ? rows - rows % kGroupRows : 0;
  RunGroups<Loader>(product, 0, grouped);
  RunExactly(product, grouped, rows);
}

template <typename Run>
Status ForEachBatch(const InvokeContext& context, Run run) {
  const auto& data = *static_cast<const reference::FullyConnectedData*>(context.op_data);
  for (std::size_t batch = 0; batch < data.batch_count; ++batch) run(Product{context, data, batch});
  return Ok();
}

}  // namespace arenaproof::aligned

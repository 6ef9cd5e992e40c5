#include "kernels/aligned/fully_connected.h"

#include "kernels/aligned/dot_product.h"
#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/fully_connected.h"

namespace arenaproof::aligned {
namespace {

using reference::ElementReader;
using reference::FullyConnectedData;

// Sixteen rows further the address has the same remainder whatever the depth is, so a call takes r, r+16, r+32, r+48.
constexpr std::size_t kRowStep = 16;
constexpr std::size_t kGroupRows = kRowsPerCall * kRowStep;

constexpr std::size_t kInput = 0;
constexpr std::size_t kFilter = 1;
constexpr std::size_t kBias = 2;

struct Product {
  const InvokeContext& context;
  const FullyConnectedData& data;
  std::size_t batch;

  std::uintptr_t Vector() const {
    return reinterpret_cast<std::uintptr_t>(context.inputs[kInput].data) + batch * data.depth;
  }
  std::uintptr_t Row(std::size_t row) const {
    return reinterpret_cast<std::uintptr_t>(context.inputs[kFilter].data) + row * data.depth;
  }
  void Finish(std::size_t row, std::int32_t sum) const {
    const bool has_bias = reference::HasInput(context, kBias);
    const std::int32_t bias = has_bias ? ElementReader<std::int32_t>(context.inputs[kBias])[row] : 0;
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

// All rows of [begin, output count), in groups of 64 and a last, smaller one.
template <typename Loader>
void RunGroups(const Product& product, std::size_t begin) {
  const std::size_t end = product.data.output_count;
  for (std::size_t group = begin; group < end; group += kGroupRows) {
    const std::size_t group_end = std::min(group + kGroupRows, end);
    for (std::size_t first = group; first < std::min(group + kRowStep, group_end); ++first) {
      RunRows<Loader>(product, first, (group_end - first + kRowStep - 1) / kRowStep);
    }
  }
}

void RunExactly(const Product& product, std::size_t begin, std::size_t end) {
  const std::int8_t* vector = product.context.inputs[kInput].as<std::int8_t>() + product.batch * product.data.depth;
  const auto* filter = product.context.inputs[kFilter].as<std::int8_t>();
  for (std::size_t row = begin; row < end; ++row) {
    const std::int8_t* weights = filter + row * product.data.depth;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < product.data.depth; ++i)
      sum += weights[i] * (vector[i] - product.data.input_zero_point);
    product.Finish(row, sum);
  }
}

bool IsAligned(std::uintptr_t address) { return address % kBlockBytes == 0; }

// The library's own condition for the stepped-back path.
bool TakesSteppedBackPath(const Product& product) {
  const InvokeContext& context = product.context;
  const std::size_t depth = product.data.depth;
  const bool all_aligned =
      IsAligned(product.Row(0)) && IsAligned(depth) && IsAligned(product.Vector()) &&
      (!reference::HasInput(context, kBias) ||
       IsAligned(reinterpret_cast<std::uintptr_t>(context.inputs[kBias].data))) &&
      IsAligned(reinterpret_cast<std::uintptr_t>(context.outputs[0].data) + product.batch * product.data.output_count);
  return !all_aligned && depth != 64;
}

template <typename Run>
Status ForEachBatch(const InvokeContext& context, Run run) {
  const auto& data = *static_cast<const FullyConnectedData*>(context.op_data);
  for (std::size_t batch = 0; batch < data.batch_count; ++batch) run(Product{context, data, batch});
  return Ok();
}

}  // namespace

bool ServesInt8(std::span<const Operand> inputs, std::span<const Operand> outputs) {
  if (inputs.size() < 2 || outputs.size() != 1) return false;
  return inputs[kInput].present && inputs[kFilter].present && inputs[kInput].type == TensorType::kInt8 &&
         inputs[kFilter].type == TensorType::kInt8 && outputs[0].type == TensorType::kInt8;
}

Status InvokeSound(const InvokeContext& context) {
  return ForEachBatch(context, [](const Product& product) { RunGroups<ClampedLoader>(product, 0); });
}

Status InvokeFaulty(const InvokeContext& context) {
  return ForEachBatch(context, [](const Product& product) { RunGroups<WholeBlockLoader>(product, 0); });
}

Status InvokeFaultyDispatch(const InvokeContext& context) {
  return ForEachBatch(context, [](const Product& product) {
    const std::size_t rows = product.data.output_count;
    const std::size_t grouped = TakesSteppedBackPath(product) ? rows - rows % kGroupRows : 0;
    for (std::size_t group = 0; group < grouped; group += kGroupRows) {
      for (std::size_t first = group; first < group + kRowStep; ++first) {
        RunRows<WholeBlockLoader>(product, first, kRowsPerCall);
      }
    }
    RunExactly(product, grouped, rows);
  });
}

}  // namespace arenaproof::aligned

#include "engine/oracles/operators/definitions/indexed_definitions.h"

#include <algorithm>
#include <cmath>

#include "engine/oracles/operators/fixed_point_definition.h"

namespace arenaproof::props {
namespace {

std::size_t CountOf(const std::vector<std::int32_t>& shape, std::size_t first, std::size_t end) {
  std::size_t count = 1;
  for (std::size_t axis = first; axis < end; ++axis) count *= static_cast<std::size_t>(shape[axis]);
  return count;
}

std::size_t IndexAt(const CaseTensor& indices, std::size_t i) {
  return static_cast<std::size_t>(IntegerAt(indices, i));
}

// Elements of int8 get 19 fraction bits. The zero point comes off once more before the first of them, as in the
// reference. What leaves 32 bits saturates.
double Int8Sum(const OperatorCase& k, double sum, const Ratio& ratio) {
  const double fine = std::ldexp(sum - k.inputs[0].zero_point, 19);
  const auto within = static_cast<std::int64_t>(std::clamp(fine, -2147483648.0, 2147483647.0));
  return std::clamp(static_cast<double>(Rescaled(within, ratio) + k.output.zero_point), -128.0, 127.0);
}

}  // namespace

std::vector<Expected> CumsumOutputs(const OperatorCase& k) {
  const auto& options = std::get<CumsumOptions>(k.options);
  const auto& shape = k.inputs[0].shape;
  const auto rank = static_cast<std::int32_t>(shape.size());
  const auto axis = static_cast<std::size_t>((IntegerAt(k.inputs[1], 0) + rank) % rank);
  const std::size_t length = CountOf(shape, axis, axis + 1), stride = CountOf(shape, axis + 1, shape.size());
  const bool floats = k.output.type == TensorType::kFloat32;
  const Ratio ratio =
      floats ? Ratio{} : RatioOf(2 * double{k.inputs[0].scales[0]} / std::ldexp(double{k.output.scales[0]}, 20));
  const Values input = CenteredValues(k.inputs[0]);
  Values result(input.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (i / stride % length != 0) continue;
    double sum = 0;
    for (std::size_t n = 0; n < length; ++n) {
      const std::size_t at = i + (options.reverse ? length - 1 - n : n) * stride;
      const double with = floats ? double{static_cast<float>(sum) + static_cast<float>(input[at])} : sum + input[at];
      const double written = options.exclusive ? sum : with;
      result[at] = floats ? written : Int8Sum(k, written, ratio);
      sum = with;
    }
  }
  return {Exactly(std::move(result))};
}

// output[b, o, i, s] = data[b, o, indices[b, i], s]: b stands for the batch dimensions, o for those up to the axis, s
// for those behind it.
std::vector<Expected> GatherOutputs(const OperatorCase& k) {
  const auto& options = std::get<GatherOptions>(k.options);
  const auto &data = k.inputs[0].shape, &indices = k.inputs[1].shape;
  const auto axis = static_cast<std::size_t>(options.axis + (options.axis < 0 ? static_cast<int>(data.size()) : 0));
  const auto batch_dims =
      static_cast<std::size_t>(options.batch_dims + (options.batch_dims < 0 ? static_cast<int>(indices.size()) : 0));
  const std::size_t outer = CountOf(data, batch_dims, axis), extent = CountOf(data, axis, axis + 1);
  const std::size_t slice = CountOf(data, axis + 1, data.size());
  const std::size_t places = CountOf(indices, batch_dims, indices.size());
  const Values stored = StoredValues(k.inputs[0]);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t s = i % slice, place = i / slice % places, o = i / slice / places % outer;
    const std::size_t b = i / slice / places / outer;
    result[i] = stored[((b * outer + o) * extent + IndexAt(k.inputs[1], b * places + place)) * slice + s];
  }
  return {Exactly(std::move(result))};
}

std::vector<Expected> GatherNdOutputs(const OperatorCase& k) {
  const auto& data = k.inputs[0].shape;
  const auto fixed = static_cast<std::size_t>(k.inputs[1].shape.back());
  const std::size_t slice = CountOf(data, fixed, data.size());
  const Values stored = StoredValues(k.inputs[0]);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < fixed; ++axis) {
      at = at * static_cast<std::size_t>(data[axis]) + IndexAt(k.inputs[1], i / slice * fixed + axis);
    }
    result[i] = stored[at * slice + i % slice];
  }
  return {Exactly(std::move(result))};
}

// int8 values that become floats are scaled in float.
std::vector<Expected> EmbeddingLookupOutputs(const OperatorCase& k) {
  const CaseTensor& value = k.inputs[1];
  const std::size_t slice = CountOf(value.shape, 1, value.shape.size());
  const bool scales = k.output.type != value.type;
  const Values stored = StoredValues(value);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = stored[IndexAt(k.inputs[0], i / slice) * slice + i % slice];
    if (scales) result[i] = double{static_cast<float>(result[i]) * value.scales[0]};
  }
  return {Exactly(std::move(result))};
}

std::vector<std::size_t> DimsCopyBytes(const OperatorCase& k) { return {4 * (1 + k.output.shape.size())}; }

}  // namespace arenaproof::props

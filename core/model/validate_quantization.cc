#include <algorithm>
#include <bit>
#include <cmath>

#include "core/model/validation_rules.h"

namespace arenaproof {
namespace {

struct Range {
  std::int64_t least;
  std::int64_t most;
};

// Kernels keep zero points in 32 bits, whatever the type.
Range ZeroPointRange(TensorType type) {
  switch (type) {
    case TensorType::kInt2:
      return {-2, 1};
    case TensorType::kInt4:
      return {-8, 7};
    case TensorType::kUInt4:
      return {0, 15};
    case TensorType::kInt8:
      return {INT8_MIN, INT8_MAX};
    case TensorType::kUInt8:
      return {0, UINT8_MAX};
    case TensorType::kInt16:
      return {INT16_MIN, INT16_MAX};
    case TensorType::kUInt16:
      return {0, UINT16_MAX};
    case TensorType::kUInt32:
    case TensorType::kUInt64:
      return {0, INT32_MAX};
    default:
      return {INT32_MIN, INT32_MAX};
  }
}

Status CheckScaleCount(const TensorView& tensor, std::size_t subgraph, std::size_t index) {
  const std::size_t scale_count = tensor.quantization.scales.size();
  if (scale_count <= 1) return Ok();
  const std::size_t rank = tensor.shape.size();
  // A list has only one dimension to choose, and files in use name another.
  std::size_t axis = 0;
  if (rank != 1) {
    const std::int32_t dimension = tensor.quantization.dimension;
    if (dimension < 0 || static_cast<std::size_t>(dimension) >= rank) {
      return Failure(StatusCode::kModelQuantizedDimension, subgraph, index, dimension, rank);
    }
    axis = static_cast<std::size_t>(dimension);
  }
  const auto expected = static_cast<std::size_t>(tensor.shape[axis]);
  if (scale_count != expected) {
    return Failure(StatusCode::kModelScaleCount, subgraph, index, scale_count, expected);
  }
  return Ok();
}

}  // namespace

Status CheckQuantization(const TensorView& tensor, std::size_t subgraph, std::size_t index) {
  const QuantizationView& quantization = tensor.quantization;
  const std::size_t scale_count = quantization.scales.size();
  const std::size_t zero_point_count = quantization.zero_point_count;
  if (zero_point_count != scale_count && zero_point_count != 1) {
    return Failure(StatusCode::kModelQuantizationLists, subgraph, index, zero_point_count, scale_count);
  }
  for (std::size_t i = 0; i < scale_count; ++i) {
    const float scale = quantization.scales[i];
    if (!std::isfinite(scale) || scale <= 0.0f) {
      return Failure(StatusCode::kModelScale, subgraph, index, i, std::bit_cast<std::uint64_t>(double{scale}));
    }
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckScaleCount(tensor, subgraph, index));
  const Range range = ZeroPointRange(tensor.type);
  for (std::size_t i = 0; i < zero_point_count; ++i) {
    const std::int64_t zero_point = quantization.zero_point(i);
    const std::int64_t nearest = std::clamp(zero_point, range.least, range.most);
    if (zero_point != nearest) {
      return Failure(StatusCode::kModelZeroPoint, subgraph, index, zero_point, nearest);
    }
  }
  return Ok();
}

}  // namespace arenaproof

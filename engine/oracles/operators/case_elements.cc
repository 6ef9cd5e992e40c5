#include "engine/oracles/operators/case_elements.h"

#include <algorithm>
#include <cstring>

namespace arenaproof::props {
namespace {

template <typename Element>
double Load(const std::byte* bytes, std::size_t index) {
  Element element;
  std::memcpy(&element, bytes + index * sizeof(Element), sizeof(Element));
  return static_cast<double>(element);
}

// Of an element without a number of its own.
double NumberOf(const std::byte* bytes, std::size_t count) {
  std::uint64_t mixed = 0;
  for (std::size_t i = 0; i < count; ++i) mixed = (mixed ^ static_cast<std::uint64_t>(bytes[i])) * 0x9E3779B97F4A7C15u;
  return static_cast<double>(mixed >> 11);  // exact
}

// The first of two in a byte lies in its low half.
double LoadInt4(const std::byte* bytes, std::size_t index) {
  const double half =
      index % 2 == 0 ? static_cast<int>(bytes[index / 2]) % 16 : static_cast<int>(bytes[index / 2]) / 16;
  return half < 8 ? half : half - 16;
}

template <typename Position>
std::size_t IndexAt(const std::vector<std::int32_t>& shape, const Position& position) {
  std::size_t index = 0, axis = 0;
  for (const std::int32_t place : position) {
    index = index * static_cast<std::size_t>(shape[axis++]) + static_cast<std::size_t>(place);
  }
  return index;
}

// The scale of the element that has this index: one scale, or one for each step along the quantised dimension.
double ScaleOfElement(const CaseTensor& tensor, std::size_t index) {
  if (tensor.scales.empty()) return 1.0;
  if (tensor.scales.size() == 1) return double{tensor.scales[0]};
  std::size_t inner = 1;
  for (std::size_t axis = static_cast<std::size_t>(tensor.dimension) + 1; axis < tensor.shape.size(); ++axis) {
    inner *= static_cast<std::size_t>(tensor.shape[axis]);
  }
  return double{tensor.scales[index / inner % tensor.scales.size()]};
}

}  // namespace

double ElementOf(TensorType type, const std::byte* bytes, std::size_t index) {
  switch (type) {
    case TensorType::kInt4:
    case TensorType::kInt8:
      return Load<std::int8_t>(bytes, index);
    case TensorType::kInt16:
      return Load<std::int16_t>(bytes, index);
    case TensorType::kInt32:
      return Load<std::int32_t>(bytes, index);
    case TensorType::kInt64:
      return Load<std::int64_t>(bytes, index);
    case TensorType::kFloat32:
      return Load<float>(bytes, index);
    case TensorType::kUInt32:
      return Load<std::uint32_t>(bytes, index);
    case TensorType::kUInt8:
    case TensorType::kBool:
      return Load<std::uint8_t>(bytes, index);
    default:
      return NumberOf(bytes + index * ElementBytes(type), ElementBytes(type));
  }
}

std::int32_t IntegerAt(const CaseTensor& tensor, std::size_t index) {
  return static_cast<std::int32_t>(ElementOf(TensorType::kInt32, tensor.bytes.data(), index));
}

Values StoredValues(const CaseTensor& tensor) {
  Values values(tensor.count());
  const bool packed = tensor.type == TensorType::kInt4 && tensor.constant;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = packed ? LoadInt4(tensor.bytes.data(), i) : ElementOf(tensor.type, tensor.bytes.data(), i);
  }
  return values;
}

Values CenteredValues(const CaseTensor& tensor) {
  Values values = StoredValues(tensor);
  for (double& value : values) value -= tensor.zero_point;
  return values;
}

Values RealValues(const CaseTensor& tensor) {
  Values values = CenteredValues(tensor);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = tensor.type == TensorType::kBool ? (values[i] != 0 ? 1.0 : 0.0) : values[i] * ScaleOfElement(tensor, i);
  }
  return values;
}

double LeastOf(TensorType type) {
  switch (type) {
    case TensorType::kInt4:
      return -8;
    case TensorType::kInt8:
      return -128;
    case TensorType::kInt16:
      return -32768;
    case TensorType::kInt32:
      return -2147483648.0;
    case TensorType::kInt64:
      return -9223372036854775808.0;
    default:
      return 0;
  }
}

double MostOf(TensorType type) {
  switch (type) {
    case TensorType::kInt4:
      return 7;
    case TensorType::kInt8:
      return 127;
    case TensorType::kUInt8:
      return 255;
    case TensorType::kInt16:
      return 32767;
    case TensorType::kInt32:
      return 2147483647.0;
    case TensorType::kUInt32:
      return 4294967295.0;
    case TensorType::kInt64:
      return 9223372036854775807.0;
    default:
      return 1;
  }
}

double WithinType(TensorType type, double value) { return std::clamp(value, LeastOf(type), MostOf(type)); }

std::size_t At(const std::vector<std::int32_t>& shape, const std::vector<std::int32_t>& position) {
  return IndexAt(shape, position);
}

std::size_t At(const std::vector<std::int32_t>& shape, std::initializer_list<std::int32_t> position) {
  return IndexAt(shape, position);
}

std::vector<std::int32_t> PositionOf(const std::vector<std::int32_t>& shape, std::size_t index) {
  std::vector<std::int32_t> position(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    position[axis] = static_cast<std::int32_t>(index % static_cast<std::size_t>(shape[axis]));
    index /= static_cast<std::size_t>(shape[axis]);
  }
  return position;
}

}  // namespace arenaproof::props

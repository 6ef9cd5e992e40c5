// Elements and positions of a case's tensors, as doubles: every value that cases draw is exact in one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "engine/cases/operator_case.h"

namespace arenaproof::props {

using Values = std::vector<double>;

// The element as it is stored, of float32, int4 (a byte each), int8, uint8, int16, int32, uint32, int64 and bool. Of
// other types a number that tells elements of other bytes apart.
double ElementOf(TensorType type, const std::byte* bytes, std::size_t index);
std::int32_t IntegerAt(const CaseTensor& tensor, std::size_t index);

Values StoredValues(const CaseTensor& tensor);
// Less the zero point.
Values CenteredValues(const CaseTensor& tensor);
// What they stand for: centered, times the scale. A bool is 0 or 1.
Values RealValues(const CaseTensor& tensor);

// The least and the most that the integer type holds.
double LeastOf(TensorType type);
double MostOf(TensorType type);
double WithinType(TensorType type, double value);

// Index of the element at `position`, row-major, and back.
std::size_t At(const std::vector<std::int32_t>& shape, const std::vector<std::int32_t>& position);
std::size_t At(const std::vector<std::int32_t>& shape, std::initializer_list<std::int32_t> position);
std::vector<std::int32_t> PositionOf(const std::vector<std::int32_t>& shape, std::size_t index);

}  // namespace arenaproof::props

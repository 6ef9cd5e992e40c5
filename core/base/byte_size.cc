#include "core/base/byte_size.h"

#include "core/base/alignment.h"
#include "core/base/checked_word.h"

namespace arenaproof {

Status ElementCount(std::span<const std::int32_t> shape, std::size_t* count) {
  bool has_zero = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) return Failure(StatusCode::kSizeOverflow, i, static_cast<std::int64_t>(shape[i]));
    has_zero = has_zero || shape[i] == 0;
  }
  if (has_zero) {
    *count = 0;
    return Ok();
  }
  constexpr std::uint64_t kLargest = INT32_MAX;
  std::uint64_t product = 1;  // both factors stay below 2^31
  for (const std::int32_t dimension : shape) {
    const auto factor = static_cast<std::uint64_t>(dimension);
    if (product * factor > kLargest) return Failure(StatusCode::kSizeOverflow, product, factor);
    product *= factor;
  }
  *count = static_cast<std::size_t>(product);
  return Ok();
}

Status ArrayBytes(std::size_t count, std::size_t element_bytes, std::size_t* bytes) {
  const Checked<std::size_t> product = CheckedMultiply(count, element_bytes);
  if (!product.ok) return Failure(StatusCode::kSizeOverflow, count, element_bytes);
  *bytes = product.value;
  return Ok();
}

Status RoundUp(std::size_t bytes, std::size_t alignment, std::size_t* rounded) {
  const Checked<std::size_t> up = AlignUp(bytes, alignment);
  if (!up.ok) return Failure(StatusCode::kSizeOverflow, bytes, alignment);
  *rounded = up.value;
  return Ok();
}

Status RoundUp16(std::size_t bytes, std::size_t* rounded) { return RoundUp(bytes, kTensorAlignment, rounded); }

}  // namespace arenaproof

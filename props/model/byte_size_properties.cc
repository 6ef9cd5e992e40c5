// Sizes are exact or refused (I5): each function of core/base/byte_size.h against arithmetic that cannot wrap.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/byte_size.h"

namespace arenaproof::testing {
namespace {

using Exact = unsigned __int128;

// Small, around powers of two, around the largest.
rc::Gen<std::size_t> AnySize() {
  return rc::gen::oneOf(
      rc::gen::inRange<std::size_t>(0, 40), rc::gen::arbitrary<std::size_t>(),
      rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 64), rc::gen::inRange(-2, 3)),
                   [](const std::tuple<int, int>& parts) {
                     return (std::size_t{1} << std::get<0>(parts)) + static_cast<std::size_t>(std::get<1>(parts));
                   }),
      rc::gen::map(rc::gen::inRange<std::size_t>(0, 40), [](std::size_t below) { return SIZE_MAX - below; }));
}

rc::Gen<std::int32_t> AnyDimension() {
  return rc::gen::oneOf(rc::gen::inRange<std::int32_t>(-1, 9), rc::gen::arbitrary<std::int32_t>(),
                        rc::gen::element<std::int32_t>(0, 1, 255, 256, 32768, 46341, 65535, 65536, 1 << 30, INT32_MAX));
}

// Without a negative one, which decides alone, so that zeros stand before, among and behind what overflows.
rc::Gen<std::int32_t> AnyDimensionFromZero() {
  return rc::gen::oneOf(rc::gen::inRange<std::int32_t>(0, 4),
                        rc::gen::element<std::int32_t>(255, 65536, 1 << 30, INT32_MAX));
}

rc::Gen<std::vector<std::int32_t>> AnyShape() {
  return rc::gen::oneOf(rc::gen::scale(0.1, rc::gen::container<std::vector<std::int32_t>>(AnyDimension())),
                        rc::gen::scale(0.1, rc::gen::container<std::vector<std::int32_t>>(AnyDimensionFromZero())));
}

RC_GTEST_PROP(ByteSize, ElementCountIsTheExactProductOrRefused, ()) {
  const auto shape = *AnyShape();
  bool negative = false;
  bool empty = false;
  Exact product = 1;
  for (const std::int32_t dimension : shape) {
    negative |= dimension < 0;
    empty |= dimension == 0;
    if (dimension > 0 && product <= INT32_MAX) product *= static_cast<std::uint32_t>(dimension);
  }
  std::size_t count = 0;
  const bool found = ElementCount(shape, &count).ok();
  if (negative) {
    RC_ASSERT_FALSE(found);
  } else if (empty) {
    RC_ASSERT(found);
    RC_ASSERT(count == 0u);
  } else {
    RC_ASSERT(found == (product <= INT32_MAX));
    if (found) RC_ASSERT(Exact{count} == product);
  }
}

RC_GTEST_PROP(ByteSize, ArrayBytesAreTheExactProductOrRefused, ()) {
  const auto count = *AnySize();
  const auto element_bytes = *AnySize();
  const Exact product = Exact{count} * element_bytes;
  std::size_t bytes = 0;
  const bool found = ArrayBytes(count, element_bytes, &bytes).ok();
  RC_ASSERT(found == (product <= SIZE_MAX));
  if (found) RC_ASSERT(Exact{bytes} == product);
}

RC_GTEST_PROP(ByteSize, RoundingUpIsExactOrRefused, ()) {
  const auto bytes = *AnySize();
  const auto alignment = *AnySize();
  const Exact rounded = alignment == 0 ? 0 : (Exact{bytes} + alignment - 1) / alignment * alignment;
  std::size_t result = 0;
  const bool found = RoundUp(bytes, alignment, &result).ok();
  RC_ASSERT(found == (alignment != 0 && rounded <= SIZE_MAX));
  if (found) RC_ASSERT(Exact{result} == rounded);
  const Exact sixteen = (Exact{bytes} + 15) / 16 * 16;
  RC_ASSERT(RoundUp16(bytes, &result).ok() == (sixteen <= SIZE_MAX));
  if (sixteen <= SIZE_MAX) RC_ASSERT(Exact{result} == sixteen);
}

}  // namespace
}  // namespace arenaproof::testing

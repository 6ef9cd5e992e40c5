#include "core/planner/live_mask.h"

namespace arenaproof {
namespace {

constexpr std::size_t kWide = 32;

// A plain array: with std::array gcc makes no wide instructions of the loop below.
constexpr std::uint32_t kBits[kWide] = {1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
                                        1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
                                        1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
                                        1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

// A loop of a fixed count, without a branch, that compilers turn into a handful of wide instructions.
inline std::uint32_t WideMask(const std::int32_t* firsts, const std::int32_t* lasts, std::int32_t first,
                              std::int32_t last) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < kWide; ++i) mask |= LiveTogether(firsts[i], lasts[i], first, last) ? kBits[i] : 0;
  return mask;
}

}  // namespace

std::uint64_t LiveMask(const std::int32_t* firsts, const std::int32_t* lasts, std::size_t count, std::size_t readable,
                       std::int32_t first, std::int32_t last) {
  static_assert(kLiveMaskBits == 2 * kWide);
  count = count < kLiveMaskBits ? count : kLiveMaskBits;
  std::uint64_t mask = 0;
  std::size_t known = 0;
  if (readable >= kWide) {
    mask = WideMask(firsts, lasts, first, last);
    known = kWide;
  }
  if (readable >= 2 * kWide && count > kWide) {
    mask |= std::uint64_t{WideMask(firsts + kWide, lasts + kWide, first, last)} << kWide;
    known = 2 * kWide;
  }
  for (std::size_t i = known; i < count; ++i) {
    mask |= std::uint64_t{LiveTogether(firsts[i], lasts[i], first, last)} << i;
  }
  return count < kLiveMaskBits ? mask & ((std::uint64_t{1} << count) - 1) : mask;
}

}  // namespace arenaproof

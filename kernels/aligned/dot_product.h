// The access pattern of a vector unit's dot product of four matrix rows with one vector, for rows that are not
// 16-aligned. The four rows have one remainder a = address mod 16. Rows and vector
// are both stepped back by a, so that the rows become aligned; then whole blocks of 16 are read. Lanes of the vector
// outside [a, a + columns) are replaced by -zero_bias, so that they add nothing: the sums are right whatever was read
// there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/aligned/block16.h"

namespace arenaproof::aligned {

inline constexpr std::size_t kRowsPerCall = 4;

inline std::int32_t SumOfLanes(const Words16& words) {
  std::uint32_t sum = 0;
  for (std::size_t lane = 0; lane < kBlockBytes; ++lane) sum += static_cast<std::uint32_t>(words[lane]);
  return static_cast<std::int32_t>(sum);
}

// sums[i] = sum over columns of rows[i][c] * (vector[c] + zero_bias), for 1 to 4 rows of equal address mod 16.
template <typename Loader>
void DotProduct(const std::array<std::uintptr_t, kRowsPerCall>& rows, std::size_t row_count, std::uintptr_t vector,
                std::size_t columns, std::int32_t zero_bias, std::array<std::int32_t, kRowsPerCall>& sums) {
  const std::size_t back = rows[0] % kBlockBytes;
  const std::size_t span = back + columns;
  const auto masked = static_cast<std::int8_t>(-zero_bias);  // a zero point of int8
  std::array<Words16, kRowsPerCall> totals{};
  for (std::size_t offset = 0; offset < span; offset += kBlockBytes) {
    const std::size_t first = offset == 0 ? back : 0;
    const std::size_t end = std::min(kBlockBytes, span - offset);
    Bytes16 lanes = LoadVector<Loader>(vector - back + offset, first, end);
    for (std::size_t lane = 0; lane < kBlockBytes; ++lane) {
      if (lane < first || lane >= end) lanes[lane] = masked;
    }
    const Words16 factors = __builtin_convertvector(lanes, Words16) + zero_bias;
    for (std::size_t row = 0; row < row_count; ++row) {
      const Bytes16 weights = Loader::Load(rows[row] - back + offset, first, end);
      totals[row] += __builtin_convertvector(weights, Words16) * factors;
    }
  }
  for (std::size_t row = 0; row < row_count; ++row) sums[row] = SumOfLanes(totals[row]);
}

}  // namespace arenaproof::aligned

// Extents, counts and sizes that reach far: every power of two up to 2^17 and the numbers on both sides of it, each as
// likely as the others. What is counted in a byte, held in a table of so many entries, or done in another way when it
// is much, goes wrong at one of them, and random small numbers never get there. Whoever draws one extent so leaves the
// others at 1 or 2: then far costs little more than near.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <span>

#include "engine/generators/random_source.h"

namespace arenaproof {

inline constexpr std::size_t kReachPowerCount = 18;  // 2^0 to 2^17

namespace reach_internal {

constexpr std::size_t kNumberCount = 3 * kReachPowerCount - 4;  // 0 is none; 1, 2 and 3 lie beside two powers each

constexpr std::array<std::size_t, kNumberCount> Numbers() {
  std::array<std::size_t, kNumberCount> numbers{};
  std::size_t count = 0;
  for (std::size_t power = 0; power < kReachPowerCount; ++power) {
    const std::size_t two_to = std::size_t{1} << power;
    for (const std::size_t number : {two_to - 1, two_to, two_to + 1}) {
      if (number > 0 && (count == 0 || number > numbers[count - 1])) numbers[count++] = number;
    }
  }
  return numbers;
}

}  // namespace reach_internal

// Ascending: 1, 2, 3, 4, 5, 7, 8, 9, 15 and so on.
inline constexpr auto kReachNumbers = reach_internal::Numbers();
inline constexpr std::size_t kFarthest = kReachNumbers.back();

// Those that are not above `most`, which is at least 1.
constexpr std::span<const std::size_t> ReachNumbersUpTo(std::size_t most) {
  std::size_t count = 0;
  while (count < kReachNumbers.size() && kReachNumbers[count] <= most) ++count;
  return std::span(kReachNumbers).first(count);
}

// A source that shrinks, shrinks it to 1. Takes one byte of a fuzzer's input.
inline std::size_t DrawReach(RandomSource& source, std::size_t most = kFarthest) {
  const std::span<const std::size_t> numbers = ReachNumbersUpTo(most);
  return source.Of(numbers);
}

// The power of two at or below a number that is not 0; the last one for larger numbers.
constexpr std::size_t ReachPowerOf(std::size_t number) {
  const std::size_t power = static_cast<std::size_t>(std::bit_width(number)) - 1;
  return power < kReachPowerCount ? power : kReachPowerCount - 1;
}

}  // namespace arenaproof

// Numbers put in the order of their keys: radix sort from the lowest digit up, which compares nothing, so that no
// branch depends on the keys. Digits that all keys share take no pass.
//
// Memory of the caller for as many numbers again; 512 bytes of stack.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace arenaproof {

// By rising key_of(number), an unsigned integer; numbers of equal keys keep their order. `spare` has room for `count`.
template <typename KeyOf>
void SortByKey(std::uint32_t* numbers, std::size_t count, std::uint32_t* spare, const KeyOf& key_of) {
  static_assert(std::unsigned_integral<decltype(key_of(0u))>);
  constexpr unsigned kDigitBits = 7;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  if (count < 2) return;
  const auto any_key = key_of(numbers[0]);
  auto differing = any_key ^ any_key;
  for (std::size_t i = 1; i < count; ++i) differing |= any_key ^ key_of(numbers[i]);
  std::uint32_t* from = numbers;
  std::uint32_t* to = spare;
  while (differing != 0) {
    const int shift = std::countr_zero(differing);
    const auto digit_of = [&](std::uint32_t number) {
      return static_cast<std::size_t>(key_of(number) >> shift) % kDigits;
    };
    std::array<std::uint32_t, kDigits> places{};
    for (std::size_t i = 0; i < count; ++i) ++places[digit_of(from[i])];
    std::uint32_t place = 0;
    for (std::uint32_t& digit : places) {
      const std::uint32_t digit_count = digit;
      digit = place;
      place += digit_count;
    }
    for (std::size_t i = 0; i < count; ++i) to[places[digit_of(from[i])]++] = from[i];
    std::swap(from, to);
    differing = (differing >> shift >> (kDigitBits - 1) >> 1) << shift << (kDigitBits - 1) << 1;
  }
  if (from != numbers) std::copy(from, from + count, numbers);
}

}  // namespace arenaproof

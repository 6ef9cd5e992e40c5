// Checked address arithmetic, written once for every kind of word; word.h has the kinds, and the rules that keep
// templates fit for the symbolic one.
//
// Nothing here wraps: every sum is preceded by a comparison that bounds it.
#pragma once

#include "core/base/word.h"

namespace arenaproof {

// A value that exists only if `ok`.
template <typename Word>
struct Checked {
  bool ok = false;
  Word value{};
};

// address mod alignment. Precondition: alignment > 0. The one primitive of rounding; everything below relies only on
// its contract r < alignment, r <= address, (address - r) is a multiple of alignment (props/proof proves both halves).
template <typename Word>
constexpr Word Remainder(const Word& address, const Word& alignment) {
  const Word mask = alignment - Word(1);
  if ((alignment & mask) == Word(0)) return address & mask;
  return address % alignment;
}

// How far the next multiple of `alignment` (> 0) is, in [0, alignment).
template <typename Word>
constexpr Word DistanceToMultiple(const Word& address, const Word& alignment) {
  const Word remainder = Remainder(address, alignment);
  return Select(remainder == Word(0), Word(0), alignment - remainder);
}

// Largest multiple of `alignment` (> 0) that is not above `address`; always exists.
template <typename Word>
constexpr Word AlignDown(const Word& address, const Word& alignment) {
  return address - Remainder(address, alignment);
}

// Smallest multiple of `alignment` that is not below `address`; absent if alignment is 0 or no word can hold it.
template <typename Word>
constexpr Checked<Word> AlignUp(const Word& address, const Word& alignment) {
  if (alignment == Word(0)) return {};
  const Word distance = DistanceToMultiple(address, alignment);
  if (distance > Largest<Word>() - address) return {};
  return {true, address + distance};
}

template <typename Word>
constexpr Checked<Word> CheckedAdd(const Word& a, const Word& b) {
  if (b > Largest<Word>() - a) return {};
  return {true, a + b};
}

template <typename Word>
constexpr Checked<Word> CheckedMultiply(const Word& a, const Word& b) {
  if (a == Word(0)) return {true, Word(0)};
  if (b > Largest<Word>() / a) return {};
  return {true, a * b};
}

// The start of the lowest aligned block of `size` bytes in [low, high); absent if none fits or alignment is 0.
// Precondition: low <= high.
template <typename Word>
constexpr Checked<Word> LowestBlock(const Word& low, const Word& high, const Word& size, const Word& alignment) {
  if (alignment == Word(0)) return {};
  const Word distance = DistanceToMultiple(low, alignment);
  const Word room = high - low;
  if (distance > room) return {};
  if (size > room - distance) return {};
  return {true, low + distance};
}

// The start of the highest aligned block of `size` bytes in [low, high); absent if none fits or alignment is 0.
// Precondition: low <= high.
template <typename Word>
constexpr Checked<Word> HighestBlock(const Word& low, const Word& high, const Word& size, const Word& alignment) {
  if (alignment == Word(0)) return {};
  if (size > high - low) return {};
  const Word unaligned = high - size;
  const Word remainder = Remainder(unaligned, alignment);
  if (remainder > unaligned - low) return {};
  return {true, unaligned - remainder};
}

// Whether an aligned block of `size` bytes fits into [low, high). Precondition: low <= high.
template <typename Word>
constexpr bool Fits(const Word& low, const Word& high, const Word& size, const Word& alignment) {
  return LowestBlock(low, high, size, alignment).ok;
}

}  // namespace arenaproof

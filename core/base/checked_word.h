// Checked address arithmetic, written once for every kind of word.
//
// `Word` is std::uintptr_t or std::size_t in production, std::uint32_t for a 32-bit target's arithmetic, and a symbolic
// word in props/proof, where every comparison yields a symbolic condition. Two rules keep the templates fit for that:
// conditions are merged with And, Or, Not (`&&` and `||` would split the symbolic run into more paths), and a value is
// chosen with Select. No 16-bit words: the language would promote them to int and change the arithmetic.
//
// Nothing here wraps: every sum is preceded by a comparison that bounds it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace arenaproof {

template <typename Word>
concept ConcreteWord = std::unsigned_integral<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8);

// A value that exists only if `ok`.
template <typename Word>
struct Checked {
  bool ok = false;
  Word value{};
};

constexpr bool And(bool a, bool b) { return a && b; }
constexpr bool Or(bool a, bool b) { return a || b; }
constexpr bool Not(bool a) { return !a; }
constexpr bool Implies(bool a, bool b) { return !a || b; }
constexpr bool Agree(bool a, bool b) { return a == b; }

template <typename Condition, typename... Rest>
constexpr Condition And(const Condition& a, const Condition& b, const Condition& c, const Rest&... rest) {
  return And(And(a, b), c, rest...);
}

template <typename Condition, typename... Rest>
constexpr Condition Or(const Condition& a, const Condition& b, const Condition& c, const Rest&... rest) {
  return Or(Or(a, b), c, rest...);
}

template <typename Value>
constexpr Value Select(bool condition, const Value& if_true, const Value& if_false) {
  return condition ? if_true : if_false;
}

template <typename Word>
constexpr Word Largest() {
  return ~Word(0);
}

// address mod alignment. Precondition: alignment > 0. The one primitive of rounding; everything below relies only on
// its contract r < alignment, r <= address, (address - r) is a multiple of alignment (props/proof proves both halves).
template <typename Word>
constexpr Word Remainder(const Word& address, const Word& alignment) {
  const Word mask = alignment - Word(1);
  if ((alignment & mask) == Word(0)) return address & mask;
  return address % alignment;
}

// The order-independent sum of addresses: adding one twice takes it out again.
template <typename Word>
constexpr Word Toggle(const Word& checksum, const Word& address) {
  return checksum ^ address;
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

// A symbolic machine word as a bit-vector: slow for sums and comparisons of many words, right for masks and XOR. The
// two primitives whose bits matter, Remainder and Toggle, are proven at this word from their production templates.
#pragma once

#include <z3++.h>

#include <cstdint>

#include "props/proof/explorer.h"
#include "props/proof/integer_word.h"

namespace arenaproof::proof {

struct BitWord {
  z3::expr value;

  BitWord() : BitWord(0) {}
  explicit BitWord(std::uint64_t number)
      : value(Explorer::Current().context().bv_val(number, Explorer::Current().bits())) {}
  explicit BitWord(const z3::expr& expression) : value(expression) {}
};

inline BitWord operator-(const BitWord& a, const BitWord& b) { return BitWord(a.value - b.value); }
inline BitWord operator+(const BitWord& a, const BitWord& b) { return BitWord(a.value + b.value); }
inline BitWord operator&(const BitWord& a, const BitWord& b) { return BitWord(a.value & b.value); }
inline BitWord operator|(const BitWord& a, const BitWord& b) { return BitWord(a.value | b.value); }
inline BitWord operator^(const BitWord& a, const BitWord& b) { return BitWord(a.value ^ b.value); }
inline BitWord operator%(const BitWord& a, const BitWord& b) { return BitWord(z3::urem(a.value, b.value)); }
inline BitWord operator/(const BitWord& a, const BitWord& b) { return BitWord(z3::udiv(a.value, b.value)); }
inline BitWord operator~(const BitWord& a) { return BitWord(~a.value); }
inline Condition operator==(const BitWord& a, const BitWord& b) { return {a.value == b.value}; }
inline Condition operator!=(const BitWord& a, const BitWord& b) { return {a.value != b.value}; }
inline Condition operator<(const BitWord& a, const BitWord& b) { return {z3::ult(a.value, b.value)}; }
inline Condition operator<=(const BitWord& a, const BitWord& b) { return {z3::ule(a.value, b.value)}; }
inline Condition operator>(const BitWord& a, const BitWord& b) { return {z3::ugt(a.value, b.value)}; }
inline Condition operator>=(const BitWord& a, const BitWord& b) { return {z3::uge(a.value, b.value)}; }
inline BitWord Select(const Condition& condition, const BitWord& a, const BitWord& b) {
  return BitWord(z3::ite(condition.formula, a.value, b.value));
}

}  // namespace arenaproof::proof

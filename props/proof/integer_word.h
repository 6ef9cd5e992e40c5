// A symbolic machine word, encoded as an unbounded integer in [0, 2^bits) whose sums and differences wrap explicitly.
// The exact arithmetic of specifications is then simply the integers.
//
// Rounding: Remainder(address, alignment) is drawn as a fresh number with the primitive's contract (props/proof proves
// the contract of the real one on bit-vectors), once for each pair, so that equal questions get equal answers.
// `Multiple(x, a)` is an uninterpreted predicate; what is known of it is stated as instances of three facts: 0 and a
// are multiples of a; x + a is one if x is; two different multiples of a are at least a apart.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/exact.h"
#include "props/proof/explorer.h"

namespace arenaproof::proof {

struct Condition {
  z3::expr formula;
  explicit operator bool() const { return Explorer::Current().Branch(formula); }
};

inline Condition And(const Condition& a, const Condition& b) { return {a.formula && b.formula}; }
inline Condition Or(const Condition& a, const Condition& b) { return {a.formula || b.formula}; }
inline Condition Not(const Condition& a) { return {!a.formula}; }
inline Condition Agree(const Condition& a, const Condition& b) { return {a.formula == b.formula}; }
inline Condition Implies(const Condition& a, const Condition& b) { return {!a.formula || b.formula}; }

// 2^bits as an integer.
z3::expr Modulus();

struct IntegerWord {
  z3::expr value;

  IntegerWord() : IntegerWord(0) {}
  explicit IntegerWord(std::uint64_t number);
  explicit IntegerWord(const z3::expr& expression) : value(expression) {}
};

IntegerWord operator+(const IntegerWord& a, const IntegerWord& b);
IntegerWord operator-(const IntegerWord& a, const IntegerWord& b);
IntegerWord operator*(const IntegerWord& a, const IntegerWord& b);
IntegerWord operator/(const IntegerWord& a, const IntegerWord& b);
IntegerWord operator~(const IntegerWord& a);
inline Condition operator<(const IntegerWord& a, const IntegerWord& b) { return {a.value < b.value}; }
inline Condition operator<=(const IntegerWord& a, const IntegerWord& b) { return {a.value <= b.value}; }
inline Condition operator>(const IntegerWord& a, const IntegerWord& b) { return {a.value > b.value}; }
inline Condition operator>=(const IntegerWord& a, const IntegerWord& b) { return {a.value >= b.value}; }
inline Condition operator==(const IntegerWord& a, const IntegerWord& b) { return {a.value == b.value}; }
inline Condition operator!=(const IntegerWord& a, const IntegerWord& b) { return {a.value != b.value}; }
IntegerWord Select(const Condition& condition, const IntegerWord& a, const IntegerWord& b);
IntegerWord Remainder(const IntegerWord& address, const IntegerWord& alignment);
// Uninterpreted, with Toggle(0, x) == x, Toggle(Toggle(x, y), y) == x, and Toggle(x, y) == x exactly if y == 0.
IntegerWord Toggle(const IntegerWord& checksum, const IntegerWord& address);

// An integer without bounds.
struct ExactInteger {
  z3::expr value;
};

inline ExactInteger operator+(const ExactInteger& a, const ExactInteger& b) { return {a.value + b.value}; }
inline ExactInteger operator-(const ExactInteger& a, const ExactInteger& b) { return {a.value - b.value}; }
inline Condition operator<=(const ExactInteger& a, const ExactInteger& b) { return {a.value <= b.value}; }
inline Condition operator==(const ExactInteger& a, const ExactInteger& b) { return {a.value == b.value}; }
inline Condition operator!=(const ExactInteger& a, const ExactInteger& b) { return {a.value != b.value}; }
inline ExactInteger Select(const Condition& condition, const ExactInteger& a, const ExactInteger& b) {
  return {z3::ite(condition.formula, a.value, b.value)};
}

inline ExactInteger Widen(const IntegerWord& word) { return {word.value}; }
Condition IsMultiple(const IntegerWord& address, const IntegerWord& alignment);
ExactInteger ExactAlignUp(const IntegerWord& address, const IntegerWord& alignment);
ExactInteger ExactAlignDown(const IntegerWord& address, const IntegerWord& alignment);

// ---- of the current path

// An arbitrary word.
IntegerWord Variable(const std::string& name);
// An arbitrary integer known to be a multiple of `alignment`.
z3::expr ArbitraryMultiple(const std::string& name, const z3::expr& alignment);

// What the path has drawn so far; a counterexample needs it to replace `Multiple` by real divisibility.
struct Drawn {
  std::vector<std::pair<std::string, z3::expr>> variables;
  std::vector<std::pair<z3::expr, z3::expr>> multiples;  // (x, a): assumed that x is a multiple of a
  std::vector<std::pair<z3::expr, z3::expr>> claims;     // (x, a): asked whether x is a multiple of a
};
const Drawn& DrawnOnThisPath();
void ForgetDrawn();

}  // namespace arenaproof::proof

template <>
struct arenaproof::ExactOf<arenaproof::proof::IntegerWord> {
  using Type = arenaproof::proof::ExactInteger;
};

// What every kind of word has: conditions, a choice between two values, its largest value.
//
// `Word` is std::uintptr_t or std::size_t in production, std::uint32_t for a 32-bit target's arithmetic, and a symbolic
// word in props/proof, where every comparison yields a symbolic condition. Two rules keep templates fit for that:
// conditions are merged with And, Or, Not (`&&` and `||` would split the symbolic run into more paths), and a value is
// chosen with Select. No 16-bit words: the language would promote them to int and change the arithmetic.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace arenaproof {

template <typename Word>
concept ConcreteWord = std::unsigned_integral<Word> && (sizeof(Word) == 4 || sizeof(Word) == 8);

// bool, or the symbolic condition that belongs to a symbolic word.
template <typename Word>
using ConditionOf = decltype(Word(0) == Word(0));

template <typename Word>
constexpr ConditionOf<Word> Flag(bool value) {
  return value ? Word(0) == Word(0) : Word(0) != Word(0);
}

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

// The order-independent sum of addresses: adding one twice takes it out again.
template <typename Word>
constexpr Word Toggle(const Word& checksum, const Word& address) {
  return checksum ^ address;
}

}  // namespace arenaproof

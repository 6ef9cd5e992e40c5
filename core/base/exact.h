// Arithmetic that cannot wrap, for specifications: what the checked arithmetic of checked_word.h is compared with.
// It is deliberately computed another way (division and multiplication in a type twice as wide).
//
// A symbolic word brings its own overloads of ExactOf, Widen, IsMultiple, ExactAlignUp and ExactAlignDown.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/word.h"

namespace arenaproof {

#ifdef __SIZEOF_INT128__
using WidestUnsigned = unsigned __int128;
#else
using WidestUnsigned = std::uint64_t;
#endif

// Which type holds sums of a few words exactly.
template <typename Word>
struct ExactOf {
  using Type = std::conditional_t<sizeof(Word) == 4, std::uint64_t, WidestUnsigned>;
  static_assert(sizeof(Type) > sizeof(Word), "no type is wide enough to check this word");
};
template <typename Word>
using Exact = typename ExactOf<Word>::Type;

template <ConcreteWord Word>
constexpr Exact<Word> Widen(Word word) {
  return Exact<Word>{word};
}

// Total: an alignment of 0 has no multiples.
template <ConcreteWord Word>
constexpr bool IsMultiple(Word address, Word alignment) {
  return alignment != 0 && address % alignment == 0;
}

// Smallest multiple not below `address`, exact. An alignment of 0 counts as 1, so that specifications stay total.
template <ConcreteWord Word>
constexpr Exact<Word> ExactAlignUp(Word address, Word alignment) {
  const Exact<Word> step = alignment == 0 ? Exact<Word>{1} : Exact<Word>{alignment};
  return (Exact<Word>{address} + step - 1) / step * step;
}

// Largest multiple not above `address`, exact. An alignment of 0 counts as 1.
template <ConcreteWord Word>
constexpr Exact<Word> ExactAlignDown(Word address, Word alignment) {
  const Exact<Word> step = alignment == 0 ? Exact<Word>{1} : Exact<Word>{alignment};
  return Exact<Word>{address} / step * step;
}

}  // namespace arenaproof

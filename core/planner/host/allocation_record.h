// Where one tensor lies in a growing arena, and from which node of the graph to which it is needed.
#pragma once

#include <cstdint>
#include <limits>

namespace arenaproof {

// Nodes are numbered in execution order. A proof brings symbolic numbers for a symbolic word.
template <typename Word>
struct NodeOf {
  using Type = std::int32_t;
};
template <typename Word>
using Node = typename NodeOf<Word>::Type;

// "No node": a tensor that nobody allocates, or that nobody deallocates, so that it lives to the end.
inline constexpr std::int32_t kNoNode = std::numeric_limits<std::int32_t>::max();

// Byte ranges [offset, offset + size) are half-open, intervals [first, last] of nodes closed. A default record is the
// one of a tensor without a place.
template <typename Word>
struct AllocationRecord {
  Word offset{};  // from the arena's aligned start
  Word size{};
  std::int32_t tensor = -1;
  Node<Word> first = Node<Word>(-1);
  Node<Word> last = Node<Word>(-1);

  friend bool operator==(const AllocationRecord&, const AllocationRecord&) = default;
};

}  // namespace arenaproof

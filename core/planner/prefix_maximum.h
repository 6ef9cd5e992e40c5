// `count` values, all 0 at first, of which one can be set and the largest of the first few asked for, each in
// O(log count): a tree of maxima in memory of the caller.
#pragma once

#include <algorithm>
#include <cstddef>

namespace arenaproof {

class PrefixMaximum {
 public:
  // The values themselves are the caller's (`leaf(i)`), the tree holds only what lies above them.
  static constexpr std::size_t WordCount(std::size_t count) { return count > 0 ? count - 1 : 0; }

  PrefixMaximum(std::size_t count, std::size_t* words) : count_(count), nodes_(words) {
    for (std::size_t i = 0; i < WordCount(count); ++i) nodes_[i] = 0;
  }

  // Has to be called after value `i` has changed.
  template <typename Leaf>
  void Update(std::size_t i, const Leaf& leaf) {
    for (std::size_t node = (i + count_) / 2; node >= 1; node /= 2) {
      nodes_[node - 1] = std::max(Value(2 * node, leaf), Value(2 * node + 1, leaf));
    }
  }

  // The largest of the values before `end`; 0 when there are none.
  template <typename Leaf>
  std::size_t Before(std::size_t end, const Leaf& leaf) const {
    std::size_t largest = 0;
    std::size_t left = count_;
    std::size_t right = end + count_;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) largest = std::max(largest, Value(left++, leaf));
      if (right % 2 != 0) largest = std::max(largest, Value(--right, leaf));
    }
    return largest;
  }

  // visit(i) -> bool, whether to go on, for each of the values before `end` that is above `bound`; O(log count) each.
  // Whether it went on to the end.
  template <typename Leaf, typename Visit>
  bool VisitAbove(std::size_t end, std::size_t bound, const Leaf& leaf, const Visit& visit) const {
    std::size_t left = count_;
    std::size_t right = end + count_;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) {
        if (!VisitAboveUnder(left, bound, leaf, visit)) return false;
        ++left;
      }
      if (right % 2 != 0) {
        --right;
        if (!VisitAboveUnder(right, bound, leaf, visit)) return false;
      }
    }
    return true;
  }

 private:
  // Node 1 is the root, node i has the children 2i and 2i+1, nodes from count_ on are the values.
  template <typename Leaf>
  std::size_t Value(std::size_t node, const Leaf& leaf) const {
    return node >= count_ ? leaf(node - count_) : nodes_[node - 1];
  }

  // The recursion is as deep as the tree is high.
  template <typename Leaf, typename Visit>
  bool VisitAboveUnder(std::size_t node, std::size_t bound, const Leaf& leaf, const Visit& visit) const {
    if (Value(node, leaf) <= bound) return true;
    if (node >= count_) return visit(node - count_);
    return VisitAboveUnder(2 * node, bound, leaf, visit) && VisitAboveUnder(2 * node + 1, bound, leaf, visit);
  }

  std::size_t count_;
  std::size_t* nodes_;
};

}  // namespace arenaproof

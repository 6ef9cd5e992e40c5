// Which rows, sorted by the start of their lifetime, may live at a time: for each eight of them the latest end, and
// above these a tree of maxima, so that a search passes over what has ended before. For plans of many buffers of which
// few live together.
//
// Memory of the caller, no heap. Building takes O(n) steps, a query O(k log n) for k blocks found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace arenaproof {

class LatestEnds {
 public:
  static constexpr std::size_t kBlock = 8;

  // Words of 4 bytes for so many rows.
  static constexpr std::size_t WordCount(std::size_t count) { return 2 * BlockCount(count); }

  // `words`: WordCount(count) of them. `last`: of rows 0 .. count-1, count >= 1.
  LatestEnds(const std::int32_t* last, std::size_t count, std::int32_t* words)
      : latest_(words), count_(count), block_count_(BlockCount(count)) {
    for (std::size_t block = 0; block < block_count_; ++block) {
      latest_[block_count_ + block] = *std::max_element(last + block * kBlock, last + BlockEnd(block));
    }
    for (std::size_t node = block_count_; node-- > 1;)
      latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
  }

  // Calls visit(begin, end) -> bool, whether to go on, for every block of rows in which something ends at `time` or
  // behind.
  template <typename Visit>
  void ForEachBlock(std::int32_t time, Visit visit) const {
    for (std::size_t block = NextBlock(0, time); block < block_count_; block = NextBlock(block + 1, time)) {
      if (!visit(block * kBlock, BlockEnd(block))) return;
    }
  }

 private:
  static constexpr std::size_t BlockCount(std::size_t count) { return count / kBlock + (count % kBlock != 0 ? 1 : 0); }
  std::size_t BlockEnd(std::size_t block) const { return std::min(count_, (block + 1) * kBlock); }

  // The first block at or behind `block` in which something ends at `time` or later; one at least `block_count_` if
  // there is none.
  std::size_t NextBlock(std::size_t block, std::int32_t time) const {
    while (block < block_count_) {
      std::size_t node = block_count_ + block;
      if (latest_[node] >= time) return block;
      // Up while what the parent covers begins at this block: node * width is the leaf at which the search stands.
      std::size_t width = 1;
      for (; node % 2 == 0 && latest_[node / 2] < time; node /= 2) width *= 2;
      block += width;
    }
    return block_count_;
  }

  std::int32_t* latest_;  // node n has the children 2 n and 2 n + 1; the blocks are the last block_count_ nodes
  std::size_t count_;
  std::size_t block_count_;
};

}  // namespace arenaproof

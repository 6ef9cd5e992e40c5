// A set of ranks 0 .. count-1 in memory of the caller: a bitmap, and above it a bitmap of its non-zero words, and so
// on. Insert, erase and the nearest member on either side take O(log count) steps, here a handful of words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

namespace arenaproof {

class RankSet {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Words of memory for a set of `count` ranks, when a word has `word_bits` bits.
  static constexpr std::size_t WordCount(std::size_t count, std::size_t word_bits = sizeof(std::size_t) * 8) {
    std::size_t words = 0;
    for (std::size_t level = Ceil(count, word_bits); level > 0; level = level > 1 ? Ceil(level, word_bits) : 0) {
      words += level;
    }
    return words;
  }

  // The empty set over `count` >= 1 ranks; `words` are WordCount(count) words.
  RankSet(std::size_t count, std::size_t* words) {
    for (std::size_t level = Ceil(count);; level = Ceil(level)) {
      levels_[level_count_++] = words;
      for (std::size_t i = 0; i < level; ++i) words[i] = 0;
      words += level;
      if (level == 1) break;
    }
  }

  bool Contains(std::size_t rank) const { return (levels_[0][rank / kBits] >> rank % kBits & 1) != 0; }

  void Insert(std::size_t rank) {
    for (std::size_t level = 0; level < level_count_; ++level, rank /= kBits) {
      levels_[level][rank / kBits] |= std::size_t{1} << rank % kBits;
    }
  }

  void Erase(std::size_t rank) {
    for (std::size_t level = 0; level < level_count_; ++level, rank /= kBits) {
      levels_[level][rank / kBits] &= ~(std::size_t{1} << rank % kBits);
      if (levels_[level][rank / kBits] != 0) return;
    }
  }

  // The largest member below `rank`, or kNone.
  std::size_t Predecessor(std::size_t rank) const {
    for (std::size_t level = 0; level < level_count_; ++level, rank /= kBits) {
      const std::size_t below = levels_[level][rank / kBits] & ((std::size_t{1} << rank % kBits) - 1);
      if (below == 0) continue;
      std::size_t found = rank / kBits * kBits + HighestBit(below);
      while (level-- > 0) found = found * kBits + HighestBit(levels_[level][found]);
      return found;
    }
    return kNone;
  }

  // The smallest member above `rank`, or kNone.
  std::size_t Successor(std::size_t rank) const {
    for (std::size_t level = 0; level < level_count_; ++level, rank /= kBits) {
      // Shifted in two steps: by kBits in one would be undefined.
      const std::size_t above = levels_[level][rank / kBits] & (~std::size_t{0} << rank % kBits << 1);
      if (above == 0) continue;
      std::size_t found = rank / kBits * kBits + LowestBit(above);
      while (level-- > 0) found = found * kBits + LowestBit(levels_[level][found]);
      return found;
    }
    return kNone;
  }

 private:
  static constexpr std::size_t kBits = sizeof(std::size_t) * 8;
  static constexpr std::size_t kMostLevels = 13;  // enough for any count: 64^11 and 32^7 exceed their words

  static constexpr std::size_t Ceil(std::size_t count, std::size_t bits = kBits) {
    return count / bits + (count % bits != 0 ? 1 : 0);
  }
  static std::size_t HighestBit(std::size_t word) {
    return kBits - 1 - static_cast<std::size_t>(std::countl_zero(word));
  }
  static std::size_t LowestBit(std::size_t word) { return static_cast<std::size_t>(std::countr_zero(word)); }

  std::array<std::size_t*, kMostLevels> levels_{};
  std::size_t level_count_ = 0;
};

}  // namespace arenaproof

// What a search has found to lead nowhere: open buffers with the lowest offset that each may have, and the place in the
// canonical order up to which everything is decided. Different ways to stack the same buffers leave the same state.
//
// States are compared by 128 bits of hash, not in full: that two different ones of 2^32 agree has a probability below
// 2^-64, and a wrong proof needs that. Fixed memory; the state that took fewer steps gives way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace arenaproof {

struct StateHash {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  // Of a set: the order of additions does not matter.
  void Add(std::uint64_t key) {
    first += Mixed(key + 0x9e3779b97f4a7c15u);
    second += Mixed(key ^ 0xd1b54a32d192ed03u);
  }

 private:
  // The finaliser of MurmurHash3: a bijection, so that keys that differ stay different.
  static std::uint64_t Mixed(std::uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
  }
};

class FailedStates {
 public:
  // At least 2 and at most 2^20 states.
  explicit FailedStates(std::uint64_t states)
      : entries_(std::bit_ceil(static_cast<std::size_t>(std::clamp<std::uint64_t>(states, 2, 1u << 20)))) {}

  // Whether the state failed when `least` or something before it was the place in the order.
  bool Contains(const StateHash& hash, std::uint64_t least) const {
    for (std::size_t way = 0; way < 2; ++way) {
      const Entry& entry = entries_[Slot(hash) ^ way];
      if (entry.first == hash.first && entry.second == hash.second && entry.steps > 0) return entry.least <= least;
    }
    return false;
  }

  void Insert(const StateHash& hash, std::uint64_t least, std::uint64_t steps) {
    Entry* entry = &entries_[Slot(hash)];
    Entry* const other = &entries_[Slot(hash) ^ 1];
    if (other->first == hash.first && other->second == hash.second) {
      entry = other;
    } else if ((entry->first != hash.first || entry->second != hash.second) && other->steps < entry->steps) {
      entry = other;
    }
    *entry = {hash.first, hash.second, least, std::max<std::uint64_t>(steps, 1)};
  }

 private:
  struct Entry {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint64_t least = 0;
    std::uint64_t steps = 0;  // 0: none
  };

  std::size_t Slot(const StateHash& hash) const { return static_cast<std::size_t>(hash.first) & (entries_.size() - 1); }

  std::vector<Entry> entries_;
};

}  // namespace arenaproof

// What a search has found to lead nowhere: open buffers with the lowest offset that each may have, and the place in the
// canonical order up to which everything is decided. Different ways to stack the same buffers leave the same state.
//
// States are compared by 128 bits of hash, not in full: that two different ones of 2^32 agree has a probability below
// 2^-64, and a wrong proof needs that. Memory is bounded; the state that took fewer steps gives way.
#pragma once

#include <algorithm>
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

  void Remove(std::uint64_t key) {
    first -= Mixed(key + 0x9e3779b97f4a7c15u);
    second -= Mixed(key ^ 0xd1b54a32d192ed03u);
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
  // Whether the state failed below this capacity or a larger one, when `least` or something before it was the place in
  // the order.
  bool Contains(const StateHash& hash, std::uint64_t least, std::int64_t capacity) const {
    for (std::size_t way = 0; way < 2; ++way) {
      const Entry& entry = entries_[Slot(hash) ^ way];
      if (entry.first == hash.first && entry.second == hash.second && entry.steps > 0) {
        return entry.least <= least && entry.capacity >= capacity;
      }
    }
    return false;
  }

  void Insert(const StateHash& hash, std::uint64_t least, std::int64_t capacity, std::uint64_t steps) {
    if (++inserted_ > entries_.size() && entries_.size() < kMostEntries) Grow();
    Put({hash.first, hash.second, least, capacity, std::max<std::uint64_t>(steps, 1)});
  }

 private:
  static constexpr std::size_t kFewestEntries = std::size_t{1} << 10;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 18;  // 10 MiB

  struct Entry {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint64_t least = 0;
    std::int64_t capacity = 0;
    std::uint64_t steps = 0;  // 0: none
  };

  void Put(const Entry& added) {
    Entry* entry = &entries_[Slot(added)];
    Entry* const other = &entries_[Slot(added) ^ 1];
    const auto is_added = [&](const Entry& kept) { return kept.first == added.first && kept.second == added.second; };
    if (is_added(*other) || (!is_added(*entry) && other->steps < entry->steps)) entry = other;
    *entry = added;
  }

  void Grow() {
    std::vector<Entry> before(entries_.size() * 2);
    before.swap(entries_);
    for (const Entry& entry : before) {
      if (entry.steps > 0) Put(entry);
    }
  }

  // Of a hash or an entry: the first of two neighbouring places.
  template <typename Hashed>
  std::size_t Slot(const Hashed& hash) const {
    return static_cast<std::size_t>(hash.first) & (entries_.size() - 1);
  }

  std::size_t inserted_ = 0;
  std::vector<Entry> entries_ = std::vector<Entry>(kFewestEntries);
};

}  // namespace arenaproof

// Every pair of buffers that share bytes while both are alive: how many there are, and each of them, by a sweep over
// time. For plans that the certifier would refuse, in which the caller trusts.
//
// Counting takes O(n log n) time, visiting O(n log n) and O(log n) for each pair visited. No heap: memory is what the
// certifier needs for as many buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "core/planner/certifier.h"
#include "core/planner/placed_buffer.h"
#include "core/planner/prefix_maximum.h"
#include "core/planner/rank_set.h"

namespace arenaproof {

// BufferOf: PlacedBuffer(std::size_t index). Buffers of zero bytes, and those whose lifetime ends before scope 0, are
// in no pair; of the others none ends before it begins and offset + bytes + 1 does not wrap.
template <typename BufferOf>
class LiveOverlapSweep {
 public:
  // Asks `buffer_of`, which stays in place, for the buffers 0 .. `index_count` - 1, less than 2^32, each several times.
  // `workspace` has CertifierWorkspaceBytes(buffers in question) bytes at any address; with less there are no pairs.
  LiveOverlapSweep(std::size_t index_count, const BufferOf& buffer_of, std::span<std::byte> workspace)
      : index_count_(index_count), buffer_of_(buffer_of) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < index_count; ++i) count += InQuestion(buffer_of(i)) ? 1 : 0;
    if (count == 0 || workspace.size() < CertifierWorkspaceBytes(count)) return;
    const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
    std::byte* const memory =
        workspace.data() + (alignof(std::size_t) - address % alignof(std::size_t)) % alignof(std::size_t);
    const std::size_t word_count = RankSet::WordCount(count) + PrefixMaximum::WordCount(count);
    count_ = count;
    words_ = new (memory) std::size_t[word_count];
    by_rank_ = new (memory + word_count * sizeof(std::size_t)) std::uint32_t[3 * count];
    by_start_ = by_rank_ + count;
    by_end_ = by_start_ + count;
  }

  // A newcomer meets those alive that start before its end, save those that end at or before its start.
  std::uint64_t CountPairs() {
    const auto offset = [](const PlacedBuffer& buffer) { return buffer.offset; };
    const auto behind_offset = [](const PlacedBuffer& buffer) { return buffer.offset + 1; };
    return CountAliveBelow(offset, EndOf) - CountAliveBelow(EndOf, behind_offset);
  }

  // visit(lower index, higher index) -> bool, whether to go on; in the order in which the later of the two comes alive.
  template <typename Visit>
  void VisitPairs(const Visit& visit) {
    if (count_ == 0) return;
    const auto offset = [](const PlacedBuffer& buffer) { return buffer.offset; };
    Sort(offset);
    RankSet alive(count_, words_);
    PrefixMaximum ends(count_, words_ + RankSet::WordCount(count_));
    const auto live_end = [&](std::size_t rank) { return alive.Contains(rank) ? EndOf(At(rank)) : 0; };
    Sweep(
        [&](std::size_t rank) {
          const PlacedBuffer newcomer = At(rank);
          const auto meet = [&](std::size_t other) {
            return visit(std::size_t{std::min(by_rank_[rank], by_rank_[other])},
                         std::size_t{std::max(by_rank_[rank], by_rank_[other])});
          };
          if (!ends.VisitAbove(RanksBelow(offset, EndOf(newcomer)), newcomer.offset, live_end, meet)) return false;
          alive.Insert(rank);
          ends.Update(rank, live_end);
          return true;
        },
        [&](std::size_t rank) {
          alive.Erase(rank);
          ends.Update(rank, live_end);
        });
  }

 private:
  static bool InQuestion(const PlacedBuffer& buffer) { return buffer.bytes > 0 && buffer.last >= 0; }
  static std::size_t EndOf(const PlacedBuffer& buffer) { return buffer.offset + buffer.bytes; }
  PlacedBuffer At(std::size_t rank) const { return buffer_of_(by_rank_[rank]); }

  // Ranks are places in the order of `key`.
  template <typename Key>
  void Sort(const Key& key) {
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < index_count_; ++i) {
      if (InQuestion(buffer_of_(i))) by_rank_[rank++] = static_cast<std::uint32_t>(i);
    }
    SortBy(by_rank_, [&](std::uint32_t index) { return key(buffer_of_(index)); });
    for (std::uint32_t i = 0; i < count_; ++i) by_start_[i] = by_end_[i] = i;
    SortBy(by_start_, [&](std::uint32_t i) { return At(i).first; });
    SortBy(by_end_, [&](std::uint32_t i) { return At(i).last; });
  }

  template <typename Key>
  void SortBy(std::uint32_t* numbers, const Key& key) {
    std::sort(numbers, numbers + count_, [&](std::uint32_t a, std::uint32_t b) {
      const auto key_a = key(a), key_b = key(b);
      return key_a != key_b ? key_a < key_b : a < b;
    });
  }

  template <typename Key>
  std::size_t RanksBelow(const Key& key, std::size_t bound) const {
    return static_cast<std::size_t>(
        std::partition_point(by_rank_, by_rank_ + count_,
                             [&](std::uint32_t index) { return key(buffer_of_(index)) < bound; }) -
        by_rank_);
  }

  // Those that ended before the newcomer begins leave first: they began before it, so they have entered.
  template <typename Enter, typename Leave>
  void Sweep(const Enter& enter, const Leave& leave) {
    std::size_t ended_count = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int32_t now = At(by_start_[i]).first;
      while (At(by_end_[ended_count]).last < now) leave(by_end_[ended_count++]);
      if (!enter(by_start_[i])) return;
    }
  }

  // The sum over all newcomers of how many of those alive have a key below the newcomer's bound, by a tree of sums over
  // ranks: element i holds those of the ranks i & (i + 1) to i.
  template <typename Key, typename Bound>
  std::uint64_t CountAliveBelow(const Key& key, const Bound& bound) {
    if (count_ == 0) return 0;
    Sort(key);
    std::size_t* const sums = words_;  // there are at least `count_` words
    std::fill_n(sums, count_, std::size_t{0});
    std::uint64_t total = 0;
    Sweep(
        [&](std::size_t rank) {
          for (std::size_t i = RanksBelow(key, bound(At(rank))); i > 0; i = (i - 1) & i) total += sums[i - 1];
          for (std::size_t i = rank; i < count_; i |= i + 1) ++sums[i];
          return true;
        },
        [&](std::size_t rank) {
          for (std::size_t i = rank; i < count_; i |= i + 1) --sums[i];
        });
    return total;
  }

  const std::size_t index_count_;
  const BufferOf& buffer_of_;
  std::size_t count_ = 0;  // buffers in question
  std::size_t* words_ = nullptr;
  std::uint32_t* by_rank_ = nullptr;   // index of the buffer
  std::uint32_t* by_start_ = nullptr;  // ranks
  std::uint32_t* by_end_ = nullptr;    // ranks
};

}  // namespace arenaproof

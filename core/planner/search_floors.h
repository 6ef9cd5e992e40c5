// What searches have found that saves later ones a part of the way. One that found no gap of some bytes for its
// lifetime below an offset tells all that want as many bytes or more, for a lifetime that contains that one: more is
// placed by then, so they may begin there. For buffers of falling sizes, a stretch of nearly equal ones at a time.
//
// Memory: a fixed number of searches, 384 bytes on 64 bits, on the stack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace arenaproof {

class SearchFloors {
 public:
  struct Floor {
    std::size_t offset = 0;
    std::size_t place = 0;  // all placed buffers before this one, by offset, end at `offset` or below
  };

  void Forget() { count_ = next_ = 0; }

  // The highest one that holds for the lifetime.
  Floor Highest(std::int32_t first, std::int32_t last) const {
    Floor highest;
    for (std::size_t i = 0; i < count_; ++i) {
      const Entry& entry = entries_[i];
      const bool holds = (first <= entry.first) & (entry.last <= last) & (entry.floor.offset > highest.offset);
      highest.offset = holds ? entry.floor.offset : highest.offset;
      highest.place = holds ? entry.floor.place : highest.place;
    }
    return highest;
  }

  // In place of the oldest when there is no room.
  void Remember(std::int32_t first, std::int32_t last, const Floor& floor) {
    entries_[next_] = {floor, first, last};
    next_ = (next_ + 1) % kMost;
    count_ = count_ < kMost ? count_ + 1 : kMost;
  }

  // A buffer that ends at `end` has been put before what was at `place`.
  void Insert(std::size_t place, std::size_t end) {
    for (std::size_t i = 0; i < count_; ++i) {
      Floor& floor = entries_[i].floor;
      const std::size_t moved = end <= floor.offset ? floor.place + 1 : place;
      floor.place = place < floor.place ? moved : floor.place;
    }
  }

 private:
  static constexpr std::size_t kMost = 16;

  struct Entry {
    Floor floor;
    std::int32_t first = 0, last = 0;
  };

  std::array<Entry, kMost> entries_{};
  std::size_t count_ = 0;
  std::size_t next_ = 0;
};

}  // namespace arenaproof

// The buffers of a plan as columns, one array for each thing that is known of them: a search over lifetimes reads
// lifetimes alone. Row i is about buffer i, unless a planner reorders rows while it makes a plan, and puts them back.
//
// Memory of the caller, no heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "core/base/structure_bytes.h"

namespace arenaproof {

struct BufferColumns {
  std::size_t* bytes = nullptr;
  std::size_t* offset = nullptr;
  std::int32_t* first = nullptr;
  std::int32_t* last = nullptr;
  std::uint32_t* number = nullptr;  // of the buffer that the row is about, with kFixedBit
  // Lifetimes in an order of a planner's own, or room for numbers. Without room of their own they are first and last.
  std::int32_t* ordered_first = nullptr;
  std::int32_t* ordered_last = nullptr;

  // Set in `number` where the offset is not the planner's to choose.
  static constexpr std::uint32_t kFixedBit = std::uint32_t{1} << 31;

  static constexpr std::size_t BytesPerRow(WordSize word, bool has_room) {
    return 2 * static_cast<std::size_t>(word) + (has_room ? 4 : 2) * sizeof(std::int32_t) + sizeof(std::uint32_t);
  }

  // The columns of `capacity` rows behind each other from `start`, which is aligned for a word.
  static BufferColumns At(std::byte* start, std::size_t capacity, bool has_room) {
    BufferColumns columns;
    columns.bytes = Column<std::size_t>(&start, capacity);
    columns.offset = Column<std::size_t>(&start, capacity);
    columns.first = Column<std::int32_t>(&start, capacity);
    columns.last = Column<std::int32_t>(&start, capacity);
    columns.number = Column<std::uint32_t>(&start, capacity);
    columns.ordered_first = has_room ? Column<std::int32_t>(&start, capacity) : columns.first;
    columns.ordered_last = has_room ? Column<std::int32_t>(&start, capacity) : columns.last;
    return columns;
  }

  bool has_room() const { return ordered_first != first; }
  std::uint32_t NumberOf(std::size_t row) const { return number[row] & ~kFixedBit; }
  bool Fixed(std::size_t row) const { return (number[row] & kFixedBit) != 0; }

  // The room, for numbers.
  std::uint32_t* SpareNumbers() const { return reinterpret_cast<std::uint32_t*>(ordered_first); }
  std::uint32_t* MoreSpareNumbers() const { return reinterpret_cast<std::uint32_t*>(ordered_last); }

  void Set(std::size_t row, std::size_t its_bytes, std::size_t its_offset, std::int32_t its_first,
           std::int32_t its_last, std::uint32_t its_number) const {
    new (&bytes[row]) std::size_t{its_bytes};
    new (&offset[row]) std::size_t{its_offset};
    new (&first[row]) std::int32_t{its_first};
    new (&last[row]) std::int32_t{its_last};
    new (&number[row]) std::uint32_t{its_number};
  }

  // Precondition: `number` has been reordered, and these columns have not. Brings them along.
  template <typename... Columns>
  void FollowNumbers(std::size_t count, Columns*... columns) const {
    for (std::size_t row = 0; row < count; ++row) {
      std::size_t from = NumberOf(row);
      while (from < row) from = NumberOf(from);  // where what stood there has been put since
      (std::swap(columns[row], columns[from]), ...);
    }
  }

  // Puts `number`, and these columns with it, back to where the numbers say.
  template <typename... Columns>
  void Restore(std::size_t count, Columns*... columns) const {
    for (std::size_t row = 0; row < count; ++row) {
      while (NumberOf(row) != row) {
        const std::size_t home = NumberOf(row);
        (std::swap(columns[row], columns[home]), ...);
        std::swap(number[row], number[home]);
      }
    }
  }

  // The same of `number` alone, with room.
  void RestoreNumbers(std::size_t count) const {
    std::uint32_t* const by_number = SpareNumbers();
    for (std::size_t row = 0; row < count; ++row) by_number[NumberOf(row)] = number[row];
    std::copy(by_number, by_number + count, number);
  }

 private:
  template <typename T>
  static T* Column(std::byte** next, std::size_t capacity) {
    T* const column = reinterpret_cast<T*>(*next);
    *next += capacity * sizeof(T);
    return column;
  }
};

}  // namespace arenaproof

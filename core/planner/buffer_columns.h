// The buffers of a plan as columns, one array for each thing that is known of them: a search over lifetimes reads
// lifetimes alone, and in the order of the rows. Rows are reordered while a plan is made, and put back after.
//
// Memory of the caller, no heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/structure_bytes.h"

namespace arenaproof {

struct BufferColumns {
  std::size_t* bytes = nullptr;
  std::size_t* offset = nullptr;
  std::int32_t* first = nullptr;
  std::int32_t* last = nullptr;
  std::uint32_t* number = nullptr;  // of the buffer that the row is about, with kChosenBit

  // Set in `number` where the planner chooses the offset.
  static constexpr std::uint32_t kChosenBit = std::uint32_t{1} << 31;

  static constexpr std::size_t BytesPerRow(WordSize word) {
    return 2 * static_cast<std::size_t>(word) + 2 * sizeof(std::int32_t) + sizeof(std::uint32_t);
  }

  // The columns of `capacity` rows behind each other from `start`, which is aligned for a word.
  static BufferColumns At(std::byte* start, std::size_t capacity) {
    BufferColumns columns;
    columns.bytes = Column<std::size_t>(&start, capacity);
    columns.offset = Column<std::size_t>(&start, capacity);
    columns.first = Column<std::int32_t>(&start, capacity);
    columns.last = Column<std::int32_t>(&start, capacity);
    columns.number = Column<std::uint32_t>(&start, capacity);
    return columns;
  }

  std::uint32_t NumberOf(std::size_t row) const { return number[row] & ~kChosenBit; }
  bool Chosen(std::size_t row) const { return (number[row] & kChosenBit) != 0; }

  // Written as in the reference, so that inverted lifetimes are decided the same way.
  bool LiveTogether(std::size_t a, std::size_t b) const { return (first[a] <= last[b]) & (first[b] <= last[a]); }

  void Set(std::size_t row, std::size_t its_bytes, std::size_t its_offset, std::int32_t its_first,
           std::int32_t its_last, std::uint32_t its_number) {
    new (&bytes[row]) std::size_t{its_bytes};
    new (&offset[row]) std::size_t{its_offset};
    new (&first[row]) std::int32_t{its_first};
    new (&last[row]) std::int32_t{its_last};
    new (&number[row]) std::uint32_t{its_number};
  }

  // Puts row `from` before row `to`, which is not behind it.
  void MoveUp(std::size_t from, std::size_t to) {
    MoveUp(bytes, from, to);
    MoveUp(offset, from, to);
    MoveUp(first, from, to);
    MoveUp(last, from, to);
    MoveUp(number, from, to);
  }

  // Precondition: `number` alone has been reordered. Brings the other columns along.
  void FollowNumbers(std::size_t count) {
    for (std::size_t row = 0; row < count; ++row) {
      std::size_t from = NumberOf(row);
      while (from < row) from = NumberOf(from);  // where what stood there has been put since
      SwapAllButNumbers(row, from);
    }
  }

  // Every row back to where its number says.
  void Restore(std::size_t count) {
    for (std::size_t row = 0; row < count; ++row) {
      while (NumberOf(row) != row) {
        const std::size_t home = NumberOf(row);
        SwapAllButNumbers(row, home);
        std::swap(number[row], number[home]);
      }
    }
  }

 private:
  template <typename T>
  static T* Column(std::byte** next, std::size_t capacity) {
    T* const column = reinterpret_cast<T*>(*next);
    *next += capacity * sizeof(T);
    return column;
  }

  template <typename T>
  static void MoveUp(T* column, std::size_t from, std::size_t to) {
    const T value = column[from];
    std::memmove(column + to + 1, column + to, (from - to) * sizeof(T));
    column[to] = value;
  }

  void SwapAllButNumbers(std::size_t a, std::size_t b) {
    std::swap(bytes[a], bytes[b]);
    std::swap(offset[a], offset[b]);
    std::swap(first[a], first[b]);
    std::swap(last[a], last[b]);
  }
};

}  // namespace arenaproof

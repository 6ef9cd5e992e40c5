// Numbers that decide, one after another, what a model looks like. They shrink to fewer and smaller ones, and a list
// that has run out goes on with zeros: so models shrink to small ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace arenaproof::testing {

class Choices {
 public:
  explicit Choices(std::vector<std::uint16_t> numbers) : numbers_(std::move(numbers)) {}

  // 0 <= result < count.
  std::size_t Below(std::size_t count) { return count == 0 ? 0 : Number() % count; }
  // False for a number of 0, so that shrinking takes it away.
  bool OneIn(std::size_t count) { return Number() % count == count - 1; }

  template <typename List>
  auto& Of(List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(Below(std::size(list))));
  }

  // For a list of `count` entries: mostly inside, else just outside or far away.
  std::int32_t Index(std::size_t count);
  // Small, of a power of two or beside one, negative, or the ends of the range.
  std::int32_t Interesting();

 private:
  std::size_t Number() { return next_ < numbers_.size() ? numbers_[next_++] : 0; }

  std::vector<std::uint16_t> numbers_;
  std::size_t next_ = 0;
};

}  // namespace arenaproof::testing

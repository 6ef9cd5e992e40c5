// Where whoever makes something at random takes its decisions from: the bytes of a fuzz input (bytes/byte_reader.h), a
// list of numbers (number_list_source.h), a seed (seeded_source.h; mutator/random_choice.h), RapidCheck
// (props/support/draws.h). Each source keeps its own way to a number below a count, for inputs, corpora and seeds that
// are kept have to make what they made before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace arenaproof {

class RandomSource {
 public:
  // 0 <= result < count; 0 for a count of 0.
  virtual std::size_t Below(std::size_t count) = 0;

  // least <= result <= most.
  std::int32_t Between(std::int32_t least, std::int32_t most) {
    const std::int64_t count = std::int64_t{most} - least + 1;
    return static_cast<std::int32_t>(least + static_cast<std::int64_t>(Below(static_cast<std::size_t>(count))));
  }
  // True once in `count` times: for the last number, so that a source that shrinks to 0 takes it away.
  virtual bool OneIn(std::size_t count) { return Below(count) == count - 1; }
  bool Chance(std::size_t percent) { return Below(100) < percent; }
  // One of the list's elements; the list is not empty.
  template <typename List>
  auto& Of(List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(Below(std::size(list))));
  }

 protected:
  ~RandomSource() = default;
};

}  // namespace arenaproof

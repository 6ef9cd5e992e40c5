// Numbers that are drawn beforehand, as a list, and decide one after another. A list shrinks to fewer and smaller ones,
// and one that has run out goes on with zeros: so what is made of it shrinks to something small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/generators/random_source.h"

namespace arenaproof {

class NumberListSource : public RandomSource {
 public:
  explicit NumberListSource(std::vector<std::uint16_t> numbers) : numbers_(std::move(numbers)) {}

  std::size_t Below(std::size_t count) final { return count == 0 ? 0 : Number() % count; }

 private:
  std::size_t Number() { return next_ < numbers_.size() ? numbers_[next_++] : 0; }

  std::vector<std::uint16_t> numbers_;
  std::size_t next_ = 0;
};

}  // namespace arenaproof

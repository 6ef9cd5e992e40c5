// Numbers that decide, one after another, what a model looks like: models shrink to small ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/generators/number_list_source.h"

namespace arenaproof::testing {

class Choices final : public NumberListSource {
 public:
  using NumberListSource::NumberListSource;

  // An index for a list of `count` entries: mostly inside, else just outside or far away.
  std::int32_t Index(std::size_t count);
  // Small, of a power of two or beside one, negative, or the ends of the range.
  std::int32_t Interesting();
};

}  // namespace arenaproof::testing

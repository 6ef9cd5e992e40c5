#include "engine/generators/models/model_choices.h"

#include <array>

namespace arenaproof::testing {

std::int32_t Choices::Index(std::size_t count) {
  static constexpr std::array<std::int32_t, 4> kFarAway = {INT32_MAX, INT32_MIN, 65536, 256};
  const auto end = static_cast<std::int32_t>(count);
  switch (Below(8)) {
    case 1:
      return end;
    case 2:
      return end + 1;
    case 3:
      return -1;
    case 4:
      return -2;
    case 5:
      return kFarAway[Below(kFarAway.size())];
    case 6:
      return end - 1;
    default:
      return static_cast<std::int32_t>(Below(count));
  }
}

std::int32_t Choices::Interesting() {
  static constexpr std::array<std::int32_t, 24> kNumbers = {
      0,   1,   2,   3,   5,     8,     15,    16,    17,        64,        127, 128,
      255, 256, 257, 999, 32767, 32768, 65535, 65536, 268435456, INT32_MAX, -1,  INT32_MIN};
  return kNumbers[Below(kNumbers.size())];
}

}  // namespace arenaproof::testing

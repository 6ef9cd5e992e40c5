// Choices of a mutator: the same seed makes the same ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/generators/random_source.h"
#include "engine/generators/reach.h"

namespace arenaproof {

class RandomChoice final : public RandomSource {
 public:
  explicit RandomChoice(std::uint32_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}

  std::uint64_t Number() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1du;
  }
  std::size_t Below(std::size_t count) override { return count == 0 ? 0 : (Number() >> 16) % count; }

  // Small, a power of two or beside one, the end of a range, or near `old`.
  std::int32_t Interesting(std::int32_t old) {
    static constexpr std::array<std::int32_t, 28> kNumbers = {
        -1, 0,  1,  2,  3,  4,   5,   6,   7,   8,     9,     12,    15,         16,
        17, 24, 31, 32, 64, 100, 127, 128, 255, 32767, 65535, 65536, 2147483647, -2147483647 - 1};
    const std::size_t kind = Below(10);
    if (kind < 2) return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) + 1u);
    if (kind < 4) return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) - 1u);
    if (kind < 8) return static_cast<std::int32_t>(1 + Below(8));
    if (kind < 9) return Below(2) == 0 ? Of(kNumbers) : static_cast<std::int32_t>(DrawReach(*this));
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) * 2u);
  }

 private:
  std::uint64_t state_;
};

}  // namespace arenaproof

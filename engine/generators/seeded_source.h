// The same seed makes the same numbers with every C++ library: how distributions and shuffles of the standard turn an
// engine's numbers into theirs is each library's own, so they are spelled out here, as GCC's library has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <utility>

#include "engine/generators/random_source.h"

namespace arenaproof {

class SeededSource final : public RandomSource {
 public:
  explicit SeededSource(std::uint64_t seed) : engine_(seed) {}

  // Lemire's method: the upper half of a product, made again for the few numbers that would come too often.
  std::size_t Below(std::size_t count) override {
    if (count == 0) return 0;
    const std::uint64_t range = count;
    std::uint64_t number = engine_();
    if (number * range < range) {
      const std::uint64_t threshold = (0 - range) % range;
      while (number * range < threshold) number = engine_();
    }
    return static_cast<std::size_t>(UpperHalf(number, range));
  }
  bool OneIn(std::size_t count) override { return Below(count) == 0; }
  float FloatBetween(float least, float most) {
    constexpr float kBelowOne = 1.0f - 0x1p-24f;
    const float part = std::min(static_cast<float>(engine_()) / 0x1p64f, kBelowOne);
    return part * (most - least) + least;
  }
  // Two swaps for each number that is drawn.
  template <typename List>
  void Shuffle(List& list) {
    const std::size_t count = std::size(list);
    if (count == 0) return;
    std::size_t i = 1;
    if (count % 2 == 0) std::swap(list[i++], list[Below(2)]);
    for (; i < count; i += 2) {
      const std::size_t both = Below((i + 1) * (i + 2));
      std::swap(list[i], list[both / (i + 2)]);
      std::swap(list[i + 1], list[both % (i + 2)]);
    }
  }
  // The engine's next number, which the standard gives. Not a generator for the standard's own distributions.
  std::uint64_t operator()() { return engine_(); }

 private:
  // Of the product of two numbers, in the words of any machine.
  static std::uint64_t UpperHalf(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kLower = 0xFFFFFFFF;
    const std::uint64_t middle = (a >> 32) * (b & kLower) + ((a & kLower) * (b & kLower) >> 32);
    const std::uint64_t other = (a & kLower) * (b >> 32) + (middle & kLower);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
  }

  std::mt19937_64 engine_;
};

}  // namespace arenaproof

// The same seed makes the same numbers. Also a uniform random bit generator of the standard library, for shuffles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "engine/generators/random_source.h"

namespace arenaproof {

class SeededSource final : public RandomSource {
 public:
  explicit SeededSource(std::uint64_t seed) : engine_(seed) {}

  std::size_t Below(std::size_t count) override {
    return count == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
  }
  bool OneIn(std::size_t count) override { return Below(count) == 0; }
  float FloatBetween(float least, float most) { return std::uniform_real_distribution<float>(least, most)(engine_); }

  using result_type = std::mt19937_64::result_type;
  static constexpr result_type min() { return std::mt19937_64::min(); }
  static constexpr result_type max() { return std::mt19937_64::max(); }
  result_type operator()() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace arenaproof

#include "engine/oracles/operators/sigmoid_table_definition.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace arenaproof::props {
namespace {

constexpr std::int64_t kPoints = 256;
constexpr std::int64_t kSumOfPoints = 15670629;
// The reference's table lies one above the nearest integer here.
constexpr int kOneAbove[] = {4,  8,  12, 14, 15, 16, 17, 19, 20,  21,  22,  25,  27,  28, 29,
                             30, 31, 33, 34, 35, 37, 39, 40, 41,  43,  44,  45,  46,  49, 50,
                             54, 62, 63, 64, 66, 82, 86, 93, 100, 103, 112, 116, 135, 255};

// 65536 times the logistic function of i / 24.
std::array<std::int64_t, kPoints> MadePoints() {
  std::array<std::int64_t, kPoints> points{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = std::llround(65536.0 / (1.0 + std::exp(static_cast<double>(i) / -24.0)));
  }
  for (const int i : kOneAbove) ++points[static_cast<std::size_t>(i)];
  if (std::accumulate(points.begin(), points.end(), std::int64_t{0}) == kSumOfPoints) return points;
  std::fprintf(stderr, "the points of the logistic function have another sum: this definition is wrong\n");
  std::abort();
}

std::int64_t Point(std::int64_t i) {
  static const std::array<std::int64_t, kPoints> points = MadePoints();
  return points[static_cast<std::size_t>(i)];
}

// On the line through the points around magnitude / width, times the width; `end` where there is no further point.
std::int64_t OnTheLine(std::int64_t magnitude, std::int64_t width, std::int64_t end) {
  const std::int64_t below = magnitude / width;
  if (below >= kPoints - 1) return end * width;
  const std::int64_t part = magnitude % width;
  return Point(below) * (width - part) + Point(below + 1) * part;
}

std::int64_t FloorOfQuotient(std::int64_t value, std::int64_t divisor) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(value) / static_cast<double>(divisor)));
}

}  // namespace

// Ties go up for positive arguments, down for the others.
std::int64_t LogisticByTable(std::int64_t v) {
  const std::int64_t value = OnTheLine(std::abs(v), 512, 65534);
  return v >= 0 ? FloorOfQuotient(value + 512, 1024) : FloorOfQuotient((std::int64_t{1} << 25) - value + 511, 1024);
}

// tanh(x) = 2 logistic(2x) - 1.
std::int64_t TanhByTable(std::int64_t v) {
  const std::int64_t value = OnTheLine(std::abs(v), 256, 65535) - (std::int64_t{1} << 23);
  return v >= 0 ? FloorOfQuotient(value + 128, 256) : FloorOfQuotient(-value + 127, 256);
}

bool IsNearPowerOfTwo(double scale, int* exponent) {
  const double logarithm = std::log2(scale);
  *exponent = static_cast<int>(std::lround(logarithm));
  return std::fabs(logarithm - *exponent) < 1e-3;
}

}  // namespace arenaproof::props

// logistic and tanh of 16 bits: near the real functions everywhere, and to the bit where the reference was asked.
#include "kernels/reference/table_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/kernels/int32_limits_support.h"

namespace arenaproof::reference {
namespace {

constexpr double kUnit = 12288.0;

TEST(TableFunctions, FollowTheRealFunctions) {
  for (std::int32_t v = -140000; v <= 140000; ++v) {
    const double x = v / kUnit;
    const double logistic = std::min(32767.0, 32768.0 / (1.0 + std::exp(-x)));
    ASSERT_NEAR(LogisticOfTable(v), logistic, 1.5) << v;
    const double tanh = std::min(32767.0, 32768.0 * std::tanh(x));
    ASSERT_NEAR(TanhOfTable(v), tanh, 2.0) << v;
  }
}

TEST(TableFunctions, NeverFall) {
  for (std::int32_t v = -140000; v < 140000; ++v) {
    ASSERT_LE(LogisticOfTable(v), LogisticOfTable(v + 1)) << v;
    ASSERT_LE(TanhOfTable(v), TanhOfTable(v + 1)) << v;
  }
}

// The sum of the table's entries, seen through arguments that lie on them: below the last one logistic is an entry with
// one bit less.
TEST(TableFunctions, HoldTheReferencesTable) {
  std::int64_t logistics = 0;
  std::int64_t tanhs = 0;
  for (std::int32_t i = 0; i < 255; ++i) {
    logistics += LogisticOfTable(i * 512);
    tanhs += TanhOfTable(i * 256);
  }
  EXPECT_EQ(logistics, 7802612);
  EXPECT_EQ(tanhs, 7249254);
}

TEST(TableFunctions, EndAtTheLimits) {
  EXPECT_EQ(LogisticOfTable(0), 16384);
  EXPECT_EQ(TanhOfTable(0), 0);
  EXPECT_EQ(LogisticOfTable(kMostInt32), 32767);
  EXPECT_EQ(TanhOfTable(kMostInt32), 32767);
  EXPECT_EQ(LogisticOfTable(-kMostInt32), 1);
  EXPECT_EQ(TanhOfTable(-kMostInt32), -32767);
}

}  // namespace
}  // namespace arenaproof::reference

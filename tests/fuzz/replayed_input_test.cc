// The tests that ./dev explain prints fail where the target does, and only there.
#include "tests/support/replayed_input.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace arenaproof {
namespace {

TEST(ReplayedInput, FailsWhereTheTargetDoes) {
  const testing::ReplayedInput rule = testing::ReplayInput("arenaproof-planted-target", "YWJjIFJVTEU=");
  EXPECT_NE(rule.exit_status, 0);
  EXPECT_NE(rule.said.find("VIOLATED: the planted rule, at byte 4"), std::string::npos) << rule.said;
  EXPECT_NE(testing::ReplayInput("arenaproof-planted-target", "RElF").exit_status, 0);
}

TEST(ReplayedInput, PassesWhereTheTargetDoes) {
  const testing::ReplayedInput fine = testing::ReplayInput("arenaproof-planted-target", "ZmluZQ==");
  EXPECT_EQ(fine.exit_status, 0) << fine.said;
  EXPECT_NE(fine.said.find("a text of 4 bytes"), std::string::npos) << fine.said;
}

TEST(ReplayedInput, RefusesWhatIsNoInputOfATarget) {
  EXPECT_THROW(testing::ReplayInput("no-target", ""), std::runtime_error);
  EXPECT_THROW(testing::ReplayInput("arenaproof-planted-target", "?"), std::runtime_error);
}

}  // namespace
}  // namespace arenaproof

// check --extents: what was really touched of each operand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// What was really touched, with what was read beside an operand, by declaration or without right.
TEST(Extents, AreThoseOfWholeBlocks) {
  struct Extents {
    std::string build;
    int highest_read;
  };
  for (const Extents& expected : {Extents{"", 19}, Extents{"overread-", 31}, Extents{"declared-12-", 31}}) {
    SCOPED_TRACE(expected.build);
    const auto run =
        Arenaproof("check --extents --json " + SeedModel(kFullyConnected) +
                   " --layout=dilated --instrument=shadow --kernels=shadow:" + Example(expected.build + "shadow"));
    const Json report = ParseJson(run.output);
    bool input = false, scratch = false;
    for (const Json& extent : report.at("parts").at(0).at("extents")) {
      if (extent.at("operator") != 0) continue;
      if (extent.at("kind") == "input") {
        input = true;
        EXPECT_EQ(extent.at("bytes"), 20);
        EXPECT_EQ(extent.at("lowest_read"), 0);
        EXPECT_EQ(extent.at("highest_read"), expected.highest_read);
        EXPECT_FALSE(extent.contains("lowest_written"));
      }
      if (extent.at("kind") == "scratch") {
        scratch = true;
        EXPECT_EQ(extent.at("bytes"), 256);
        EXPECT_EQ(extent.at("highest_written"), 255);
      }
    }
    EXPECT_TRUE(input);
    EXPECT_TRUE(scratch);
  }
}

TEST(Extents, AreATableAndNeedShadow) {
  const std::string model = SeedModel(kFullyConnected);
  for (const std::string words : {"", " -v"}) {
    const auto text = Arenaproof("check --extents --kernels=aligned-underread " + model + words);
    EXPECT_TRUE(HasText(text.output, "bytes touched in invoke (dilated, shadow), from each operand's first byte on"))
        << text.output;
    EXPECT_TRUE(HasText(text.output, "untouched")) << text.output;
    EXPECT_TRUE(HasText(text.output, "-12 to ")) << text.output;
  }
  const auto guard = Arenaproof("check --extents --instrument=guard " + model);
  EXPECT_EQ(guard.exit_status, 2);
  EXPECT_TRUE(HasText(guard.errors, "--extents is measured by shadow, which does not run")) << guard.errors;
  const auto plain = Arenaproof("check --extents --kernels=" + Example("plain") + " " + model);
  EXPECT_TRUE(HasText(plain.output, "not measured: 2 operators that shadow did not see")) << plain.output;
  EXPECT_FALSE(HasText(Arenaproof("check " + model).output, "bytes touched"));
}

}  // namespace
}  // namespace arenaproof::testing

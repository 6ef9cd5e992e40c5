// The example library in its builds, and what is said of accesses in it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/command_support.h"

namespace arenaproof::testing {

// Of the build that the command is of.
inline std::string Below(const std::string& path) {
  return (std::filesystem::path(CommandPath()).parent_path().parent_path() / path).string();
}
inline std::string Example(const std::string& name) {
  return Below("kernels/vendor/example/libexample-" + name + ".so");
}
// Kernels over XNNPACK that declare so many bytes behind their input; not there where XNNPACK is not.
inline std::string XnnpackExample(int declared_bytes) {
  return Below("kernels/vendor/xnnpack/libxnnpack-declared-" + std::to_string(declared_bytes) + ".so");
}
inline bool HasXnnpack() { return std::filesystem::exists(XnnpackExample(0)); }
inline constexpr const char* kNoXnnpack =
    "XNNPACK is not there: apt-get install libxnnpack-dev libpthreadpool-dev, and configure the build anew";
inline std::string ExampleOfBoth(const std::string& sound) {
  return "shadow:" + Example(sound + "shadow") + ",asan:" + Example(sound + "asan");
}

// Whose accesses the model chooses.
inline std::string AccessLibrary(const std::string& build) {
  return Below("tests/command/access_library/libaccess-" + build + ".so");
}

// Makes the library of faults misbehave so.
inline std::string Fault(const std::string& fault) { return "ARENAPROOF_FAULT=" + fault; }

// The furthest access behind an operand of the kind.
inline int FurthestBehind(const nlohmann::json& part, const std::string& kind) {
  int furthest = 0;
  for (const nlohmann::json& violation : part.at("violations")) {
    EXPECT_EQ(violation.at("kernel"), "example");
    EXPECT_EQ(violation.at("side"), "after");
    EXPECT_EQ(violation.at("access"), "read");
    if (violation.at("operand").at("kind") == kind) {
      furthest = std::max(furthest, violation.at("distance_bytes").get<int>());
    }
  }
  return furthest;
}

}  // namespace arenaproof::testing

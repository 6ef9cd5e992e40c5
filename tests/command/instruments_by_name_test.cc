// Instruments that need no compiler: `arenaproof check` runs them in the worker of the preset release when they are
// asked for by name.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/command/instruments.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

CommandRun CheckBy(const std::string& instrument, const std::string& words) {
  return Arenaproof("check " + words + " --instrument=" + instrument);
}

TEST(InstrumentsByName, NeedNoHooks) {
  for (const Instrument& instrument : AllInstruments()) {
    EXPECT_EQ(instrument.needs_hooks, instrument.name == "shadow" || instrument.name == "asan");
    if (!instrument.needs_hooks) EXPECT_EQ(instrument.preset, "release");
  }
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=microscope");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_NE(run.errors.find(std::string(AllInstruments().back().name)), std::string::npos) << run.errors;
}

TEST(InstrumentsByName, CanaryIsCleanAsFarAsItSees) {
  for (const char* kernels : {"reference", "aligned-faulty", "aligned-underread"}) {  // the faults are reads
    const auto run = CheckBy("canary", SeedModel(kFullyConnected) + " -v --layout=dilated --kernels=" + kernels);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_NE(run.output.find("\nclean as far as seen: reads, which canary does not see"), std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("canary cannot see: reads: "), std::string::npos) << run.output;
  }
}

// The faults of these sets are reads whose bytes are not used.
TEST(InstrumentsByName, TwofillSaysWhatItDoesNotSee) {
  for (const char* kernels : {"reference", "aligned", "aligned-faulty", "aligned-underread"}) {
    const auto run = CheckBy("twofill", SeedModel(kFullyConnected) + " -v --layout=dilated --kernels=" + kernels);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_NE(run.output.find("\nclean as far as seen: reads that influence no result, which twofill does not see"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("twofill cannot see: reads that influence no result"), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("its own output is not seen"), std::string::npos) << run.output;
  }
}

TEST(InstrumentsByName, FindNothingInModelsOfEveryKind) {
  for (const char* model : {"keyword_spotting_int8", "control_loop_float", "residual_int8"}) {
    for (const Instrument& instrument : AllInstruments()) {
      if (instrument.needs_hooks || instrument.name == "none") continue;
      const auto run = CheckBy(std::string(instrument.name), SeedModel(model) + " --runs=2 --json");
      ASSERT_EQ(run.exit_status, 0) << instrument.name << " " << model << run.errors << run.output;
      const Json report = ParseJson(run.output);
      ASSERT_FALSE(report.at("parts").empty());
      for (const Json& part : report.at("parts")) {
        EXPECT_EQ(part.at("self_test").at("sees"), true);
        EXPECT_GT(part.at("self_test").at("seen").size(), 20u);
        EXPECT_GT(part.at("self_test").at("limits").size(), 1u);
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing

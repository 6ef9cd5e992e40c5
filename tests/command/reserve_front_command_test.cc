// `arenaproof check --reserve-front=N`: what a kernel reads ahead of a vector at the head's start, by whether it
// stays in the reserve. With the instrument asan, whose worker has to be built beside this build, and in both layouts,
// as without options, where nothing else is said.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "corpus/network_builder.h"
#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::CommandRun;
using testing::ParseJson;
using Json = nlohmann::json;

// 16 values, fully connected to 20, those to 4: the 20 lie at the head's start, and the second operator's kernel reads
// up to 12 bytes before them and, when it is the faulty one, as many after them.
const std::string& VectorAtTheHeadsStart() {
  static const std::string model = [] {
    NetworkBuilder network("a vector at the head's start", 7, NetworkBuilder::Arithmetic::kInt8);
    const Flow vector = network.FullyConnected(network.Input({1, 16}), 20, true);
    return testing::WriteModel(network.Finish(network.FullyConnected(vector, 4, false)));
  }();
  return model;
}

CommandRun Check(const std::string& options, const std::string& kernels = "aligned-faulty") {
  return Arenaproof("check " + VectorAtTheHeadsStart() + " --instrument=asan --kernels=" + kernels + " " + options);
}

using Verdicts = std::map<std::string, std::string>;

// Side and what is said of its only violation, of one layout.
Verdicts VerdictsOf(const Json& report, const std::string& layout) {
  Verdicts verdicts;
  for (const Json& part : report.at("parts")) {
    if (part.at("layout") != layout) continue;
    for (const Json& violation : part.at("violations")) {
      if (violation.at("operand").at("kind") != "input") continue;
      EXPECT_TRUE(verdicts.emplace(violation.at("side"), violation.at("reserve")).second);
    }
  }
  return verdicts;
}

bool Says(const CommandRun& run, const std::string& what) { return run.output.find(what) != std::string::npos; }

TEST(ReserveFront, ThatIsLargeEnoughContainsTheUnderreadWhichRemainsAViolation) {
  for (const std::string bytes : {"12", "16", "65536"}) {
    const CommandRun run = Check("--json --reserve-front=" + bytes);
    ASSERT_EQ(run.exit_status, 1) << run.errors;
    const Json report = ParseJson(run.output);
    EXPECT_EQ(report.at("reserve_front_bytes"), std::stoi(bytes));
    EXPECT_EQ(VerdictsOf(report, "faithful"), (Verdicts{{"before", "contained"}, {"after", "reaches_object"}}))
        << bytes;
    EXPECT_EQ(VerdictsOf(report, "dilated"), (Verdicts{{"before", "not_checked"}, {"after", "not_checked"}})) << bytes;
  }
}

// The twin that does nothing else.
TEST(ReserveFront, ContainsAllThatATwinDoesWhichOnlyReadsAheadOfTheVector) {
  const CommandRun run = Check("--json --reserve-front=16", "aligned-underread");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_EQ(VerdictsOf(ParseJson(run.output), "faithful"), (Verdicts{{"before", "contained"}}));
}

TEST(ReserveFront, OfASeedModelWhoseVectorLiesBehindItsOutputContainsNothing) {
  const CommandRun run = Arenaproof("check " + testing::SeedModel("fully_connected_20_to_64_int8") +
                                    " --instrument=asan --kernels=aligned-faulty --reserve-front=16 --json");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_EQ(VerdictsOf(ParseJson(run.output), "faithful"), (Verdicts{{"after", "reaches_object"}}));
}

TEST(ReserveFront, ThatIsTooSmallDoesNotContainIt) {
  const CommandRun run = Check("--json --reserve-front=4");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_EQ(VerdictsOf(ParseJson(run.output), "faithful"),
            (Verdicts{{"before", "leaves_allocation"}, {"after", "reaches_object"}}));
}

// What the dilated layout shows of the same access says nothing about the device's.
TEST(ReserveFront, IsReportedInTextAsTheFaithfulLayoutHasIt) {
  const CommandRun both = Check("-v --reserve-front=16");
  ASSERT_EQ(both.exit_status, 1) << both.errors;
  const std::string reserve = "the reserve of 16 bytes in front of the head";
  EXPECT_TRUE(Says(both, "\n  contained in " + reserve + " (faithful layout), and a violation all the same\n"))
      << both.output;
  EXPECT_TRUE(Says(both, "\n  not contained in " + reserve +
                             " (faithful layout): it reaches other bytes of the arena or the model\n"));
  EXPECT_FALSE(Says(both, "leaves the allocation"));
  EXPECT_FALSE(Says(both, "not checked"));
  const CommandRun faithful = Check("-v --layout=faithful --reserve-front=16");
  EXPECT_TRUE(Says(faithful, "\n  contained in " + reserve)) << faithful.output;
  const CommandRun small = Check("-v --reserve-front=4");
  EXPECT_TRUE(Says(small,
                   "\n  not contained in the reserve of 4 bytes in front of the head (faithful layout): it leaves "
                   "the allocation\n"))
      << small.output;
}

TEST(ReserveFront, IsNotCheckedInTheDilatedLayoutAlone) {
  const CommandRun run = Check("-v --layout=dilated --reserve-front=16");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_TRUE(
      Says(run,
           "\n  not checked whether the reserve of 16 bytes in front of the head contains it: only the faithful "
           "layout shows it, which was not asked for\n"))
      << run.output;
  EXPECT_FALSE(Says(run, "  contained in"));
  EXPECT_FALSE(Says(run, "not contained in"));
}

TEST(ReserveFront, IsSaidNotToBeCheckedInTheDilatedLayoutAloneOfSoundKernelsToo) {
  const std::string sentence =
      "\nnot checked: what the reserve of 1 byte in front of the head contains; only the faithful layout shows it, "
      "which "
      "was not asked for\n";
  const CommandRun dilated = Check("-v --layout=dilated --reserve-front=1", "aligned");
  ASSERT_EQ(dilated.exit_status, 0) << dilated.errors;
  EXPECT_TRUE(Says(dilated, sentence)) << dilated.output;
  EXPECT_FALSE(Says(Check("-v --reserve-front=1", "aligned"), "not checked"));
  EXPECT_FALSE(Says(Check("-v --layout=dilated", "aligned"), "not checked"));
  EXPECT_EQ(ParseJson(Check("--json --layout=dilated --reserve-front=1", "aligned").output).at("reserve_checked"),
            false);
  EXPECT_EQ(ParseJson(Check("--json --reserve-front=1", "aligned").output).at("reserve_checked"), true);
  const auto unwatched = Arenaproof("check --instrument=none --json --reserve-front=1 " + VectorAtTheHeadsStart());
  EXPECT_EQ(ParseJson(unwatched.output).at("reserve_checked"), false);
}

TEST(ReserveFront, OfOneByteIsCalledOneByte) {
  const CommandRun run = Check("-v --layout=faithful --reserve-front=1", "aligned-underread");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_FALSE(Says(run, "1 bytes")) << run.output;
  const CommandRun json = Check("--json --layout=faithful --reserve-front=1", "aligned");
  EXPECT_TRUE(Says(json, "advanced over the reserve of 1 byte\"")) << json.output;
}

// The instrument's own proof has the frees of an application that has a reserve.
TEST(ReserveFront, FreeingTheAdvancedPointerIsReported) {
  const CommandRun run = Check("--json --reserve-front=16", "aligned");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = ParseJson(run.output);
  for (const Json& part : report.at("parts")) {
    const std::string seen = part.at("self_test").at("seen").dump();
    EXPECT_NE(seen.find("\"free of the pointer advanced over the reserve of 16 bytes\""), std::string::npos) << seen;
    EXPECT_NE(seen.find("\"second free of the original pointer\""), std::string::npos) << seen;
    EXPECT_TRUE(part.at("self_test").at("missed").empty());
  }
}

TEST(ReserveFront, OfNoBytesIsNone) {
  for (const char* const option : {"", "--reserve-front=0"}) {
    const CommandRun run = Check(std::string("--json ") + option);
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    const Json report = ParseJson(run.output);
    EXPECT_EQ(report.at("reserve_front_bytes"), 0);
    for (const char* const layout : {"faithful", "dilated"}) {
      EXPECT_EQ(VerdictsOf(report, layout), (Verdicts{{"before", "none"}, {"after", "none"}})) << layout;
    }
  }
}

TEST(ReserveFront, ChangesNothingForSoundKernels) {
  const CommandRun without = Check("--json", "aligned"), with = Check("--json --reserve-front=48", "aligned");
  EXPECT_EQ(without.exit_status, 0) << without.errors;
  EXPECT_EQ(with.exit_status, 0) << with.errors;
  for (std::size_t i = 0; i < 2; ++i) {
    const Json a = ParseJson(without.output).at("parts").at(i), b = ParseJson(with.output).at("parts").at(i);
    EXPECT_EQ(a.at("outputs"), b.at("outputs"));
    EXPECT_EQ(a.at("plan").at("buffers"), b.at("plan").at("buffers"));
  }
}

}  // namespace
}  // namespace arenaproof

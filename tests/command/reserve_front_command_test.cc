// `arenaproof check --reserve-front=N`: what a kernel reads ahead of a vector at the head's start, told by whether it
// stays in the reserve. With the instrument asan, whose worker has to be built beside this build.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "corpus/network_builder.h"
#include "tests/command/command_support.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::CommandRun;
using Json = nlohmann::json;

// 16 values, fully connected to 20, those to 4: the 20 lie at the head's start, and the second operator's kernel reads
// ahead of them by up to 12.
std::string VectorAtTheHeadsStart() {
  NetworkBuilder network("a vector at the head's start", 7, NetworkBuilder::Arithmetic::kInt8);
  const Flow input = network.Input({1, 16});
  return testing::WriteModel(network.Finish(network.FullyConnected(network.FullyConnected(input, 20, true), 4, false)));
}

CommandRun CheckWithReserve(const std::string& option, const std::string& kernels = "aligned-underread") {
  static const std::string model = VectorAtTheHeadsStart();
  return Arenaproof("check " + model + " --instrument=asan --layout=faithful --json --kernels=" + kernels + " " +
                    option);
}

// What the violations of the one part are said to be.
std::set<std::string> Verdicts(const Json& report) {
  std::set<std::string> verdicts;
  for (const Json& violation : report.at("parts").at(0).at("violations")) verdicts.insert(violation.at("reserve"));
  return verdicts;
}

TEST(ReserveFront, ThatIsLargeEnoughContainsTheUnderreadWhichRemainsAViolation) {
  for (const std::string bytes : {"16", "64", "65536"}) {
    const CommandRun run = CheckWithReserve("--reserve-front=" + bytes);
    ASSERT_EQ(run.exit_status, 1) << run.errors;
    const Json report = Json::parse(run.output);
    EXPECT_EQ(report.at("reserve_front_bytes"), std::stoi(bytes));
    EXPECT_TRUE(Verdicts(report).contains("contained")) << run.output;
    EXPECT_FALSE(Verdicts(report).contains("leaves_allocation")) << run.output;
  }
}

TEST(ReserveFront, ThatIsTooSmallDoesNotContainIt) {
  const CommandRun run = CheckWithReserve("--reserve-front=4");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_TRUE(Verdicts(Json::parse(run.output)).contains("leaves_allocation")) << run.output;
  EXPECT_FALSE(Verdicts(Json::parse(run.output)).contains("contained")) << run.output;
}

TEST(ReserveFront, OfNoBytesIsNone) {
  const CommandRun none = CheckWithReserve(""), zero = CheckWithReserve("--reserve-front=0");
  EXPECT_EQ(none.exit_status, 1) << none.errors;
  EXPECT_EQ(zero.exit_status, 1) << zero.errors;
  const Json report = Json::parse(zero.output);
  EXPECT_EQ(report.at("reserve_front_bytes"), 0);
  EXPECT_EQ(Verdicts(report), std::set<std::string>{"none"});
  EXPECT_EQ(Verdicts(Json::parse(none.output)), std::set<std::string>{"none"});
}

TEST(ReserveFront, ChangesNothingForSoundKernels) {
  const CommandRun without = CheckWithReserve("", "aligned"), with = CheckWithReserve("--reserve-front=48", "aligned");
  EXPECT_EQ(without.exit_status, 0) << without.errors;
  EXPECT_EQ(with.exit_status, 0) << with.errors;
  const Json a = Json::parse(without.output).at("parts").at(0), b = Json::parse(with.output).at("parts").at(0);
  EXPECT_EQ(a.at("outputs"), b.at("outputs"));
  EXPECT_EQ(a.at("plan").at("buffers"), b.at("plan").at("buffers"));
}

}  // namespace
}  // namespace arenaproof

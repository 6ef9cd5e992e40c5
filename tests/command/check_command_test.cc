// `arenaproof check` from end to end, with real workers of the presets shadow and asan: they have to be built beside
// this build (./dev test does).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

Json ParsedReport(const CommandRun& run) { return ParseJson(run.output); }

// The furthest distance on one side of an input that a part reports; 0: none.
int Furthest(const Json& part, const std::string& side) {
  int furthest = 0;
  for (const Json& violation : part.at("violations")) {
    if (violation.at("operand").at("kind") != "input" || violation.at("side") != side) continue;
    furthest = std::max(furthest, violation.at("distance_bytes").get<int>());
  }
  return furthest;
}

TEST(CheckCommand, FindsTheUnderreadAndTheOverreadToTheByte) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --kernels=aligned-faulty --json");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  const Json report = ParsedReport(run);
  ASSERT_EQ(report.at("not_available"), Json::array()) << "build the presets shadow and asan beside this one";
  ASSERT_EQ(report.at("parts").size(), 4u);
  for (const Json& part : report.at("parts")) {
    SCOPED_TRACE(part.at("layout").get<std::string>() + ", " + part.at("instrument").get<std::string>());
    EXPECT_EQ(Furthest(part, "after"), 12);
    // In the faithful layout the bytes before the input are the operator's own output.
    EXPECT_EQ(Furthest(part, "before"), part.at("layout") == "dilated" ? 12 : 0);
    if (part.at("layout") == "faithful") {
      EXPECT_GT(part.at("blind_pairs").at("count"), 0);
    } else {
      EXPECT_EQ(part.at("blind_pairs").at("count"), 0);
    }
    EXPECT_EQ(part.at("outputs"), report.at("parts")[0].at("outputs"));
  }
}

TEST(CheckCommand, FindsNothingInSoundKernels) {
  for (const char* kernels : {"reference", "aligned"}) {
    const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --json --runs=3 --kernels=" + kernels);
    ASSERT_EQ(run.exit_status, 0) << run.errors << run.output;
    const Json report = ParsedReport(run);
    EXPECT_EQ(report.at("accesses_checked"), true);
    for (const Json& part : report.at("parts")) EXPECT_EQ(part.at("outputs").size(), 3u);
  }
}

TEST(CheckCommand, SeesTheSameInTwoArenas) {
  for (const char* kernels : {"reference", "aligned-faulty"}) {
    const std::string words = "check " + SeedModel(kFullyConnected) + " --json --layout=dilated --kernels=" + kernels;
    const auto one = Arenaproof(words), two = Arenaproof(words + " --two-arenas");
    EXPECT_EQ(two.exit_status, one.exit_status) << two.errors;
    const Json in_one = ParsedReport(one), in_two = ParsedReport(two);
    ASSERT_EQ(in_two.at("parts").size(), in_one.at("parts").size());
    for (std::size_t i = 0; i < in_one.at("parts").size(); ++i) {
      const Json &expected = in_one.at("parts")[i], &found = in_two.at("parts")[i];
      EXPECT_EQ(found.at("outputs"), expected.at("outputs"));
      EXPECT_EQ(found.at("plan").at("buffers"), expected.at("plan").at("buffers"));
      EXPECT_EQ(Furthest(found, "before"), Furthest(expected, "before"));
      EXPECT_EQ(Furthest(found, "after"), Furthest(expected, "after"));
      for (const Json& violation : found.at("violations")) {
        EXPECT_NE(violation.at("reproduce").get<std::string>().find(" --two-arenas"), std::string::npos);
      }
    }
  }
}

// Neither arena has to be a multiple of 16 bytes.
TEST(CheckCommand, IsCleanInTwoArenasOfEverySizeFromTheNeedOn) {
  const std::string model = SeedModel("sine_regressor_int8");
  const Json pair = ParsedReport(Arenaproof("run --two-arenas --json " + model)).at("arena");
  const auto need = pair.at("need_bytes").get<std::size_t>();
  const auto persistent_need = pair.at("persistent_need_bytes").get<std::size_t>();
  for (std::size_t more = 0; more <= 16; ++more) {
    const auto run = Arenaproof(
        "check " + model + " --instrument=shadow --two-arenas --json --arena-bytes=" + std::to_string(need + more) +
        " --persistent-arena-bytes=" + std::to_string(persistent_need + more));
    ASSERT_EQ(run.exit_status, 0) << more << "\n" << run.errors << run.output;
    const Json report = ParsedReport(run);
    for (const Json& part : report.at("parts")) {
      EXPECT_EQ(part.at("plan").at("device_arena_bytes"), need + more);
      EXPECT_EQ(part.at("plan").at("device_persistent_arena_bytes"), persistent_need + more);
    }
  }
  for (const auto& [less, persistent_less] : {std::pair{1, 0}, std::pair{0, 1}}) {
    const auto run = Arenaproof("check " + model + " --instrument=shadow --two-arenas --arena-bytes=" +
                                std::to_string(need - static_cast<std::size_t>(less)) + " --persistent-arena-bytes=" +
                                std::to_string(persistent_need - static_cast<std::size_t>(persistent_less)));
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_NE(run.errors.find("too small"), std::string::npos) << run.errors;
  }
}

TEST(CheckCommand, SaysThatItsMemoryIsLimitedWhateverTheInstrument) {
  for (const char* instrument : {"shadow", "none"}) {
    const auto run =
        Arenaproof("check " + SeedModel(kFullyConnected) + " --arena-bytes=2147483648 --memory-limit=1024" +
                   " --layout=faithful --instrument=" + instrument);
    EXPECT_EQ(run.exit_status, 2) << instrument << run.output;
    EXPECT_NE(run.errors.find("used more than 1024 MiB of memory; --memory-limit=MEBIBYTES allows more"),
              std::string::npos)
        << run.errors;
  }
}

TEST(CheckCommand, SaysWhatIsRightWhenTheGivenArenaIsTooSmall) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=asan --arena-bytes=64");
  EXPECT_EQ(run.exit_status, 2) << run.output;
  EXPECT_NE(run.errors.find("; the arena has 64 bytes, and "), std::string::npos) << run.errors;
  EXPECT_TRUE(run.errors.ends_with(" are needed\n")) << run.errors;
}

// Buffers of called subgraphs are distinguished from those of the first.
TEST(CheckCommand, ReportsTheSubgraphOfEveryPlanEntry) {
  const std::string model = SeedModel("control_loop_float");
  const Json checked = ParsedReport(Arenaproof("check --instrument=none --layout=faithful --json " + model));
  const Json ran = ParsedReport(Arenaproof("run --json " + model));
  EXPECT_EQ(checked.at("parts").at(0).at("plan").at("buffers"), ran.at("plan"));
}

TEST(CheckCommand, ShowsTheReportPeopleRead) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --kernels=aligned-faulty --layout=dilated -v");
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  for (const char* piece : {"FULLY_CONNECTED (operator 0)", "kernel aligned-faulty",
                            "reads up to 12 bytes before input tensor 0", "reads up to 12 bytes after input tensor 0",
                            "map (dilated, shadow)", "reproduce: ", "outputs, equal in all", "violations found"}) {
    EXPECT_NE(run.output.find(piece), std::string::npos) << piece << " is not in\n" << run.output;
  }
  const auto place = run.output.find("reproduce: ") + 11;
  const std::string again = run.output.substr(place, run.output.find('\n', place) - place);
  EXPECT_EQ(std::system((again + " >/dev/null").c_str()), 1 << 8) << again;
}

TEST(CheckCommand, WithoutAnInstrumentNoticesNothingAndSaysSo) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " -v --kernels=aligned-faulty --instrument=none");
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_NE(run.output.find("\nno instrument: accesses were not checked\n"), std::string::npos) << run.output;
  const auto faulty =
      Arenaproof("check " + SeedModel(kFullyConnected) + " --kernels=aligned-faulty --instrument=none --json");
  const auto sound =
      Arenaproof("check " + SeedModel(kFullyConnected) + " --kernels=reference --instrument=none --json");
  EXPECT_EQ(ParsedReport(faulty).at("parts")[0].at("outputs"), ParsedReport(sound).at("parts")[0].at("outputs"));
  EXPECT_EQ(ParsedReport(faulty).at("accesses_checked"), false);
}

TEST(CheckCommand, RefusesASetThatServesNoOperator) {
  const auto run = Arenaproof("check " + SeedModel("person_detection_int8") + " --kernels=aligned");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_TRUE(
      run.errors.ends_with("': the kernel set 'aligned' serves no operator of the model; 'arenaproof operators' "
                           "lists the sets that serve each\n"))
      << run.errors;
}

// The worker of AddressSanitizer's build with options of its sanitizers that it does not have by itself.
CommandRun CheckWithAsanOptions(const std::string& options) {
  const std::string script = "ASAN_OPTIONS=" + options + " exec '" + WorkerOf("asan") + "' \"$@\"";
  return Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=asan",
                    "ARENAPROOF_WORKER_DIR=" + FolderWithWorker("asan", script));
}

TEST(CheckCommand, NeverCallsABlindInstrumentClean) {
  const auto run = CheckWithAsanOptions("allow_user_poisoning=0");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_NE(run.errors.find("blind"), std::string::npos) << run.errors;
}

TEST(CheckCommand, CouldNotRunWhenTheInstrumentEndsTheProgram) {
  for (const char* options : {"halt_on_error=1", "halt_on_error=1:abort_on_error=1"}) {
    const auto run = CheckWithAsanOptions(options);
    EXPECT_EQ(run.exit_status, 2) << options << run.output;
    EXPECT_NE(run.errors.find("during its self-test"), std::string::npos) << run.errors;
  }
}

TEST(CheckCommand, SeesTheOperatorsThatRanAndNamesItsLimits) {
  const Json report = ParsedReport(Arenaproof("check " + SeedModel(kFullyConnected) + " --json"));
  for (const Json& part : report.at("parts")) {
    ASSERT_GT(part.at("operators").size(), 0u);
    for (const Json& one : part.at("operators")) EXPECT_EQ(one.at("seen"), true);
    EXPECT_NE(part.at("self_test").at("limits").dump().find("outputs are open for reading too"), std::string::npos);
    // The lists of scales and zero points lie as in the file, whatever the layout.
    EXPECT_GT(part.at("blind_pairs_in_prepare").at("count"), 0);
  }
}

// More accesses than the instrument can report: it stops checking, and reports where.
TEST(CheckCommand, SaysWhereTheInstrumentStoppedChecking) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) +
                              " --kernels=aligned-faulty --instrument=asan --layout=dilated --runs=1000 -v");
  EXPECT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_NE(run.output.find(" 0 of 2, 2 in part "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find(" of 1000 invokes of FULLY_CONNECTED (operator 0), kernel aligned-faulty\n"),
            std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("or more; capped at operator 0: later accesses were not checked\n"), std::string::npos);
  EXPECT_TRUE(run.output.ends_with(
      "\nviolations found; dilated, asan was capped at operator 0: later accesses were not checked\n"))
      << run.output;
}

TEST(CheckCommand, CallsTheFaithfulLayoutAloneCleanAsFarAsSeen) {
  const std::string check = "check " + SeedModel(kFullyConnected) + " -v --kernels=aligned --instrument=shadow";
  const auto faithful = Arenaproof(check + " --layout=faithful"), both = Arenaproof(check);
  ASSERT_EQ(faithful.exit_status, 0) << faithful.errors;
  EXPECT_TRUE(
      faithful.output.find("\nclean as far as seen: 9 blind pairs in the faithful layout, which --layout=dilated "
                           "takes apart") != std::string::npos)
      << faithful.output;
  EXPECT_NE(both.output.find("\nclean: no access outside the running operator's operands"), std::string::npos)
      << both.output;
}

// Two figures for the arena of one layout: what a report gives it, and the least it needs.
TEST(CheckCommand, SaysWhatTheDilatedArenaIsBesideTheOneOfSize) {
  const auto check = Arenaproof("check -v --instrument=none --layout=dilated " + SeedModel("sine_regressor_int8"));
  EXPECT_NE(check.output.find(", spread over "), std::string::npos) << check.output;
  EXPECT_NE(
      check.output.find("\n  spread over: the arena that the dilated layout is given here; the least it needs is in "
                        "the report of 'size'\n"),
      std::string::npos)
      << check.output;
  const auto size = Arenaproof("size " + SeedModel("sine_regressor_int8"));
  EXPECT_NE(size.output.find("('spread over' in its report)"), std::string::npos) << size.output;
  const auto faithful = Arenaproof("check -v --instrument=none --layout=faithful " + SeedModel("sine_regressor_int8"));
  EXPECT_EQ(faithful.output.find("spread over"), std::string::npos) << faithful.output;
}

TEST(CheckCommand, SawNoOperatorWithoutAnInstrument) {
  const Json report = ParsedReport(Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=none --json"));
  for (const Json& part : report.at("parts")) {
    for (const Json& one : part.at("operators")) EXPECT_EQ(one.at("seen"), false);
  }
}

TEST(CheckCommand, ShowsTheArenasSizeAsGiven) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " -v --instrument=shadow --arena-bytes=54321");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_NE(run.output.find(" 54321 "), std::string::npos) << run.output;
  const auto json = ParsedReport(
      Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=shadow --arena-bytes=54321 --json"));
  for (const Json& part : json.at("parts")) {
    EXPECT_EQ(part.at("plan").at("device_arena_bytes"), 54321);
    if (part.at("layout") == "faithful") {
      EXPECT_EQ(part.at("plan").at("arena_bytes"), 54321);
    }
  }
}

TEST(CheckCommand, SaysWhichInstrumentIsMissing) {
  const std::string nowhere = "ARENAPROOF_WORKER_DIR=/nowhere";
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=shadow", nowhere);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_NE(run.errors.find("'shadow' is not available"), std::string::npos) << run.errors;
  EXPECT_EQ(Arenaproof("check " + SeedModel(kFullyConnected), nowhere).exit_status, 2);
  // No folder at all is none that was named.
  const std::string empty = "ARENAPROOF_WORKER_DIR=";
  EXPECT_EQ(Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=shadow --quiet", empty).exit_status, 0);
}

TEST(CheckCommand, TellsAWorkerThatCannotBeExecutedFromOneThatIsNotThere) {
  const std::string folder = TemporaryFolder();
  std::filesystem::create_directories(folder + "/shadow/tools/worker");
  std::ofstream(folder + "/shadow/tools/worker/arenaproof-worker") << "no program";
  const auto run =
      Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=shadow", "ARENAPROOF_WORKER_DIR=" + folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_NE(run.errors.find("arenaproof-worker cannot be executed"), std::string::npos) << run.errors;
}

TEST(CheckCommand, PutsWhatWasAskedForIntoTheJson) {
  const Json report =
      ParsedReport(Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=none --layout=faithful --json"));
  EXPECT_EQ(report.at("two_arenas"), false);
  EXPECT_EQ(report.at("reserve_front_bytes"), 0);
  EXPECT_EQ(report.at("trust_plan"), false);
  EXPECT_FALSE(report.contains("arena_bytes"));
  const Json pair =
      ParsedReport(Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=none --layout=faithful --json" +
                              " --two-arenas --arena-bytes=4096 --persistent-arena-bytes=8192"));
  EXPECT_EQ(pair.at("two_arenas"), true);
  EXPECT_EQ(pair.at("arena_bytes"), 4096);
  EXPECT_EQ(pair.at("persistent_arena_bytes"), 8192);
}

// A worker that is a shell script.
class FakeWorker : public ::testing::Test {
 protected:
  CommandRun Check(const std::string& script) {
    return Arenaproof("check --instrument=shadow --layout=faithful --time-limit=2 " + SeedModel(kFullyConnected),
                      "ARENAPROOF_WORKER_DIR=" + FolderWithShadowWorker(script));
  }
};

TEST_F(FakeWorker, ThatDiesInTheCheckedKernelsIsAViolation) {
  const auto run = Check(R"(echo '{"event":"plan","head_bytes":1}' >&3; kill -SEGV $$)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_NE(run.output.find("died of signal 11"), std::string::npos) << run.output;
}

TEST_F(FakeWorker, ThatDiesElsewhereIsAnInternalError) {
  EXPECT_EQ(Check("kill -ABRT $$").exit_status, 3);
  EXPECT_EQ(Check("exit 0").exit_status, 3);
  EXPECT_EQ(Check("echo nonsense >&3; exit 0").exit_status, 3);
  EXPECT_EQ(Check(R"(echo '{"event":"finished"}' >&3; exit 77)").exit_status, 3);
}

TEST_F(FakeWorker, ThatIsKilledFromOutsideCouldNotRun) {
  const auto run = Check(R"(echo '{"event":"plan","head_bytes":1}' >&3; kill -KILL $$)");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_NE(run.errors.find("from outside (out of memory?)"), std::string::npos) << run.errors;
}

// Not every part could run: the sentence is where other commands say it, beside the report of those that could.
TEST_F(FakeWorker, ThatCouldNotRunIsNamedOnStandardErrorBesideTheReportOfTheOthers) {
  const std::string folder = FolderWithShadowWorker(
      "case \"$*\" in *--layout=dilated*) exec sleep 60;; esac\n"
      R"(echo '{"event":"finished"}' >&3)");
  const auto run = Arenaproof("check -v --instrument=shadow --time-limit=1 " + SeedModel(kFullyConnected),
                              "ARENAPROOF_WORKER_DIR=" + folder);
  EXPECT_EQ(run.exit_status, 2) << run.output;
  EXPECT_EQ(run.errors,
            "arenaproof check: shadow over the dilated layout: the child was ended after 1 second; "
            "--time-limit=SECONDS allows more\n");
  EXPECT_NE(run.output.find("faithful  shadow"), std::string::npos) << run.output;
}

TEST_F(FakeWorker, TellsTheSubgraphOfWhatLiesInACalledOne) {
  const std::string folder = FolderWithShadowWorker(
      R"(echo '{"event":"blind_pairs","count":1,"pairs":[{"subgraph":2,"operator":5,"operator_name":"ADD"}]}' >&3
echo '{"event":"refused","stage":"invoke","subgraph":2,"operator":5,"sentence":"no"}' >&3
exit 2)");
  const auto run = Arenaproof("check --instrument=shadow --layout=faithful --json " + SeedModel(kFullyConnected),
                              "ARENAPROOF_WORKER_DIR=" + folder);
  EXPECT_EQ(run.exit_status, 2) << run.errors;
  const Json part = ParsedReport(run).at("parts").at(0);
  EXPECT_EQ(part.at("blind_pairs").at("first_pairs").at(0).at("subgraph"), 2);
  EXPECT_EQ(part.at("refusal").at("subgraph"), 2);
}

TEST_F(FakeWorker, ThatHangsCouldNotRun) {
  const auto run = Check("exec sleep 60");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_NE(run.errors.find("--time-limit"), std::string::npos) << run.errors;
}

}  // namespace
}  // namespace arenaproof::testing

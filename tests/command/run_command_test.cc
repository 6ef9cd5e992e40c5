#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/model/input_generator.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::ParseJson;
using testing::SeedModel;
using Json = nlohmann::json;

TEST(RunCommand, ReadsInputsAndWritesOutputsAsRawBytes) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8"), folder = testing::TemporaryFolder();
  std::vector<std::byte> input(20);
  ASSERT_TRUE(InputGenerator(7).Fill(TensorType::kInt8, input));
  std::ofstream(folder + "/input.bin", std::ios::binary).write(reinterpret_cast<const char*>(input.data()), 20);
  const auto from_file =
      Arenaproof("run " + model + " --json --input=0:" + folder + "/input.bin --output-dir=" + folder + "/out");
  ASSERT_EQ(from_file.exit_status, 0) << from_file.errors;
  const auto generated = Arenaproof("run " + model + " --json --seed=7");
  const Json first = ParseJson(from_file.output), second = ParseJson(generated.output);
  EXPECT_EQ(first.at("outputs"), second.at("outputs"));
  const auto bytes = testing::ReadFileBytes(folder + "/out/output_0.bin");
  ASSERT_EQ(bytes.size(), 4u);
  EXPECT_EQ(static_cast<double>(static_cast<std::int8_t>(bytes[0])), first.at("outputs")[0].at("first_values")[0]);
}

TEST(RunCommand, TellsWhatTheTailIsSpentOn) {
  const std::string run = "run " + SeedModel("fully_connected_20_to_64_int8");
  const auto plain = Arenaproof(run + " --json");
  const auto recorded = Arenaproof(run + " --json --record");
  ASSERT_EQ(recorded.exit_status, 0) << recorded.errors;
  const Json without = ParseJson(plain.output), with = ParseJson(recorded.output);
  EXPECT_EQ(with.at("plan"), without.at("plan"));
  EXPECT_EQ(with.at("outputs"), without.at("outputs"));
  EXPECT_FALSE(without.contains("record"));
  ASSERT_EQ(with.at("record").size(), 7u);
  std::size_t used_bytes = 0;
  for (const Json& category : with.at("record")) used_bytes += category.at("used_bytes").get<std::size_t>();
  EXPECT_GT(used_bytes, 0u);
  EXPECT_LE(used_bytes, with.at("arena").at("tail_bytes").get<std::size_t>());
  const auto text = Arenaproof(run + " --record");
  EXPECT_NE(text.output.find("[RecordingMicroAllocator] Arena allocation total "), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("[RecordingMicroAllocator] 'TfLiteEvalTensor data' used "), std::string::npos);
}

TEST(RunCommand, WritesNothingWhenItRefuses) {
  const std::string folder = testing::TemporaryFolder() + "/out";
  const auto run = Arenaproof("run " + SeedModel("fully_connected_20_to_64_int8") +
                              " --input=0:/etc/hostname --output-dir=" + folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(RunCommand, TakesTheModelAfterAnInputAndAfterTwoDashes) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8"), folder = testing::TemporaryFolder();
  std::ofstream(folder + "/input.bin") << std::string(20, 'a');
  for (const std::string& words : {"run --input=0:" + folder + "/input.bin ", "run --input 0:" + folder + "/input.bin ",
                                   std::string("run -- "), std::string("describe -- ")}) {
    const auto run = Arenaproof(words + model);
    EXPECT_EQ(run.exit_status, 0) << words << run.errors;
  }
}

// Every way in which a name of --output-dir can be in the way.
TEST(RunCommand, WritesAllOutputsOrLeavesNothing) {
  const std::string run = "run " + SeedModel("fully_connected_20_to_64_int8") + " --output-dir=";
  namespace fs = std::filesystem;
  const auto count = [](const std::string& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  };
  std::string folder = testing::TemporaryFolder();
  const std::string victim = folder + "/victim";
  std::ofstream(victim) << "kept";
  for (const char* name : {"/a/output_0.bin.part", "/b/output_0.bin"}) {
    fs::create_directory(fs::path(folder + name).parent_path());
    fs::create_symlink(victim, folder + name);
  }
  EXPECT_EQ(Arenaproof(run + folder + "/a").exit_status, 0);
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder + "/a/output_0.bin")));
  EXPECT_EQ(count(folder + "/a"), 1);
  EXPECT_EQ(Arenaproof(run + folder + "/b").exit_status, 2);
  EXPECT_EQ(count(folder + "/b"), 1);
  EXPECT_EQ(testing::ReadFileBytes(victim).size(), 4u);

  fs::create_directories(folder + "/c/output_0.bin");
  EXPECT_EQ(Arenaproof(run + folder + "/c").exit_status, 2);
  EXPECT_EQ(count(folder + "/c"), 1);

  ASSERT_EQ(mkfifo((folder + "/a/output_0.bin.part").c_str(), 0600), 0);
  EXPECT_EQ(Arenaproof(run + folder + "/a").exit_status, 0)
      << "it must neither wait for a reader nor write to the pipe";
  EXPECT_EQ(count(folder + "/a"), 1);
}

TEST(RunCommand, TakesBackWhatItMadeWhenAFileGrowsTooLarge) {
  const std::string folder = testing::TemporaryFolder();
  // Through a pipe: the sentence itself would not fit into a file.
  Arenaproof("run " + SeedModel("fully_connected_20_to_64_int8") + " --output-dir=" + folder +
                 "/new/folder; echo status $?) 2>&1 | cat >" + folder + "/said; :",
             "(ulimit -f 0;");
  EXPECT_FALSE(std::filesystem::exists(folder + "/new"));
  std::ifstream file(folder + "/said");
  const std::string said{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(said.ends_with("File too large\nstatus 2\n")) << said;
}

TEST(EveryCommand, SaysWhatIsWrongWithANumberOrAFlag) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  const std::pair<const char*, const char*> cases[] = {{" --seed=abc", "'abc' is not a whole decimal number"},
                                                       {" --seed=010", "'010' starts with 0"},
                                                       {" --seed=0", "0 is not in the range from 1"},
                                                       {" --json=false", "--json takes no value"},
                                                       {" --json=true", "--json takes no value"},
                                                       {" --seed=1 --seed=2", "--seed is given 2 times"}};
  for (const auto& [words, sentence] : cases) {
    for (const char* command : {"run ", "check "}) {
      const auto run = Arenaproof(command + model + words);
      EXPECT_EQ(run.exit_status, 2) << command << words;
      EXPECT_EQ(run.output, "");
      EXPECT_NE(run.errors.find(sentence), std::string::npos) << run.errors;
    }
  }
}

TEST(EveryCommand, SaysWhyItCannotReadAFile) {
  const std::string folder = testing::TemporaryFolder();
  std::filesystem::create_symlink("loop", folder + "/loop");
  for (const char* command : {"run ", "describe ", "check "}) {
    const auto run = Arenaproof(command + folder + "/loop");
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_NE(run.errors.find("Too many levels of symbolic links"), std::string::npos) << run.errors;
  }
}

TEST(EveryCommand, SaysThatItMayNotOpenEnoughFiles) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  for (const char* limit : {"8", "9", "10", "11", "12", "13"}) {
    for (const std::string command : {"run ", "describe ", "check --instrument=none "}) {
      const auto run = Arenaproof(command + model + ")", std::string("(ulimit -n ") + limit + ";");
      EXPECT_EQ(run.exit_status, 2) << command << limit;
      EXPECT_NE(run.errors.find("Too many open files"), std::string::npos) << run.errors;
    }
  }
}

TEST(EveryCommand, SaysThatItsReportWasLost) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  for (const std::string& command : {"run " + model, "describe " + model, "check --instrument=none " + model,
                                     std::string("--help"), std::string("--version"), std::string("run --help")}) {
    for (const char* lost : {"/dev/full", "&-"}) {
      // A shell of its own: the redirection comes before the one that Arenaproof() appends.
      const auto run = Arenaproof(command + " >" + lost + "; echo status $?)", "(");
      EXPECT_EQ(run.output, "status 2\n") << command << " >" << lost;
      EXPECT_TRUE(run.errors.ends_with("standard output did not take the whole report\n")) << run.errors;
    }
  }
}

// Both in one sentence.
TEST(EveryCommand, SaysThatTheReportOfARefusalWasLost) {
  const std::string refused = SeedModel("person_detection_int8") + " --kernels=aligned";
  const std::string text = (testing::SourceFolder() / "README.md").string();
  for (const std::string& command :
       {"check --json " + refused, "check --json " + text, "run --json " + text, "describe --json " + text,
        "size --json " + text, "describe " + testing::OverlappingModel(), "check " + testing::OverlappingModel()}) {
    for (const char* lost : {"/dev/full", "&-"}) {
      const auto run = Arenaproof(command + " >" + lost + "; echo status $?)", "(");
      EXPECT_EQ(run.output, "status 2\n") << command << " >" << lost;
      EXPECT_TRUE(run.errors.ends_with("; standard output did not take the whole report\n")) << run.errors;
      EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
    }
  }
}

TEST(EveryCommand, PutsARefusalIntoTheJson) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  for (const std::string command : {"run", "describe"}) {
    for (const std::string& words : {std::string("/nowhere"), std::string("/etc/passwd"), model + " --kernels=x"}) {
      const auto run = Arenaproof(command + " --json " + words);
      EXPECT_EQ(run.exit_status, 2);
      const Json report = ParseJson(run.output);
      ASSERT_TRUE(report.is_object()) << command << " " << words << "\n" << run.output;
      EXPECT_EQ(report.at("command"), command);
      EXPECT_EQ(report.at("exit_status"), 2);
      EXPECT_NE(run.errors.find(report.at("refusal").get<std::string>()), std::string::npos);
    }
  }
}

TEST(RunCommand, NeedsTheArenaItSaysAndNotOneByteLess) {
  const std::string model = SeedModel("keyword_spotting_int8");
  const auto run = Arenaproof("run " + model + " --json");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = ParseJson(run.output);
  const auto need = report.at("arena").at("need_bytes").get<std::size_t>();
  const auto exact = Arenaproof("run " + model + " --json --arena-bytes=" + std::to_string(need));
  EXPECT_EQ(exact.exit_status, 0);
  EXPECT_EQ(ParseJson(exact.output).at("outputs"), report.at("outputs"));
  const auto less = Arenaproof("run " + model + " --arena-bytes=" + std::to_string(need - 1));
  EXPECT_EQ(less.exit_status, 2);
  EXPECT_NE(less.errors.find("the arena is too small"), std::string::npos) << less.errors;
}

TEST(RunCommand, CountsWhatRecordingTakesIntoTheArena) {
  for (const char* name : {"sine_regressor_int8", "keyword_spotting_int8"}) {
    const std::string run = "run " + SeedModel(name) + " --record --json";
    const Json least = ParseJson(Arenaproof(run).output).at("arena");
    const auto need = least.at("need_bytes").get<std::size_t>();
    EXPECT_EQ(least.at("arena_bytes"), need);
    const auto exact = Arenaproof(run + " --arena-bytes=" + std::to_string(need));
    ASSERT_EQ(exact.exit_status, 0) << exact.errors;
    EXPECT_EQ(ParseJson(exact.output).at("arena").at("arena_bytes"), need);
    EXPECT_EQ(Arenaproof(run + " --arena-bytes=" + std::to_string(need - 1)).exit_status, 2);
    const Json plain = ParseJson(Arenaproof("run --json " + SeedModel(name)).output).at("arena");
    EXPECT_EQ(plain.at("need_bytes").get<std::size_t>() + 400, need) << "the help speaks of 400 bytes";
  }
  EXPECT_NE(Arenaproof("run --help").output.find("takes up to 400 bytes"), std::string::npos);
}

TEST(RunCommand, SaysWhatItsNeedIncludesThatADeviceDoesNotHave) {
  const std::string run = "run " + SeedModel("keyword_spotting_int8");
  const std::string least = "which is the least that set-up needs",
                    from = " (from an address that is a multiple of 64)\n";
  EXPECT_NE(Arenaproof(run).output.find(least + from), std::string::npos);
  EXPECT_EQ(Arenaproof(run).output.find("arenaproof size"), std::string::npos);
  const std::pair<const char*, const char*> cases[] = {
      {" --all-tensors", " with every tensor kept apart (--all-tensors)"},
      {" --record", " with the record (--record)"},
      {" --all-tensors --record", " with every tensor kept apart (--all-tensors) and the record (--record)"}};
  for (const auto& [words, what] : cases) {
    const auto text = Arenaproof(run + words).output;
    EXPECT_NE(text.find(least + what + from), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("'arenaproof size' reports its need\n")) << text;
  }
}

TEST(RunCommand, NamesTheFilesThatItWrote) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8"), folder = testing::TemporaryFolder() + "/out";
  const std::string file = folder + "/output_0.bin", run = "run " + model + " --output-dir=" + folder;
  const auto text = Arenaproof(run);
  EXPECT_NE(text.output.find("\noutput 0 written to '" + file + "', 4 bytes\n"), std::string::npos) << text.output;
  const Json report = ParseJson(Arenaproof(run + " --json").output);
  EXPECT_EQ(report.at("output_files"), Json::array({file}));
  EXPECT_EQ(std::filesystem::file_size(file), report.at("outputs")[0].at("bytes"));
  EXPECT_FALSE(ParseJson(Arenaproof("run --json " + model).output).contains("output_files"));
}

TEST(EveryCommand, PrintsIntegersAsIntegers) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  const Json ran = ParseJson(Arenaproof("run --json " + model).output);
  const Json checked = ParseJson(Arenaproof("check --json --instrument=none --layout=faithful " + model).output);
  for (const Json& value : {ran.at("inputs")[0], ran.at("outputs")[0], checked.at("parts")[0].at("outputs")[0]}) {
    ASSERT_FALSE(value.at("first_values").empty());
    for (const Json& number : value.at("first_values")) EXPECT_TRUE(number.is_number_integer()) << value.dump();
  }
}

TEST(RunCommand, RunsInTheLeastPairOfArenasAndInNoSmallerOne) {
  const std::string model = SeedModel("keyword_spotting_int8"), run = "run --json --two-arenas " + model;
  const Json report = ParseJson(Arenaproof(run).output);
  const auto need = report.at("arena").at("need_bytes").get<std::size_t>();
  const auto persistent_need = report.at("arena").at("persistent_need_bytes").get<std::size_t>();
  EXPECT_EQ(report.at("outputs"), ParseJson(Arenaproof("run --json " + model).output).at("outputs"));
  const Json size = ParseJson(Arenaproof("size --json --two-arenas " + model).output).at("faithful");
  EXPECT_EQ(size.at("need_bytes"), need);
  EXPECT_EQ(size.at("persistent_need_bytes"), persistent_need);
  const auto with = [&](std::size_t bytes, std::size_t persistent_bytes) {
    return Arenaproof(run + " --arena-bytes=" + std::to_string(bytes) +
                      " --persistent-arena-bytes=" + std::to_string(persistent_bytes));
  };
  const auto exact = with(need, persistent_need);
  ASSERT_EQ(exact.exit_status, 0) << exact.errors;
  EXPECT_EQ(ParseJson(exact.output).at("arena").at("persistent_arena_bytes"), persistent_need);
  EXPECT_EQ(with(need - 1, persistent_need).exit_status, 2);
  EXPECT_EQ(with(need, persistent_need - 1).exit_status, 2);
}

TEST(EveryCommand, RefusesAnArenaOfNoBytes) {
  const std::string model = SeedModel("sine_regressor_int8");
  for (const std::string words :
       {"run --arena-bytes=0 ", "run --two-arenas --arena-bytes=0 ", "run --two-arenas --persistent-arena-bytes=0 ",
        "check --arena-bytes=0 ", "check --two-arenas --arena-bytes=0 --layout=dilated ",
        "check --two-arenas --persistent-arena-bytes=0 "}) {
    const auto run = Arenaproof(words + model);
    EXPECT_EQ(run.exit_status, 2) << words << run.output;
    EXPECT_EQ(run.output, "");
    EXPECT_NE(run.errors.find("too small"), std::string::npos) << words << run.errors;
  }
}

TEST(RunCommand, NamesTheWordsThatDoTheSameAgain) {
  const std::string model = SeedModel("sine_regressor_int8"), folder = testing::TemporaryFolder();
  std::ofstream(folder + "/in put") << "x";
  const auto run =
      Arenaproof("run " + model + " --record --all-tensors --arena-bytes=9999 --trust-plan --input='0:" + folder +
                 "/in put' --seed=3");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const std::string header = run.output.substr(0, run.output.find('\n'));
  const auto again = Arenaproof(header.substr(header.find(' ') + 1));
  EXPECT_EQ(again.output, run.output) << header;
  for (const char* word : {"--record", "--all-tensors", "--arena-bytes=9999", "--trust-plan", "--input="}) {
    EXPECT_NE(header.find(word), std::string::npos) << header;
  }
}

TEST(RunCommand, SaysWhereTheOutputsAreWhenItsReportWasLost) {
  const std::string folder = testing::TemporaryFolder();
  const auto run = Arenaproof(
      "run " + SeedModel("sine_regressor_int8") + " --output-dir=" + folder + " >/dev/full; echo status $?)", "(");
  EXPECT_EQ(run.output, "status 2\n");
  EXPECT_EQ(run.errors,
            "arenaproof: the outputs are in '" + folder + "', but standard output did not take the whole report\n");
  EXPECT_TRUE(std::filesystem::exists(folder + "/output_0.bin"));
}

TEST(EveryCommand, NamesTheFileThatItRefuses) {
  const std::string model = SeedModel("sine_regressor_int8");
  for (const std::string command : {"run --arena-bytes=64 ", "check --instrument=none --arena-bytes=64 "}) {
    const auto run = Arenaproof(command + model);
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_NE(run.errors.find("'" + model + "': the arena of 64 bytes is too small"), std::string::npos)
        << command << run.errors;
  }
}

TEST(EveryCommand, RefusesALargeFileThatIsNoModelByItsFirstBytes) {
  const std::string path = testing::TemporaryFolder() + "/large";
  std::ofstream(path) << "no model at all";
  std::filesystem::resize_file(path, std::size_t{1} << 30);
#if defined(ARENAPROOF_ASAN)  // whose shadow is larger than any limit of addresses
  const char* const limit = "(export ASAN_OPTIONS=hard_rss_limit_mb=400;";
#else
  const char* const limit = "(ulimit -v 500000;";
#endif
  for (const char* command : {"run ", "describe ", "size ", "check --instrument=none --layout=faithful "}) {
    const auto start = std::chrono::steady_clock::now();
    const auto run = Arenaproof(command + path + ")", limit);
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_NE(run.errors.find("is no TFLite model"), std::string::npos) << command << run.errors;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
}

TEST(RunCommand, KeepsEveryTensorApart) {
  const auto run = Arenaproof("run " + SeedModel("residual_int8") + " --all-tensors --json");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = ParseJson(run.output);
  EXPECT_GT(report.at("tensors").size(), 10u);
  std::size_t end = 0;
  for (const Json& buffer : report.at("plan")) {
    EXPECT_GE(buffer.at("offset").get<std::size_t>(), end);
    end = buffer.at("offset").get<std::size_t>() + buffer.at("bytes").get<std::size_t>();
  }
}

// y = -x; the other subgraph adds what nobody writes.
std::vector<std::byte> ModelWithAnUncalledSubgraph() {
  ModelBuilder model;
  SubgraphSpec& main = model.AddSubgraph();
  const std::int32_t x = main.AddTensor({.shape = {{8}}}), y = main.AddTensor({.shape = {{8}}});
  main.AddOperator({.code = model.AddCode(BuiltinOperator::kNeg), .inputs = {x}, .outputs = {y}});
  main.inputs = {x};
  main.outputs = {y};
  SubgraphSpec& other = model.AddSubgraph();
  const auto value = [&] { return other.AddTensor({.shape = {{8}}}); };
  const std::int32_t a = value(), unwritten = value(), b = value();
  other.AddOperator({.code = model.AddCode(BuiltinOperator::kAdd),
                     .inputs = {a, unwritten},
                     .outputs = {b},
                     .options = AddOptions{}});
  other.inputs = {a};
  other.outputs = {b};
  return model.Finish();
}

TEST(RunCommand, LeavesTheInputsAloneWhereTensorsOfUncalledSubgraphsLie) {
  const std::string folder = testing::TemporaryFolder(), path = folder + "/model.tflite";
  const std::vector<std::byte> file = ModelWithAnUncalledSubgraph();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  Json outputs;
  for (const char* planner : {"linear", "greedy", "arena"}) {
    const auto run = Arenaproof("run " + path + " --json --planner=" + planner);
    ASSERT_EQ(run.exit_status, 0) << run.errors;
    const Json report = ParseJson(run.output);
    if (outputs.is_null()) outputs = report.at("outputs");
    EXPECT_EQ(report.at("outputs"), outputs) << planner;
  }
  EXPECT_NE(outputs[0].at("first_values")[0], 0.0);
}

TEST(DescribeCommand, ShowsPlanPictureAndNeed) {
  const auto describe = Arenaproof("describe " + SeedModel("fully_connected_20_to_64_int8"));
  EXPECT_EQ(describe.exit_status, 0);
  for (const char* piece : {"FULLY_CONNECTED", "1x20", "memory plan", "first_used=0", "which is the least"}) {
    EXPECT_NE(describe.output.find(piece), std::string::npos) << piece;
  }
}

TEST(DescribeCommand, ShowsWhatItCanOfAModelThatIsNotSupported) {
  const auto model = testing::SharedFile("models/control_while.tflite");
  if (!model) GTEST_SKIP() << testing::SharedAbsent("models/control_while.tflite");
  const auto describe = Arenaproof("describe " + model->string());
  EXPECT_NE(describe.output.find("subgraph 2: operators"), std::string::npos);
}

TEST(EveryCommand, SurvivesEveryTruncationOfAModel) {
  const auto bytes = testing::ReadFileBytes(SeedModel("fully_connected_20_to_64_int8"));
  const std::string path = testing::TemporaryFolder() + "/cut.tflite";
  for (std::size_t length = 0; length < bytes.size(); length += 97) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(length));
    EXPECT_EQ(Arenaproof("describe " + path).exit_status, 2) << length << " bytes";
  }
}

}  // namespace
}  // namespace arenaproof

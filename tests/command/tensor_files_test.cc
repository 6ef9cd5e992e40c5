// Files with values of tensors: --input of run and check, --expect and --tolerance of run.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// The input is INT8 [1, 20], the output INT8 [1, 4].
const std::string kModel = SeedModel(kFullyConnected);

std::string Repeated(char byte, std::size_t count) { return std::string(count, byte); }

std::string NpyOf(const std::string& dictionary, const std::string& data, int version = 1) {
  return NpyBytes(dictionary + "\n", version) + data;
}

std::string Dictionary(const std::string& type, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

// sha256 of the first input, when the file is taken for it.
std::string InputHash(const std::string& words) {
  const auto run = Arenaproof("run --json " + words + " " + kModel);
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  return run.exit_status == 0 ? ParseJson(run.output).at("inputs").at(0).at("sha256").get<std::string>() : "";
}

TEST(TensorFiles, HoldAnArrayAsItsBytes) {
  const std::string data = "abcdefghijklmnopqrst";
  const std::string raw = InputHash("--input=0:" + WriteText(data, "x.bin"));
  EXPECT_EQ(InputHash("--input=0:" + WriteText(NpyOf(Dictionary("|i1", "(1, 20)"), data), "x.npy")), raw);
  EXPECT_EQ(InputHash("--input=0:" + WriteText(NpyOf(Dictionary("|i1", "(1, 20)"), data, 2), "x.npy")), raw);
  EXPECT_EQ(InputHash("--input=0:" + WriteText(NpyOf(Dictionary("|i1", "(1, 20)"), data, 3), "x.npy")), raw);
  EXPECT_NE(InputHash("--input=0:" + WriteText(NpyOf(Dictionary("|i1", "(1, 20)"), "A" + data.substr(1)), "x.npy")),
            raw);
  EXPECT_NE(InputHash(""), raw);
}

TEST(TensorFiles, AreForAnInputOfThatName) {
  const std::string file = WriteText(Repeated('a', 20), "x.bin");
  const std::string name = ParseJson(Arenaproof("run --json " + kModel).output).at("inputs").at(0).at("name");
  EXPECT_EQ(InputHash("--input='" + name + "':" + file), InputHash("--input=0:" + file));
}

TEST(TensorFiles, AreForTheLongestNameThatFits) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const char* name : {"x", "x:0", "y"}) graph.AddTensor({.name = name, .shape = {{1}}});
  graph.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kAdd), .inputs = {0, 1}, .outputs = {2}, .options = AddOptions{}});
  graph.inputs = {0, 1};
  graph.outputs = {2};
  const std::string model = WriteModel(builder.Finish());
  const std::string one = WriteText(std::string("\x00\x00\x80\x3f", 4), "one.bin"),
                    two = WriteText(std::string("\x00\x00\x00\x40", 4), "two.bin");
  const auto run = Arenaproof("run --json --input=x:" + one + " --input=x:0:" + two + " " + model);
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = ParseJson(run.output);
  EXPECT_EQ(report.at("inputs").at(0).at("first_values").at(0), 1.0);
  EXPECT_EQ(report.at("inputs").at(1).at("first_values").at(0), 2.0);
  EXPECT_EQ(report.at("outputs").at(0).at("first_values").at(0), 3.0);
}

TEST(TensorFiles, ThatDoNotFitAreNamedInOneSentence) {
  const std::string data = Repeated('a', 20), array = "' is not for input 0: it has ";
  const std::string header = "' is not for input 0: its header ", no_header = header + "is not that of a .npy file";
  const std::pair<std::string, std::string> cases[] = {
      {NpyOf(Dictionary("<f4", "(1, 20)"), Repeated('a', 80)), array + "elements of type '<f4'; '|i1' would be right"},
      {NpyOf(Dictionary("|u1", "(1, 20)"), data), array + "elements of type '|u1'; '|i1' would be right, for INT8"},
      {NpyOf(Dictionary("|i1", "(20,)"), data), array + "the shape [20]; [1, 20] would be right"},
      {NpyOf(Dictionary("|i1", "(20, 1)"), data), array + "the shape [20, 1]; [1, 20] would be right"},
      {NpyOf(Dictionary("|i1", "()"), "a"), array + "the shape []; [1, 20] would be right"},
      {NpyOf(Dictionary("|i1", "(1, 20)", "True"), data), "in the order of Fortran"},
      {NpyOf(Dictionary("|i1", "(1, 20)"), data, 4),
       array + "version 4.0 of the format .npy; 1.0, 2.0 or 3.0 would be right"},
      {NpyOf(Dictionary("|i1", "(1, 20)"), data + "a"),
       "' has 21 bytes behind its header; it has to hold the 20 bytes"},
      {NpyOf(Dictionary("|i1", "(1, 20)"), "a"),
       "' has 1 byte behind its header; it has to hold the 20 bytes of input 0"},
      {NpyOf("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 20)}", data),
       array + "an array of structures"},
      {NpyOf("{'fortran_order': False, 'shape': (1, 20)}", data), header + "has no key 'descr'; "},
      {NpyOf("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 20", data),
       header + "has '\\x0a' at byte 66; a comma or ')' would be right"},
      {NpyOf("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 99999999999999999999)}", data),
       header + "has '99999999999999999999' at byte 64; a number below 2^64 would be right"},
      {NpyOf("{'descr': '|i1', 'shape': (1, 20)}", data), header + "has no key 'fortran_order'; "},
      {NpyOf(Dictionary("|i1", "(1 20)"), data), header + "has '20' at byte 63; a comma or ')' would be right"},
      {NpyOf(Dictionary("|i1", "(1, 020)"), data),
       header + "has '020' at byte 64; a number without a zero in front would be right"},
      {NpyOf(Dictionary("|i1', 'descr': '|i1", "(1, 20)"), data),
       header + "has the key 'descr' a second time at byte 27; "},
      {NpyOf(Dictionary("|i1", "(1, 20)") + "x", data),
       header + "has 'x' at byte 70; spaces and a line end would be right"},
      {NpyOf(Dictionary("\x1b[2J", "(1, 20)"), data), header + "has '\\x1b' at byte 21; a type in single quotes"},
      {data, no_header},
      {"\x93NUMPY", "' is not for input 0: it ends at byte 6, within its header"},
      {std::string("\x93NUMPY\x01\x00\xff", 9), "it ends at byte 9, within its header"},
      {std::string("\x93NUMPY\x01\x00\xff\xff{", 11),
       "it ends at byte 11, within its header, which would end at byte 65545"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), array + "a header of 4294967295 bytes; at most 65535"},
      {"", no_header}};
  for (const auto& [content, sentence] : cases) {
    for (const std::string& command : {"run --input=0:", "check --instrument=none --input=0:"}) {
      const auto run = Arenaproof(command + WriteText(content, "x.npy") + " " + kModel);
      EXPECT_EQ(run.exit_status, 2) << sentence;
      EXPECT_EQ(run.output, "");
      EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors << "instead of " << sentence;
      EXPECT_EQ(CountOf("\n", run.errors), 1u) << run.errors;
    }
  }
}

TEST(TensorFiles, HaveToBeNamed) {
  const std::string file = WriteText(Repeated('a', 20), "x.bin");
  const std::pair<std::string, std::string> cases[] = {
      {file, " is not of the form INDEX:FILE, such as 0:image.bin, and names no input of the model"},
      {"0:", " names no file; INDEX:FILE would be right"},
      {"1:" + file, " names input 1; the model has 1, counted from 0"},
      {"99999999999999999999:" + file, "; the model has 1, counted from 0"},
      {"nobody:" + file, "names no input of the model"},
      {"0:" + file + " --input=0:" + file, "input 0 is given twice"},
      {"0:/nowhere", "there is no file '/nowhere'; it has to hold the 20 bytes of input 0"},
      {"0:" + WriteText("abc", "short.bin"), "' has 3 bytes; it has to hold the 20 bytes of input 0"},
      {"0:/", "'/' is not a regular file; it has to hold the 20 bytes of input 0"}};
  for (const auto& [words, sentence] : cases) {
    for (const std::string& command : {"run --input=", "check --input="}) {
      const auto run = Arenaproof(command + words + " " + kModel);
      EXPECT_EQ(run.exit_status, 2) << words;
      EXPECT_EQ(run.output, "");
      EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors << "instead of " << sentence;
      EXPECT_EQ(CountOf("\n", run.errors), 1u) << run.errors;
    }
  }
}

TEST(TensorFiles, AreTheInputOfEachPartAndRunOfACheck) {
  const std::string input = " --input=0:" + WriteText(Repeated('a', 20), "x.bin") + " ";
  const auto check = Arenaproof("check --json --runs=2" + input + kModel);
  ASSERT_EQ(check.exit_status, 0) << check.errors;
  const Json output = ParseJson(Arenaproof("run --json" + input + kModel).output).at("outputs").at(0);
  const Json report = ParseJson(check.output);
  EXPECT_EQ(report.at("input_files").size(), 1u);
  ASSERT_EQ(report.at("parts").size(), 4u);
  for (const Json& part : report.at("parts")) {
    ASSERT_EQ(part.at("outputs").size(), 2u);
    for (const Json& one : part.at("outputs")) EXPECT_EQ(one.at("sha256"), output.at("sha256"));
  }
  EXPECT_TRUE(HasText(Arenaproof("check -v" + input + kModel).output, " --input=0:/")) << "it can be repeated";
}

// The output of a run, after a change.
std::string Expected(void (*change)(std::vector<std::byte>&)) {
  const std::string folder = TemporaryFolder();
  EXPECT_EQ(Arenaproof("run " + kModel + " --output-dir=" + folder).exit_status, 0);
  std::vector<std::byte> bytes = ReadFileBytes(folder + "/output_0.bin");
  change(bytes);
  return WriteText({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "y.bin");
}

void AddTwoToTheThird(std::vector<std::byte>& bytes) {
  bytes.at(2) = static_cast<std::byte>(std::to_integer<int>(bytes.at(2)) + 2);
}

TEST(ExpectedOutputs, AreEqual) {
  const std::string file = Expected([](std::vector<std::byte>&) {});
  for (const std::string& word : {file, "0:" + file}) {
    const auto run = Arenaproof("run " + kModel + " --expect=" + word);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(HasText(run.output, "\": 4 elements, equal to the bit\n")) << run.output;
  }
}

TEST(ExpectedOutputs, ThatDifferAreNamed) {
  const std::string file = Expected(AddTwoToTheThird);
  const auto run = Arenaproof("run " + kModel + " --expect=" + file);
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_EQ(run.errors, "");
  EXPECT_TRUE(HasText(run.output, "\": 1 of 4 elements differs, by up to 2; the first is [0, 2]: ")) << run.output;
  const auto json = Arenaproof("run --json " + kModel + " --expect=" + file);
  EXPECT_EQ(json.exit_status, 1);
  const Json report = ParseJson(json.output);
  EXPECT_EQ(report.at("exit_status"), 1);
  EXPECT_FALSE(report.contains("refusal"));
  const Json& one = report.at("compared_outputs").at(0);
  EXPECT_EQ(one.at("element_count"), 4);
  EXPECT_EQ(one.at("different_count"), 1);
  EXPECT_EQ(one.at("first_different"), 2);
  EXPECT_EQ(one.at("largest_difference"), 2);
  EXPECT_EQ(one.at("found_and_expected").at(0), report.at("outputs").at(0).at("first_values").at(2));
}

TEST(ExpectedOutputs, MayDifferByTheTolerance) {
  const std::string run = "run " + kModel + " --expect=" + Expected(AddTwoToTheThird) + " --tolerance=";
  EXPECT_EQ(Arenaproof(run + "1.9").exit_status, 1);
  EXPECT_EQ(Arenaproof(run + "2").exit_status, 0);
  for (const char* word : {"-1", "nan", "inf", "x", "1x", "''", "-0", "1e999", "0x1", "+1", "' 1'", "'1 '", "1e-999"}) {
    const auto refused = Arenaproof(run + word);
    EXPECT_EQ(refused.exit_status, 2) << word;
    EXPECT_EQ(CountOf("\n", refused.errors), 1u) << refused.errors;
  }
  EXPECT_EQ(Arenaproof("run " + kModel + " --tolerance=1").exit_status, 2) << "nothing is expected";
}

TEST(ExpectedOutputs, AreReadLikeInputs) {
  const std::string run = "run " + kModel + " --expect=";
  const auto shape = Arenaproof(run + WriteText(NpyOf(Dictionary("|i1", "(4,)"), "abcd"), "y.npy"));
  EXPECT_EQ(shape.exit_status, 2);
  EXPECT_TRUE(HasText(shape.errors, "' is not for output 0: it has the shape [4]; [1, 4] would be right"))
      << shape.errors;
  const auto position = Arenaproof(run + "1:" + WriteText("abcd", "y.bin"));
  EXPECT_EQ(position.exit_status, 2);
  EXPECT_TRUE(HasText(position.errors, " names output 1; the model has 1, counted from 0")) << position.errors;
  const auto size = Arenaproof(run + WriteText("abc", "y.bin"));
  EXPECT_EQ(size.exit_status, 2);
  EXPECT_TRUE(HasText(size.errors, "' has 3 bytes; it has to hold the 4 bytes of output 0")) << size.errors;
}

std::string BytesOf(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// ReluChain gives four floats back as they are when none is negative.
CommandRun RunRelu(const std::vector<float>& input, const std::vector<float>& expected, const std::string& words) {
  return Arenaproof("run " + ReluChain() + " --input=0:" + WriteText(BytesOf(input), "x.bin") +
                    " --expect=" + WriteText(BytesOf(expected), "y.bin") + words);
}

TEST(ExpectedOutputs, OfFloatsAreComparedToTheBitOrByDistance) {
  EXPECT_EQ(RunRelu({1, 2, 3, 0}, {1, 2, 3, 0}, "").exit_status, 0);
  EXPECT_EQ(RunRelu({1, 2, 3, 0}, {1, 2, 3, -0.0f}, "").exit_status, 1) << "another bit";
  EXPECT_EQ(RunRelu({1, 2, 3, 0}, {1, 2, 3, -0.0f}, " --tolerance=1e-9").exit_status, 0);
  EXPECT_EQ(RunRelu({1, 2, 3, 0}, {1, 2.25f, 2.5f, 0}, " --tolerance=0.5").exit_status, 0);
  const auto far = RunRelu({1, 2, 3, 0}, {1, 2.25f, 2.5f, 0}, " --tolerance=0.25");
  EXPECT_EQ(far.exit_status, 1);
  EXPECT_TRUE(HasText(far.output,
                      "1 of 4 elements differs, by up to 0.5 where 0.25 is allowed; the first is [0, 2]: 3, "
                      "expected 2.5\n"))
      << far.output;
}

TEST(ExpectedOutputs, ThatAreNoNumbersAreFarFromAllThatAre) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto far = RunRelu({1, 2, 3, 0}, {1, nan, 3, 0}, " --tolerance=1e30 --json");
  EXPECT_EQ(far.exit_status, 1);
  const Json one = ParseJson(far.output).at("compared_outputs").at(0);
  EXPECT_EQ(one.at("different_count"), 1);
  EXPECT_FALSE(one.contains("largest_difference"));
  EXPECT_EQ(RunRelu({1, inf, 3, 0}, {1, inf, 3, 0}, "").exit_status, 0);
  EXPECT_EQ(RunRelu({1, inf, 3, 0}, {1, 2, 3, 0}, " --tolerance=1e30").exit_status, 1);
}

}  // namespace
}  // namespace arenaproof::testing

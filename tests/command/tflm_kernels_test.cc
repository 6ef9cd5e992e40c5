// kernels/bridge_tflm with a real build of TensorFlow Lite Micro: ARENAPROOF_TFLM_KERNELS names the shared library,
// plain or a list as --kernels= takes it (docs/tflm_kernels.md). Outputs are compared with the reference values, which
// a build of theirs made: integers to the bit, floats to what another compiler may make of the same code.
//
// Their kernels are expected to be sound. Of a build in which they are not, ARENAPROOF_TFLM_VIOLATIONS says in how many
// models its kernels are known to do what they may not.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// How far a float may be from the reference's, of the larger of it and 1.
constexpr float kFloatTolerance = 1e-5f;

class TflmKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("ARENAPROOF_TFLM_KERNELS");
    if (named == nullptr || *named == 0) {
      GTEST_SKIP() << "ARENAPROOF_TFLM_KERNELS names no library with the kernels of TensorFlow Lite Micro "
                      "(docs/tflm_kernels.md)";
    }
    words_ = std::string(" --json --kernels='") + named + "'";
    for (const std::string folder : {"golden/models", "golden/kernels", "models"}) {
      if (!SharedFile(folder)) GTEST_SKIP() << SharedAbsent(folder);
    }
  }

  std::string words_;
};

bool AreNear(float one, float other) {
  return one == other || std::abs(one - other) <= kFloatTolerance * std::max(1.0f, std::abs(other));
}

// ---- whole models

// An output of a report against that of the reference's run.
void ExpectOutput(const Json& output, const Json& expected) {
  if (expected.at("type") != "FLOAT32") {
    EXPECT_EQ(output.at("sha256"), expected.at("sha256"));
    return;
  }
  const Json& values = output.at("first_values");
  ASSERT_FALSE(values.empty());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_PRED2(AreNear, values[i].get<float>(), expected.at("first").at(i).get<float>()) << "element " << i;
  }
}

void ExpectOutputs(const Json& outputs, const Json& expected) {
  ASSERT_EQ(outputs.size(), expected.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) ExpectOutput(outputs[i], expected[i]);
}

TEST_F(TflmKernels, ComputeTheReferencesOutputsOfWholeModels) {
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*SharedFile("golden/models"))) {
    const auto model = SharedFile("models/" + entry.path().stem().string() + ".tflite");
    if (!model) continue;
    SCOPED_TRACE(*model);
    ++models;
    const Json golden = ParseJson(ReadFileText(entry.path()));
    for (const Json& expected : golden.at("runs")) {
      // Control flow is the runtime's own, which the fallback stands for.
      const auto run = Arenaproof("run '" + model->string() + "' --fallback=reference" + words_ +
                                  " --seed=" + std::to_string(expected.at("seed").get<int>()));
      ASSERT_EQ(run.exit_status, 0) << run.errors;
      ExpectOutputs(ParseJson(run.output).at("outputs"), expected.at("outputs"));
    }
  }
  EXPECT_GT(models, 0u);
  std::cout << models << " models\n";
}

// Outputs have to be right whatever the kernels touch besides.
TEST_F(TflmKernels, AreCheckedInWholeModels) {
  std::map<int, int> statuses;
  for (const auto& entry : std::filesystem::directory_iterator(*SharedFile("golden/models"))) {
    const auto model = SharedFile("models/" + entry.path().stem().string() + ".tflite");
    if (!model) continue;
    SCOPED_TRACE(*model);
    const Json golden = ParseJson(ReadFileText(entry.path()));
    const auto run = Arenaproof("check '" + model->string() + "' --fallback=reference" + words_);
    ASSERT_LE(run.exit_status, 1) << run.errors;
    const Json report = ParseJson(run.output);
    ++statuses[run.exit_status];
    if (run.exit_status != 0) std::cout << *model << ": " << report.at("verdict") << "\n";
    ASSERT_FALSE(report.at("parts").empty());
    EXPECT_TRUE(report.at("output_differences").empty());
    std::size_t compared = 0;
    for (const Json& part : report.at("parts")) {
      if (!part.contains("outputs")) continue;
      ++compared;
      ExpectOutputs(part.at("outputs"), golden.at("runs").at(0).at("outputs"));
    }
    EXPECT_GT(compared, 0u);
  }
  EXPECT_FALSE(statuses.empty());
  const char* const known = std::getenv("ARENAPROOF_TFLM_VIOLATIONS");
  EXPECT_EQ(std::to_string(statuses[1]), known == nullptr ? "0" : known);
  for (const auto& [status, count] : statuses) std::cout << count << " models with exit status " << status << "\n";
}

// ---- single operators

// The values of a tensor of a reference file as the bytes that a file for --input= has.
std::vector<char> BytesOf(const Json& tensor) {
  static const std::map<std::string, std::size_t> kWidths = {{"INT8", 1},  {"UINT8", 1}, {"BOOL", 1},   {"INT16", 2},
                                                             {"INT32", 4}, {"INT64", 8}, {"FLOAT32", 4}};
  const std::size_t width = kWidths.at(tensor.at("type"));
  std::vector<char> bytes;
  for (const Json& value : tensor.at(tensor.at("type") == "FLOAT32" ? "bits" : "data")) {
    const auto number = value.get<std::int64_t>();
    const auto* begin = reinterpret_cast<const char*>(&number);
    bytes.insert(bytes.end(), begin, begin + width);
  }
  return bytes;
}

bool IsAsExpected(const std::vector<std::byte>& got, const Json& expected) {
  const std::vector<char> wanted = BytesOf(expected);
  if (got.size() != wanted.size()) return false;
  if (expected.at("type") != "FLOAT32") return std::memcmp(got.data(), wanted.data(), got.size()) == 0;
  for (std::size_t i = 0; i < got.size(); i += sizeof(float)) {
    float one, other;
    std::memcpy(&one, got.data() + i, sizeof one);
    std::memcpy(&other, wanted.data() + i, sizeof other);
    if (!AreNear(one, other)) return false;
  }
  return true;
}

// Empty where the outputs are the reference's.
std::string Difference(const Json& golden, const std::string& words) {
  const std::string folder = TemporaryFolder();
  std::string inputs;
  for (const Json& input : golden.at("inputs")) {
    if (input.at("const") || input.value("variable", false)) continue;
    const std::string file = folder + "/" + input.at("name").get<std::string>();
    const std::vector<char> bytes = BytesOf(input);
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    inputs += " --input='" + input.at("name").get<std::string>() + ":" + file + "'";
  }
  const auto model = SharedFile("golden/kernels/" + golden.at("model").get<std::string>());
  const auto run = Arenaproof("run '" + model->string() + "'" + words + " --output-dir='" + folder + "'" + inputs);
  if (run.exit_status != 0) return "exit status " + std::to_string(run.exit_status) + ": " + run.errors;
  std::string different;
  for (std::size_t i = 0; i < golden.at("outputs").size(); ++i) {
    const auto got = ReadFileBytes(folder + "/output_" + std::to_string(i) + ".bin");
    if (!IsAsExpected(got, golden.at("outputs")[i])) different += "output " + std::to_string(i) + " differs";
  }
  std::filesystem::remove_all(folder);
  return different;
}

TEST_F(TflmKernels, ComputeTheReferencesOutputsOfSingleOperators) {
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*SharedFile("golden/kernels"))) {
    if (entry.path().extension() != ".json") continue;
    const Json golden = ParseJson(ReadFileText(entry.path()));
    for (const Json& one : golden.at("cases")) {
      ++cases;
      EXPECT_EQ(Difference(one, words_), "") << entry.path().stem() << " " << one.at("case") << one.at("params");
    }
  }
  EXPECT_GT(cases, 0u);
  std::cout << cases << " cases\n";
}

}  // namespace
}  // namespace arenaproof::testing

// The seed models are worth running: they differ in what they answer, and their activations use their range.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "kernels/kernel_sets.h"
#include "tests/support/shared_files.h"
#include "tools/command/run.h"
#include "tools/model/model_file.h"
#include "tools/text/sha256.h"

namespace arenaproof {
namespace {

RunResult RunSeed(const std::filesystem::path& path, std::uint32_t seed) {
  ModelFile file;
  RunResult result;
  result.problem = file.Load(path, nullptr);
  if (!result.problem.empty()) return result;
  RunOptions options;
  options.seed = seed;
  options.all_tensors = true;
  return RunModel(options, file.model(), *FindKernelSet("reference"));
}

class SeedModels : public ::testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path path() const {
    return testing::SourceFolder() / "corpus" / "models" / (GetParam() + ".tflite");
  }
};

TEST_P(SeedModels, AnswerDifferentInputsDifferently) {
  std::set<std::string> answers;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const RunResult result = RunSeed(path(), seed);
    ASSERT_EQ(result.problem, "");
    ASSERT_EQ(result.outputs.size(), 1u);
    answers.insert(Sha256Hex(result.outputs[0].bytes));
  }
  EXPECT_EQ(answers.size(), 3u);
}

TEST_P(SeedModels, DoNotSaturate) {
  const RunResult result = RunSeed(path(), 1);
  ASSERT_EQ(result.problem, "");
  for (const TensorValue& tensor : result.tensors) {
    if (tensor.type != "INT8" || tensor.name == "input" || tensor.name == "output") continue;
    const auto at_the_top = std::count(tensor.bytes.begin(), tensor.bytes.end(), std::byte{127});
    EXPECT_LE(static_cast<double>(at_the_top), 0.02 * static_cast<double>(tensor.bytes.size()) + 2) << tensor.name;
    const std::set<std::byte> values(tensor.bytes.begin(), tensor.bytes.end());
    EXPECT_GE(values.size(), std::min<std::size_t>(16, tensor.bytes.size() / 8)) << tensor.name;
  }
}

TEST(SineRegressor, HasLearnedTheSine) {
  for (const auto& [name, tolerance] :
       {std::pair{"sine_regressor_float", 0.05}, std::pair{"sine_regressor_int8", 0.12}}) {
    const auto path = testing::SourceFolder() / "corpus" / "models" / (std::string(name) + ".tflite");
    const bool quantized = std::string(name).ends_with("int8");
    ModelFile file;
    ASSERT_EQ(file.Load(path, nullptr), "");
    const double scale =
        quantized ? file.view().tensor(0, static_cast<std::size_t>(file.view().outputs(0)[0])).quantization.scale()
                  : 1.0;
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
      const RunResult result = RunSeed(path, seed);
      ASSERT_EQ(result.problem, "");
      const auto first_of = [](const TensorValue& value) {
        return std::visit([](auto number) { return static_cast<double>(number); }, FirstValues(value, 1)[0]);
      };
      const double x = first_of(result.inputs[0]) * (quantized ? 1.0 / 128 : 1.0);
      const double y = first_of(result.outputs[0]) * scale;
      EXPECT_NEAR(y, std::sin(std::numbers::pi * x), tolerance) << name << " at " << x;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, SeedModels,
                         ::testing::Values("fully_connected_20_to_64_int8", "keyword_spotting_float",
                                           "keyword_spotting_int8", "person_detection_int8", "residual_int8",
                                           "sine_regressor_float", "sine_regressor_int8"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace arenaproof

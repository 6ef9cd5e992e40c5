// The generator and the hash together reproduce the input hashes that the reference values name.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/support/shared_files.h"
#include "tools/model/input_generator.h"
#include "tools/text/sha256.h"

namespace arenaproof {
namespace {

TensorType TypeOf(const std::string& name) {
  for (std::int8_t value = 0; value <= 22; ++value) {
    if (name == TensorTypeName(static_cast<TensorType>(value))) return static_cast<TensorType>(value);
  }
  throw std::runtime_error("unknown type " + name);
}

TEST(GoldenInputs, AreReproducedForEveryModelAndSeed) {
  const auto folder = testing::SharedFile("golden/models");
  if (!folder) GTEST_SKIP() << testing::SharedAbsent("golden/models");
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    const auto golden = nlohmann::json::parse(std::ifstream(entry.path()));
    const auto& main_subgraph = golden.at("subgraphs").at(0);
    for (const auto& run : golden.at("runs")) {
      const auto seed = run.at("seed").get<std::uint32_t>();
      InputGenerator generator(seed);
      std::size_t position = 0;
      for (const int tensor_index : main_subgraph.at("inputs")) {
        const auto& tensor = main_subgraph.at("tensors").at(static_cast<std::size_t>(tensor_index));
        std::vector<std::byte> bytes(tensor.at("bytes").get<std::size_t>());
        ASSERT_TRUE(generator.Fill(TypeOf(tensor.at("type")), bytes));
        const auto& expected = run.at("input_sha256");
        EXPECT_EQ(Sha256Hex(bytes), expected.at(position).get<std::string>()) << entry.path() << " seed " << seed;
        ++position;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20u);
}

}  // namespace
}  // namespace arenaproof

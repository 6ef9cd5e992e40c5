// Kernels over XNNPACK, a binary that nobody here compiled: what it reads behind its inputs by its contract is found to
// the byte, is no violation once it is declared, and then the arena has room for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// What the micro-kernels load at once: of a row of a product's input, on every x86-64, and of what is clamped.
constexpr std::int32_t kProductVector = 8, kReluVector = 16;
// Each one byte longer than a vector or two, so that a vector reads as far behind as it can.
constexpr std::int32_t kDepth = kProductVector + 1, kBatches = 3, kRows = 2 * kReluVector / kBatches + 1;
static_assert(kBatches * kRows == 2 * kReluVector + 1);
// XNN_EXTRA_BYTES of xnnpack.h.
constexpr int kContractBytes = 16;

TensorSpec Int8(const char* name, std::vector<std::int32_t> shape, std::uint32_t buffer = 0) {
  return {.name = name,
          .type = TensorType::kInt8,
          .shape = std::move(shape),
          .buffer = buffer,
          .quantization = Scale(0.5f, 0)};
}

// x -> FULLY_CONNECTED -> middle -> RELU -> y.
std::string ProductAndRelu() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::uint32_t data = builder.AddBufferOf(std::vector<std::int8_t>(std::size_t{kRows} * kDepth, 1));
  const auto x = graph.AddTensor(Int8("x", {kBatches, kDepth}));
  const auto weights = graph.AddTensor(Int8("weights", {kRows, kDepth}, data));
  const auto middle = graph.AddTensor(Int8("middle", {kBatches, kRows}));
  const auto y = graph.AddTensor(Int8("y", {kBatches, kRows}));
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kFullyConnected),
                     .inputs = {x, weights, -1},
                     .outputs = {middle},
                     .options = FullyConnectedOptions()});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {middle}, .outputs = {y}});
  graph.inputs = {x};
  graph.outputs = {y};
  return WriteModel(builder.Finish());
}

// x -> RELU -> y, so long that the head is all that the arena for head and temporaries has to hold; one is laid behind
// the other, and each takes the next multiple of 16.
constexpr int kLong = 64 * kReluVector + 1, kLongTaken = 65 * kReluVector;
std::string LongRelu() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto x = graph.AddTensor(Int8("x", {1, kLong}));
  const auto y = graph.AddTensor(Int8("y", {1, kLong}));
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {x}, .outputs = {y}});
  graph.inputs = {x};
  graph.outputs = {y};
  return WriteModel(builder.Finish());
}

class Xnnpack : public ::testing::Test {
 protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "what XNNPACK's micro-kernels load at once is known here for x86-64 alone";
#endif
    if (!HasXnnpack()) GTEST_SKIP() << kNoXnnpack;
  }

  // Of the part's violations, by operator, the distance; each is a read behind the operator's input.
  static std::map<std::string, int> DistancesOf(const Json& part) {
    std::map<std::string, int> distances;
    for (const Json& violation : part.at("violations")) {
      EXPECT_TRUE(violation.at("kernel").get<std::string>().starts_with("xnnpack-")) << violation;
      EXPECT_EQ(violation.at("access"), "read") << violation;
      EXPECT_EQ(violation.at("side"), "after") << violation;
      EXPECT_EQ(violation.at("operand").at("kind"), "input") << violation;
      const auto [place, added] = distances.emplace(violation.at("operator_name").get<std::string>() + " " +
                                                        violation.at("operand").at("name").get<std::string>(),
                                                    violation.at("distance_bytes").get<int>());
      EXPECT_TRUE(added) << violation;
    }
    return distances;
  }

  // Of each part of a check.
  static std::vector<std::map<std::string, int>> Distances(const std::string& words, int declared_bytes,
                                                           int exit_status) {
    const auto run =
        Arenaproof("check --json " + ProductAndRelu() + " --kernels=" + XnnpackExample(declared_bytes) + words);
    EXPECT_EQ(run.exit_status, exit_status) << run.errors << run.output;
    std::vector<std::map<std::string, int>> all;
    const Json report = ParseJson(run.output);
    for (const Json& part : report.at("parts")) {
      EXPECT_EQ(part.at("operators").size(), 2u);
      for (const Json& one : part.at("operators")) EXPECT_EQ(one.at("seen"), true) << one;
      all.push_back(DistancesOf(part));
    }
    return all;
  }
};

using XnnpackByValgrind = Xnnpack;

const std::string kByValgrind = " --instrument=valgrind --layout=dilated";
constexpr int kBehindRow = kProductVector - kDepth % kProductVector;
constexpr int kBehindClamped = kReluVector - kBatches * kRows % kReluVector;

TEST_F(XnnpackByValgrind, IsSeenToTheByteWhereItReadsBehindItsInputs) {
  EXPECT_THAT(Distances(kByValgrind, 0, 1), ::testing::ElementsAre(std::map<std::string, int>{
                                                {"FULLY_CONNECTED x", kBehindRow}, {"RELU middle", kBehindClamped}}));
}

TEST_F(XnnpackByValgrind, IsCleanOnceItsContractIsDeclared) {
  EXPECT_THAT(Distances(kByValgrind, kContractBytes, 0), ::testing::ElementsAre(::testing::IsEmpty()));
  // Enough for one operator, and one byte short for the other.
  EXPECT_THAT(Distances(kByValgrind, kBehindClamped - 1, 1),
              ::testing::ElementsAre(std::map<std::string, int>{{"RELU middle", kBehindClamped}}));
}

// What lies behind influences no result, and nothing is written there. The product's last read leaves what x's
// alignment leaves open, and guard sees its first byte there.
TEST_F(Xnnpack, IsSeenByTheOthersAsFarAsTheyCan) {
  constexpr int kBytes = kBatches * kDepth, kAlignment = 16, kOpen = (kAlignment - kBytes % kAlignment) % kAlignment;
  static_assert(kOpen < kBehindRow);
  const std::map<std::string, int> none, of_product = {{"FULLY_CONNECTED x", kOpen + 1}};
  EXPECT_THAT(Distances(" --instrument=guard", 0, 1), ::testing::ElementsAre(of_product, of_product));
  EXPECT_THAT(Distances(" --instrument=twofill", 0, 0), ::testing::ElementsAre(none, none));
  EXPECT_THAT(Distances(" --instrument=canary", 0, 0), ::testing::ElementsAre(none, none));
  EXPECT_THAT(Distances(" --instrument=guard", kContractBytes, 0), ::testing::ElementsAre(none, none));
}

// Without a declaration the arena ends with the last tensor.
TEST_F(Xnnpack, FindsRoomForWhatItDeclares) {
  const std::string model = LongRelu();
  const auto need = [&](int declared_bytes) {
    const auto run = Arenaproof("size --json --two-arenas " + model + " --kernels=" + XnnpackExample(declared_bytes));
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    return ParseJson(run.output).at("faithful");
  };
  const int without = need(0).at("need_bytes"), with = need(kContractBytes).at("need_bytes");
  EXPECT_EQ(without, 2 * kLongTaken);
  EXPECT_EQ(with, kLongTaken + kLong + kContractBytes);
  EXPECT_EQ(need(kContractBytes).at("limited_by"), "reads behind a tensor that its operator's kernel declares");
  const std::string words =
      "check --instrument=guard --two-arenas " + model + " --kernels=" + XnnpackExample(kContractBytes) + " ";
  const auto room = Arenaproof(words);
  EXPECT_EQ(room.exit_status, 0) << room.errors << room.output;
  EXPECT_TRUE(HasText(room.output, "kernels may read beside 1 operand, as they declare")) << room.output;
  const auto none = Arenaproof(words + "--arena-bytes=" + std::to_string(with - 1));
  EXPECT_EQ(none.exit_status, 2) << none.output;
  EXPECT_TRUE(HasText(none.errors,
                      "declares that RELU (operator 0) reads 16 bytes behind input 0 'x', where the arena's "
                      "allocation has 15; an arena with 1 byte more behind it (--arena-bytes) would be right"))
      << none.errors;
}

}  // namespace
}  // namespace arenaproof::testing

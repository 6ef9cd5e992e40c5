// Room for reads that kernels declare: to the byte, on both sides, in arena and model file.
#include "tools/worker/read_room.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

// Tensors of 16 bytes: x, weights of the file, y; in the second subgraph z.
std::vector<std::byte> ModelWithWeights() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::uint32_t weights = builder.AddBufferOf(std::vector<float>(4, 0.5f));
  graph.AddTensor({.name = "x", .shape = {{4}}});
  graph.AddTensor({.name = "w", .shape = {{4}}, .buffer = weights});
  graph.AddTensor({.name = "y", .shape = {{4}}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAdd), .inputs = {0, 1}, .outputs = {2}});
  graph.inputs = {0};
  graph.outputs = {2};
  SubgraphSpec& other = builder.AddSubgraph();
  other.AddTensor({.name = "z", .shape = {{4}}});
  return builder.Finish();
}

class ReadRoom : public ::testing::Test {
 protected:
  ReadRoom() { EXPECT_TRUE(ModelView::Open(file_, &model_).ok()); }

  AllowedRead Read(OperandKind kind, std::int32_t tensor, std::size_t before, std::size_t after,
                   std::int32_t subgraph = 0) const {
    return {subgraph, 3, "ADD", "mine", kind, tensor, "name", before, after};
  }
  // 8 bytes are reserved in front of the head, 6 lie behind it: tensors begin at offsets 0, 16 and 32.
  std::string Missing(const std::vector<AllowedRead>& reads) const {
    return MissingRoom(reads, model_, {{allocation_.data(), allocation_.size()}, allocation_.data() + 8, plan_});
  }

  const std::vector<std::byte> file_ = ModelWithWeights();
  ModelView model_;
  std::array<std::byte, 8 + 48 + 6> allocation_{};
  std::vector<PlanEntry> plan_ = {{.subgraph = 0, .tensor = 0, .offset = 0, .bytes = 16},
                                  {.subgraph = 0, .tensor = 2, .offset = 32, .bytes = 16},
                                  {.subgraph = 1, .tensor = 0, .offset = 16, .bytes = 16}};
};

TEST_F(ReadRoom, EndsWithTheAllocation) {
  EXPECT_EQ(Missing({}), "");
  EXPECT_EQ(Missing({Read(OperandKind::kInput, 0, 8, 38)}), "");
  EXPECT_EQ(Missing({Read(OperandKind::kInput, 0, 9, 0)}),
            "kernel 'mine' declares that ADD (operator 3) reads 9 bytes before input 0 'name', where the arena's "
            "allocation has 8; --reserve-front=1 or more would be right");
  EXPECT_EQ(Missing({Read(OperandKind::kInput, 0, 0, 39)}),
            "kernel 'mine' declares that ADD (operator 3) reads 39 bytes behind input 0 'name', where the arena's "
            "allocation has 38; an arena with 1 byte more behind it (--arena-bytes) would be right");
  EXPECT_EQ(Missing({Read(OperandKind::kOutput, 2, 40, 6)}), "");
  EXPECT_NE(Missing({Read(OperandKind::kOutput, 2, 0, 7)}), "");
}

// Tensor 0 of the one subgraph is not that of the other.
TEST_F(ReadRoom, IsThatOfTheTensorsOwnSubgraph) {
  EXPECT_EQ(Missing({Read(OperandKind::kInput, 0, 24, 22, 1)}), "");
  EXPECT_NE(Missing({Read(OperandKind::kInput, 0, 25, 0, 1)}), "");
  EXPECT_NE(Missing({Read(OperandKind::kInput, 0, 0, 23, 1)}), "");
}

TEST_F(ReadRoom, OfAConstantEndsWithTheFile) {
  const TensorView weights = model_.tensor(0, 1);
  const auto before = static_cast<std::size_t>(weights.data.data() - file_.data());
  const std::size_t after = file_.size() - before - 16;
  EXPECT_EQ(Missing({Read(OperandKind::kConstant, 1, before, after)}), "");
  const std::string given = ", where the model file has ";
  EXPECT_EQ(Missing({Read(OperandKind::kConstant, 1, before + 2, 0)}),
            "kernel 'mine' declares that ADD (operator 3) reads " + std::to_string(before + 2) +
                " bytes before constant 1 'name'" + given + std::to_string(before) +
                "; 2 bytes more in front of it would be right");
  EXPECT_EQ(Missing({Read(OperandKind::kConstant, 1, 0, after + 2)}),
            "kernel 'mine' declares that ADD (operator 3) reads " + std::to_string(after + 2) +
                " bytes behind constant 1 'name'" + given + std::to_string(after) +
                "; 2 bytes more at the end of the file would be right");
}

TEST_F(ReadRoom, HasToBeThereForEachAndIsMissedForTheFirst) {
  const AllowedRead fits = Read(OperandKind::kInput, 0, 8, 8);
  AllowedRead first = Read(OperandKind::kOutput, 2, 0, 7), second = Read(OperandKind::kInput, 0, 9, 0);
  first.operator_index = 1;
  second.operator_index = 2;
  EXPECT_NE(Missing({fits, first, second}).find("(operator 1)"), std::string::npos);
  EXPECT_NE(Missing({fits, second, first}).find("(operator 2)"), std::string::npos);
}

// A tensor that has no bytes, or lies nowhere, has no neighbours.
TEST_F(ReadRoom, IsNotAskedOfWhatIsNotThere) {
  plan_[0].bytes = 0;
  EXPECT_EQ(Missing({Read(OperandKind::kInput, 0, 64, 64)}), "");
  plan_.erase(plan_.begin() + 1);
  EXPECT_EQ(Missing({Read(OperandKind::kOutput, 2, 64, 64)}), "");
}

}  // namespace
}  // namespace arenaproof

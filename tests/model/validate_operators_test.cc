// Validation of operators, their calls and what they write: what is sound, and where its limits lie. What breaks one
// rule stands in engine/cases/invalid_models.cc.
#include <gtest/gtest.h>

#include <utility>

#include "core/model/call_tree.h"
#include "core/model/validate.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

using Code = StatusCode;

// ---- operators

TEST(Validation, AcceptsAnOmittedInput) {
  SmallModel m;
  m.fully_connected().inputs = {0, 1, -1};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsAnIntermediateWithoutBytes) {
  SmallModel m;
  m.fully_connected().intermediates = {m.graph().AddTensor({.shape = {{0}}})};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsAMutatingInputFlagForEachInput) {
  SmallModel m;
  m.fully_connected().mutating_inputs = {0, 0, 1};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsAnOperatorWithTheOptionsItNeeds) {
  SmallModel m;
  m.relu().code = m.builder.AddCode(BuiltinOperator::kSoftmax);
  m.relu().options = SoftmaxOptions{1};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsCustomOptionsOfACustomOperator) {
  SmallModel m;
  m.relu().custom_options.resize(5);
  m.relu().code = m.builder.AddCustomCode("mine");
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

// ---- calls

TEST(Validation, FindsCallsByTheLargerOfBothCodeFields) {
  ModelBuilder m = BuildIfModel();
  m.codes[0].builtin_code = 0;  // an old file: only the 8-bit field says IF
  EXPECT_TRUE(Validate(m).status.ok());
  m.subgraphs[0].operators[0].options = IfOptions{1, 0};
  EXPECT_REFUSED(m, Code::kModelCallCycle, 0, 0, 0);
}

// Subgraph i calls i + 1 once (or twice).
ModelBuilder Chain(std::size_t count, bool twice) {
  ModelBuilder m;
  const std::uint32_t call = m.AddCode(BuiltinOperator::kCallOnce);
  for (std::size_t i = 0; i < count; ++i) {
    SubgraphSpec& graph = m.AddSubgraph();
    for (int k = 0; k < (twice ? 2 : 1) && i + 1 < count; ++k) {
      graph.AddOperator({.code = call, .options = CallOnceOptions{static_cast<std::int32_t>(i + 1)}});
    }
  }
  return m;
}

TEST(Validation, RefusesCallsNestedTooDeeply) {
  EXPECT_TRUE(Validate(Chain(kMaxCallDepth, false)).status.ok());
  EXPECT_REFUSED(Chain(kMaxCallDepth + 1, false), Code::kModelCallDepth, 15, 0, 16);
}

TEST(Validation, FindsDepthWhateverTheOrderOfSubgraphs) {
  // The main graph comes first in the file but its callees are known already when they are walked from a later root.
  ModelBuilder m = Chain(kMaxCallDepth + 1, false);
  std::swap(m.subgraphs.front(), m.subgraphs.back());
  for (SubgraphSpec& graph : m.subgraphs) {
    for (OperatorSpec& op : graph.operators) {
      auto& callee = std::get<CallOnceOptions>(op.options).init_subgraph_index;
      if (callee == static_cast<std::int32_t>(kMaxCallDepth)) callee = 0;
    }
  }
  EXPECT_EQ(Validate(m).status.code, Code::kModelCallDepth);
}

TEST(Validation, RefusesCallTreesThatWouldTakeForever) {
  // 2^15 entries of the last subgraph pass; a hundred calls at each of ten levels do not.
  EXPECT_TRUE(Validate(Chain(16, true)).status.ok());
  ModelBuilder m = Chain(10, false);
  for (SubgraphSpec& graph : m.subgraphs) {
    if (graph.operators.empty()) continue;
    graph.operators.resize(100, graph.operators.front());
  }
  const Status status = Validate(m).status;
  EXPECT_EQ(status.code, Code::kModelCallWork);
  EXPECT_EQ(status.detail[1], kMaxCallWork);
}

TEST(Validation, CountsACallersOperandsOnceForEachOfItsRuns) {
  // Thirteen million operand reads in all, in calls of subgraphs that are met for the first time there.
  ModelBuilder m = Chain(15, false);
  for (SubgraphSpec& graph : m.subgraphs) {
    if (graph.operators.empty()) continue;
    graph.operators.resize(2, graph.operators.front());
    for (OperatorSpec& op : graph.operators) op.inputs.assign(400, -1);
  }
  EXPECT_TRUE(Validate(m).status.ok());
}

// ---- who writes what

TEST(Validation, AcceptsAnInputThatNobodyWrites) {
  SmallModel m;  // as accelerators' scratch tensors are
  m.fully_connected().inputs[0] = m.graph().AddTensor({.type = TensorType::kInt8, .shape = {{1, 4}}});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsAnInputOrAConstantAsSubgraphOutput) {
  SmallModel m;
  m.graph().outputs = {SmallModel::kX, SmallModel::kBias};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, LooksAtTensorsBehindTheFirstBlock) {
  SmallModel m;
  const std::size_t last = 5000;
  m.graph().tensors.resize(last + 1);
  m.relu().outputs = {static_cast<std::int32_t>(last)};
  m.graph().outputs = m.relu().outputs;
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.graph().AddOperator({.code = 1, .inputs = {0}, .outputs = {static_cast<std::int32_t>(last)}});
  EXPECT_REFUSED(m.builder, Code::kModelTensorProducedTwice, 0, 2, last);
}

}  // namespace
}  // namespace arenaproof::testing

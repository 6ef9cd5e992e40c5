// Validation of operators, their calls and what they write: one broken rule per test, the exact status and its numbers.
#include <gtest/gtest.h>

#include <utility>

#include "core/model/call_tree.h"
#include "core/model/validate.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

using Code = StatusCode;

// ---- operators

TEST(Validation, RefusesAnOperatorCodeOutOfRange) {
  SmallModel m;
  m.relu().code = 2;
  EXPECT_REFUSED(m.builder, Code::kModelOpcodeIndex, 0, 1, 2, 2);
}

TEST(Validation, RefusesOperandsThatAreNoTensors) {
  SmallModel m;
  m.fully_connected().inputs = {0, 1, -1};
  EXPECT_TRUE(Validate(m.builder).status.ok()) << "-1 is an omitted input";
  m.fully_connected().inputs = {0, 1, -2};
  EXPECT_REFUSED(m.builder, Code::kModelOperatorInput, 0, 0, Negative(-2), 5);
  m.fully_connected().inputs = {0, 5, 2};
  EXPECT_REFUSED(m.builder, Code::kModelOperatorInput, 0, 0, 5, 5);
  m.fully_connected().inputs = {0, 1, 2};
  m.relu().outputs = {-1};
  EXPECT_REFUSED(m.builder, Code::kModelOperatorOutput, 0, 1, Negative(-1), 5);
}

TEST(Validation, RefusesIntermediatesOutOfRangeOrWithBytes) {
  SmallModel m;
  m.fully_connected().intermediates = {5};
  EXPECT_REFUSED(m.builder, Code::kModelOperatorIntermediate, 0, 0, 5, 5);
  TensorSpec empty;
  empty.shape = {{0}};
  m.fully_connected().intermediates = {m.graph().AddTensor(empty)};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.graph().tensors.back().shape = {{3}};
  EXPECT_REFUSED(m.builder, Code::kModelIntermediateBytes, 0, 0, 5, 12);
}

TEST(Validation, RefusesFlagsOfMutatingInputsThatDoNotMatchTheInputs) {
  SmallModel m;
  m.fully_connected().mutating_inputs = {0, 0, 1};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.fully_connected().mutating_inputs = {0};
  EXPECT_REFUSED(m.builder, Code::kModelMutatingInputs, 0, 0, 1, 3);
}

TEST(Validation, RefusesTheOptionsOfAnotherOperator) {
  SmallModel m;
  m.fully_connected().options = Conv2DOptions{};
  EXPECT_REFUSED(m.builder, Code::kModelOptionsType, 0, 0, 1, 8);
  m.fully_connected().options = FullyConnectedOptions{};
  m.fully_connected().union_type = 200;  // no member of the union
  EXPECT_REFUSED(m.builder, Code::kModelOptionsType, 0, 0, 200, 8);
  m.fully_connected().union_type = std::nullopt;
  m.relu().options = AddOptions{};
  EXPECT_REFUSED(m.builder, Code::kModelOptionsType, 0, 1, 11, 0);
}

TEST(Validation, RefusesOptionsOfTheSecondUnion) {
  SmallModel m;
  m.relu().union_2_type = 18;
  EXPECT_REFUSED(m.builder, Code::kModelOptions2Type, 0, 1, 18);
}

TEST(Validation, RefusesAnOperatorWithoutTheOptionsItNeeds) {
  SmallModel m;
  m.relu().code = m.builder.AddCode(BuiltinOperator::kSoftmax);
  EXPECT_REFUSED(m.builder, Code::kModelOptionsMissing, 0, 1, 25, 9);
  m.relu().options = SoftmaxOptions{1};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.relu().omit_options_table = true;
  EXPECT_REFUSED(m.builder, Code::kModelOptionsMissing, 0, 1, 25, 9);
}

TEST(Validation, RefusesCustomOptionsOnABuiltinOperator) {
  SmallModel m;
  m.relu().custom_options.resize(5);
  EXPECT_REFUSED(m.builder, Code::kModelCustomOptions, 0, 1, 5);
  m.relu().code = m.builder.AddCustomCode("mine");
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesACustomOperatorWithoutAName) {
  SmallModel m;
  m.relu().code = m.builder.AddCode(BuiltinOperator::kCustom);
  EXPECT_REFUSED(m.builder, Code::kModelCustomCodeMissing, 0, 1, 2);
}

// ---- calls

TEST(Validation, RefusesCallsOfSubgraphsThatDoNotExist) {
  for (const std::int32_t callee : {3, -1, -7}) {
    ModelBuilder m = BuildIfModel();
    m.subgraphs[0].operators[0].options = IfOptions{1, callee};
    EXPECT_REFUSED(m, Code::kModelCalledSubgraph, 0, 0, Negative(callee), 3);
  }
}

TEST(Validation, RefusesASubgraphThatCallsItself) {
  ModelBuilder m = BuildIfModel();
  m.subgraphs[0].operators[0].options = IfOptions{1, 0};
  EXPECT_REFUSED(m, Code::kModelCallCycle, 0, 0, 0);
}

TEST(Validation, RefusesACycleThatTheMainGraphDoesNotReach) {
  SmallModel m;
  for (const std::int32_t callee : {2, 1}) {
    m.builder.AddSubgraph().AddOperator(
        {.code = m.builder.AddCode(BuiltinOperator::kCallOnce), .options = CallOnceOptions{callee}});
  }
  EXPECT_REFUSED(m.builder, Code::kModelCallCycle, 2, 0, 1);
}

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

TEST(Validation, RefusesATensorWrittenTwice) {
  SmallModel m;
  m.graph().AddOperator({.code = 1, .inputs = {0}, .outputs = {SmallModel::kHidden}});
  EXPECT_REFUSED(m.builder, Code::kModelTensorProducedTwice, 0, 2, 3);
  m.graph().operators.pop_back();
  m.relu().outputs = {SmallModel::kY, SmallModel::kY};
  EXPECT_REFUSED(m.builder, Code::kModelTensorProducedTwice, 0, 1, 4);
}

TEST(Validation, RefusesAnOperatorThatWritesAConstantAnInputOrAVariable) {
  SmallModel m;
  m.relu().outputs = {SmallModel::kBias};
  EXPECT_REFUSED(m.builder, Code::kModelConstantProduced, 0, 1, 2);
  m.relu().outputs = {SmallModel::kX};
  EXPECT_REFUSED(m.builder, Code::kModelInputProduced, 0, 1, 0);
  m.relu().outputs = {SmallModel::kY};
  m.tensor(SmallModel::kY).is_variable = true;
  EXPECT_REFUSED(m.builder, Code::kModelVariableProduced, 0, 1, 4);
}

TEST(Validation, RefusesAnOperatorThatWritesItsOwnInput) {
  SmallModel m;
  m.relu().inputs = {SmallModel::kY};
  EXPECT_REFUSED(m.builder, Code::kModelReadBeforeProduced, 0, 1, 4);
}

TEST(Validation, RefusesATensorThatIsReadBeforeItIsWritten) {
  SmallModel m;
  std::swap(m.graph().operators[0], m.graph().operators[1]);
  EXPECT_REFUSED(m.builder, Code::kModelReadBeforeProduced, 0, 1, 3);
}

TEST(Validation, AcceptsAnInputThatNobodyWrites) {
  SmallModel m;  // as accelerators' scratch tensors are
  m.fully_connected().inputs[0] = m.graph().AddTensor({.type = TensorType::kInt8, .shape = {{1, 4}}});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesASubgraphOutputThatNobodyWrites) {
  SmallModel m;
  const auto orphan = m.graph().AddTensor({.type = TensorType::kInt8, .shape = {{1, 4}}});
  m.graph().outputs = {SmallModel::kY, orphan};
  EXPECT_REFUSED(m.builder, Code::kModelOutputNotProduced, 0, 1, orphan);
  m.graph().outputs = {SmallModel::kX, SmallModel::kBias};
  EXPECT_TRUE(Validate(m.builder).status.ok()) << "an input or a constant may be an output";
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

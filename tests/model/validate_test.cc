// One broken rule per test: the exact status and its numbers.
#include "core/model/validate.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "core/model/call_tree.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

using Code = StatusCode;

// The numbers a Status carries for a negative one.
std::uint64_t Negative(std::int64_t value) { return static_cast<std::uint64_t>(value); }

std::string Text(const Status& status) {
  std::string text = std::to_string(static_cast<int>(status.code));
  for (const std::uint64_t number : status.detail) text += " " + std::to_string(static_cast<std::int64_t>(number));
  return text;
}

#define EXPECT_REFUSED(model, ...) EXPECT_EQ(Text(Validate(model).status), Text(Failure(__VA_ARGS__)))

TEST(Validation, AcceptsASoundModel) {
  EXPECT_EQ(Text(Validate(SmallModel().builder).status), Text(Ok()));
  EXPECT_EQ(Text(Validate(BuildIfModel()).status), Text(Ok()));
}

// ---- the model's own lists

TEST(Validation, RefusesAModelWithoutSubgraphs) {
  SmallModel m;
  m.builder.omit_subgraphs = true;
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphCount, 0, 1, 256);
  m.builder.omit_subgraphs = false;
  m.builder.subgraphs.clear();
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphCount, 0, 1, 256);
}

TEST(Validation, RefusesMoreSubgraphsThanItKeepsCountOf) {
  SmallModel m;
  for (std::size_t i = 1; i < kMaxSubgraphCount; ++i) m.builder.AddSubgraph();
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.builder.AddSubgraph();
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphCount, 257, 1, 256);
}

TEST(Validation, RefusesAMainGraphWithoutItsLists) {
  SmallModel m;
  m.graph().omit_outputs = true;
  EXPECT_REFUSED(m.builder, Code::kModelOutputsMissing, 0);
  m.graph().omit_inputs = true;
  EXPECT_REFUSED(m.builder, Code::kModelInputsMissing, 0);
  m.graph().omit_tensors = true;
  EXPECT_REFUSED(m.builder, Code::kModelTensorsMissing, 0);
}

TEST(Validation, AcceptsACalledSubgraphWithoutLists) {
  SmallModel m;
  SubgraphSpec& init = m.builder.AddSubgraph("init");
  init.omit_tensors = init.omit_inputs = init.omit_outputs = true;
  m.graph().AddOperator({.code = m.builder.AddCode(BuiltinOperator::kCallOnce), .options = CallOnceOptions{1}});
  EXPECT_EQ(Text(Validate(m.builder).status), Text(Ok()));
}

TEST(Validation, RefusesMissingBuffers) {
  SmallModel m;
  m.builder.omit_buffers = true;
  EXPECT_REFUSED(m.builder, Code::kModelBuffersMissing, 0, 1);
}

TEST(Validation, RefusesDataInBufferZero) {
  SmallModel m;
  m.builder.buffers[0].data.emplace(3);
  EXPECT_REFUSED(m.builder, Code::kModelBufferZero, 3, 0);
  m.builder.buffers[0].data->clear();  // a list of no bytes is as good as none
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesAMetadataBufferOutOfRange) {
  SmallModel m;
  m.builder.metadata = {{"fine", 2}, {"not", 3}};
  EXPECT_REFUSED(m.builder, Code::kModelMetadataBuffer, 1, 3, 3);
}

TEST(Validation, RefusesSignaturesThatPointNowhere) {
  SmallModel m;
  m.builder.signatures = {{"serve", 0, {0}, {4}}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.builder.signatures[0].outputs = {5};
  EXPECT_REFUSED(m.builder, Code::kModelSignatureTensor, 0, 1, 5, 5);
  m.builder.signatures[0].subgraph = 1;
  EXPECT_REFUSED(m.builder, Code::kModelSignatureSubgraph, 0, 1, 1);
}

TEST(Validation, RefusesMoreTensorsThanItFollows) {
  SmallModel m;
  m.graph().tensors.resize(kMaxTensorCount + 1);
  EXPECT_REFUSED(m.builder, Code::kModelTensorCount, 0, 65537, 65536);
}

// ---- subgraph inputs and outputs

TEST(Validation, RefusesSubgraphInputsThatAreNoTensors) {
  SmallModel m;
  m.graph().inputs = {0, 5};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphInput, 0, 1, 5, 5);
  m.graph().inputs = {-1};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphInput, 0, 0, Negative(-1), 5);
}

TEST(Validation, RefusesSubgraphOutputsThatAreNoTensors) {
  SmallModel m;
  m.graph().outputs = {-2};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphOutput, 0, 0, Negative(-2), 5);
  m.graph().outputs = {4, 1000000};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphOutput, 0, 1, 1000000, 5);
}

TEST(Validation, RefusesAConstantAsSubgraphInput) {
  SmallModel m;
  m.graph().inputs = {SmallModel::kX, SmallModel::kWeights};
  EXPECT_REFUSED(m.builder, Code::kModelConstantInput, 0, 1, 1);
}

// ---- tensors

TEST(Validation, RefusesATensorBufferOutOfRange) {
  SmallModel m;
  m.tensor(SmallModel::kY).buffer = 3;
  EXPECT_REFUSED(m.builder, Code::kModelTensorBuffer, 0, 4, 3, 3);
}

TEST(Validation, RefusesAnUnknownType) {
  SmallModel m;
  m.tensor(SmallModel::kY).type = static_cast<TensorType>(23);
  EXPECT_REFUSED(m.builder, Code::kModelTensorType, 0, 4, 23, 22);
  m.tensor(SmallModel::kY).type = static_cast<TensorType>(-3);
  EXPECT_REFUSED(m.builder, Code::kModelTensorType, 0, 4, Negative(-3), 22);
}

TEST(Validation, RefusesANegativeDimension) {
  SmallModel m;
  m.tensor(SmallModel::kHidden).shape = {{1, -1}};
  EXPECT_REFUSED(m.builder, Code::kModelTensorDimension, 0, 3, 1, Negative(-1));
}

TEST(Validation, AcceptsAnUnknownDimensionInTheSignatureOnly) {
  SmallModel m;
  m.tensor(SmallModel::kX).shape_signature = {-1, 4};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kX).shape_signature = {1, -2};
  EXPECT_REFUSED(m.builder, Code::kModelTensorSignature, 0, 0, 1, Negative(-2));
}

TEST(Validation, RefusesElementCountsThatOverflow) {
  SmallModel m;
  m.tensor(SmallModel::kY).shape = {{65536, 65536}};  // 2^32: zero in 32 bits
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 65536);
  m.tensor(SmallModel::kY).shape = {{65536, 65536, 65536, 65536, 2}};  // zero in 64 bits
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 65536);
  m.tensor(SmallModel::kY).shape = {{65536, 32768}};  // 2^31, one too many
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 32768);
  m.tensor(SmallModel::kY).shape = {{2147483647}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesOverflowThatADimensionOfZeroWouldHide) {
  SmallModel m;
  m.tensor(SmallModel::kY).shape = {{65536, 0, 65536}};
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 65536);
  m.tensor(SmallModel::kY).shape = {{65536, 0}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesConstantsOfTheWrongLength) {
  SmallModel m;
  m.builder.buffers[1].data->resize(11);
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 1, 11, 12);
  m.builder.buffers[1].data->resize(13);
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 1, 13, 12);
}

TEST(Validation, CountsTwoInt4ElementsToAByteRoundedUp) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).type = TensorType::kInt4;
  m.builder.buffers[1].data->resize(6);
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kWeights).shape = {{1, 11}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kWeights).shape = {{1, 10}};
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 1, 6, 5);
}

TEST(Validation, TakesAScalarConstantForOneElement) {
  SmallModel m;
  m.tensor(SmallModel::kBias).shape = std::nullopt;
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 2, 12, 4);
  m.builder.buffers[2].data->resize(4);
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsConstantsThatStartOnFourBytesAndCountsThem) {
  SmallModel m;
  m.builder.buffers[1].aligned = false;
  m.tensor(SmallModel::kBias).type = TensorType::kInt64;
  m.builder.buffers[2].data->resize(24);
  m.builder.buffers[2].aligned = false;
  const Outcome outcome = Validate(m.builder);
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.report.unaligned_constant_count, 2u);
}

TEST(Validation, RefusesDoublesThatDoNotStartOnEightBytes) {
  SmallModel m;
  m.tensor(SmallModel::kBias).type = TensorType::kFloat64;
  m.builder.buffers[2].data->resize(24);
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.builder.buffers[2].aligned = false;
  const Status status = Validate(m.builder).status;
  EXPECT_EQ(status.code, Code::kModelConstantAlignment);
  EXPECT_EQ(status.detail[1], 2u);
  EXPECT_EQ(status.detail[2] % 8, 4u);
  EXPECT_EQ(status.detail[3], 8u);
}

TEST(Validation, DropsTheDataOfAVariable) {
  SmallModel m;
  m.tensor(SmallModel::kBias).is_variable = true;
  m.builder.buffers[2].data->resize(1);
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

// ---- quantisation

TEST(Validation, RefusesQuantisationListsOfDifferentLengths) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{{1, 1, 1}, {0, 0}, 0};
  EXPECT_REFUSED(m.builder, Code::kModelQuantizationLists, 0, 1, 2, 3);
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{{1}, {}, 0};
  EXPECT_REFUSED(m.builder, Code::kModelQuantizationLists, 0, 1, 0, 1);
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{{1, 1, 1}, {0}, 0};
  EXPECT_TRUE(Validate(m.builder).status.ok()) << "one zero point serves every channel";
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesScalesThatAreNotFiniteAndAboveZero) {
  for (const float bad : {0.0f, -0.0f, -1.0f, std::numeric_limits<float>::infinity()}) {
    SmallModel m;
    m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {1, bad, 1});
    EXPECT_REFUSED(m.builder, Code::kModelScale, 0, 1, 1, std::bit_cast<std::uint64_t>(double{bad}));
  }
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {std::nanf(""), 1, 1});
  EXPECT_EQ(Validate(m.builder).status.code, Code::kModelScale);
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {std::numeric_limits<float>::denorm_min(), 1, 1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesAScaleCountThatIsNotTheDimensions) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(1, {1, 1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelScaleCount, 0, 1, 3, 4);
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(1, {1, 1, 1, 1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesAQuantisedDimensionOutsideTheRank) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(2, {1, 1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelQuantizedDimension, 0, 1, 2, 2);
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(-1, {1, 1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelQuantizedDimension, 0, 1, Negative(-1), 2);
  m.tensor(SmallModel::kY).shape = std::nullopt;
  m.tensor(SmallModel::kWeights).quantization = Scale(1, 0);
  m.tensor(SmallModel::kY).quantization = ScalesAlong(0, {1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelQuantizedDimension, 0, 4, 0, 0);
}

TEST(Validation, IgnoresTheQuantisedDimensionOfAListAndOfASingleScale) {
  SmallModel m;
  m.tensor(SmallModel::kBias).quantization = ScalesAlong(3, {1, 1, 1});
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(7, {1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kBias).quantization = ScalesAlong(3, {1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelScaleCount, 0, 2, 2, 3);
}

TEST(Validation, RefusesZeroPointsOutsideTheTypesRange) {
  struct Case {
    TensorType type;
    std::int64_t least, most;
  };
  for (const Case& c :
       {Case{TensorType::kInt8, -128, 127}, Case{TensorType::kUInt8, 0, 255}, Case{TensorType::kInt16, -32768, 32767},
        Case{TensorType::kInt4, -8, 7}, Case{TensorType::kFloat32, INT32_MIN, INT32_MAX},
        Case{TensorType::kInt64, INT32_MIN, INT32_MAX}}) {
    SmallModel m;
    m.tensor(SmallModel::kY).type = c.type;
    for (const std::int64_t fine : {c.least, c.most}) {
      m.tensor(SmallModel::kY).quantization = Scale(1, fine);
      EXPECT_TRUE(Validate(m.builder).status.ok()) << fine;
    }
    m.tensor(SmallModel::kY).quantization = Scale(1, c.least - 1);
    EXPECT_REFUSED(m.builder, Code::kModelZeroPoint, 0, 4, Negative(c.least - 1), Negative(c.least));
    m.tensor(SmallModel::kY).quantization = Scale(1, c.most + 1);
    EXPECT_REFUSED(m.builder, Code::kModelZeroPoint, 0, 4, c.most + 1, c.most);
  }
}

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

TEST(Validation, LooksAtTensorsBehindTheFirstBlock) {
  SmallModel m;
  const std::size_t last = 5000;
  m.graph().tensors.resize(last + 1);
  m.relu().outputs = {static_cast<std::int32_t>(last)};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.graph().AddOperator({.code = 1, .inputs = {0}, .outputs = {static_cast<std::int32_t>(last)}});
  EXPECT_REFUSED(m.builder, Code::kModelTensorProducedTwice, 0, 2, last);
}

// ---- what is sound but not served

TEST(Validation, CountsEverythingUnsupportedAtOnce) {
  SmallModel m;
  const std::uint32_t unknown = m.builder.AddCode(static_cast<BuiltinOperator>(4711));
  const std::uint32_t custom = m.builder.AddCustomCode("mine");
  for (int i = 0; i < 2; ++i) m.graph().AddOperator({.code = unknown, .inputs = {0}});
  m.graph().AddOperator({.code = custom, .inputs = {0}});
  m.graph().AddOperator({.code = 1, .inputs = {0}, .large_custom_options_offset = 4096});
  m.graph().AddTensor({.type = TensorType::kString, .shape = {{1}}});
  m.graph().AddTensor({.type = TensorType::kString, .shape = {{1}}});
  m.graph().AddTensor({.type = TensorType::kInt2, .shape = {{1}}});
  m.graph().AddTensor({.shape = {{1}}, .sparse = true});
  m.graph().AddTensor({.shape = {{1}}, .external_buffer = 1});
  m.graph().AddTensor({.shape = {{1}}, .quantization = QuantizationSpec{{}, {}, 0, 2}});
  m.builder.buffers.push_back({.outside_offset = 5000, .outside_size = 4});

  struct ReluOnly : OperatorSupport {
    bool Serves(const ModelView&, std::size_t, const OperatorView& view) const override {
      return view.code == BuiltinOperator::kRelu;
    }
  };
  const Outcome outcome = Validate(m.builder, nullptr);
  EXPECT_EQ(Text(outcome.status), Text(Failure(Code::kModelUnsupported, 8, 10)))
      << "a code that the format does not know is unsupported whoever asks";

  const ReluOnly support;
  const Outcome asked = Validate(m.builder, &support);
  EXPECT_EQ(Text(asked.status), Text(Failure(Code::kModelUnsupported, 10, 12)));
  std::size_t matched = 0;
  for (const UnsupportedItem& item : asked.report.unsupported()) {
    if (item.kind == UnsupportedKind::kBuiltinOperator && item.value == 4711) {
      EXPECT_EQ(item.count, 2u);
      EXPECT_EQ(item.first_index, 2u);
      ++matched;
    }
    if (item.kind == UnsupportedKind::kTensorType && item.value == static_cast<int>(TensorType::kString)) {
      EXPECT_EQ(item.count, 2u);
      EXPECT_EQ(item.first_index, 5u);
      ++matched;
    }
    if (item.kind == UnsupportedKind::kBuiltinOperator && item.value == 9) {
      EXPECT_EQ(item.first_index, 0u);
      ++matched;
    }
    if (item.kind == UnsupportedKind::kCustomOperator) ++matched;
  }
  EXPECT_EQ(matched, 4u);
}

TEST(Validation, CountsWhatDoesNotFitTheReport) {
  ValidationReport report;
  for (std::int32_t i = 0; i < 60; ++i) report.AddUnsupported(UnsupportedKind::kBuiltinOperator, i, {}, 0, 0);
  report.AddUnsupported(UnsupportedKind::kBuiltinOperator, 0, {}, 0, 0);
  EXPECT_EQ(report.unsupported().size(), ValidationReport::kMaxItems);
  EXPECT_EQ(report.unsupported()[0].count, 2u);
  EXPECT_EQ(report.omitted_count(), 60 - ValidationReport::kMaxItems);
  EXPECT_EQ(report.unsupported_occurrence_count(), 61u);
}

TEST(Validation, RefusesABrokenRuleRatherThanAnUnsupportedThing) {
  SmallModel m;
  m.graph().AddTensor({.type = TensorType::kString, .shape = {{1}}});
  m.relu().outputs = {SmallModel::kX};
  EXPECT_REFUSED(m.builder, Code::kModelInputProduced, 0, 1, 0);
}

}  // namespace
}  // namespace arenaproof::testing

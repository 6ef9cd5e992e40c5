#include "engine/cases/invalid_models.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

namespace arenaproof {
namespace {

constexpr std::byte kBytes[6] = {};

SubgraphSpec& Second(ModelBuilder& model) { return model.subgraphs[1]; }
TensorSpec& Tensor(ModelBuilder& model, std::size_t index) { return Second(model).tensors[index]; }
OperatorSpec& Operator(ModelBuilder& model) { return Second(model).operators[1]; }  // from tensor 1 to tensor 2

// Tensor 4, with six bytes of data.
void AddConstant(ModelBuilder& model, TensorSpec tensor) {
  tensor.buffer = model.AddBuffer(kBytes);
  Second(model).AddTensor(std::move(tensor));
}

// Tensor 2 gets three scales, the middle one as given.
void SetScales(ModelBuilder& model, float scale) {
  Tensor(model, 2).shape = {{3, 2}};
  Tensor(model, 2).quantization = ScalesAlong(0, {1, scale, 1});
}
std::int64_t Bits(double scale) { return std::bit_cast<std::int64_t>(scale); }

// Makes another operator of a subgraph's second one.
void Become(ModelBuilder& model, BuiltinOperator code, OperatorOptions options, std::size_t subgraph = 1) {
  OperatorSpec& op = model.subgraphs[subgraph].operators[1];
  op.code = model.AddCode(code);
  op.options = std::move(options);
}

std::vector<InvalidModel> AllInvalidModels() {
  using Model = ModelBuilder;
  using enum StatusCode;
  return {
      {"SubgraphsLeftOut", kModelSubgraphCount, {0, 1, 256}, [](Model& m) { m.omit_subgraphs = true; }},
      {"NoSubgraph", kModelSubgraphCount, {0, 1, 256}, [](Model& m) { m.subgraphs.clear(); }},
      {"MainGraphWithoutTensors",
       kModelTensorsMissing,
       {0},
       [](Model& m) { m.subgraphs[0].omit_tensors = true; },
       {kModelSubgraphInput, kModelSubgraphOutput, kModelOperatorInput, kModelOperatorOutput}},
      {"MainGraphWithoutInputs", kModelInputsMissing, {0}, [](Model& m) { m.subgraphs[0].omit_inputs = true; }},
      {"MainGraphWithoutOutputs", kModelOutputsMissing, {0}, [](Model& m) { m.subgraphs[0].omit_outputs = true; }},
      {"BuffersLeftOut", kModelBuffersMissing, {0, 1}, [](Model& m) { m.omit_buffers = true; }, {kModelTensorBuffer}},
      {"BytesInBufferZero",
       kModelBufferZero,
       {5, 0},
       [](Model& m) { m.buffers[0].data.emplace(kBytes, kBytes + 5); },
       {kModelConstantInput, kModelConstantLength, kModelConstantProduced}},
      {"MetadataOfNoBuffer",
       kModelMetadataBuffer,
       {1, 2, 2},
       [](Model& m) {
         m.AddMetadata("sound", kBytes);
         m.metadata.push_back({"not", 2});
       }},
      {"SignatureOfNoSubgraph",
       kModelSignatureSubgraph,
       {1, 3, 3},
       [](Model& m) { m.signatures = {{.key = "sound"}, {.key = "not", .subgraph = 3}}; }},
      {"SignatureOfNoTensor",
       kModelSignatureTensor,
       {0, 2, 4, 4},
       [](Model& m) { m.signatures = {{.key = "k", .subgraph = 1, .inputs = {0, 1}, .outputs = {4}}}; }},
      {"SubgraphInputBehindTheTensors", kModelSubgraphInput, {1, 1, 4, 4}, [](Model& m) { Second(m).inputs = {0, 4}; }},
      {"SubgraphInputBelowZero", kModelSubgraphInput, {1, 0, -1, 4}, [](Model& m) { Second(m).inputs = {-1}; }},
      {"SubgraphOutputBehindTheTensors",
       kModelSubgraphOutput,
       {1, 1, 4, 4},
       [](Model& m) { Second(m).outputs = {3, 4}; }},
      {"SubgraphOutputFarBehindTheTensors",
       kModelSubgraphOutput,
       {1, 1, 1000000, 4},
       [](Model& m) { Second(m).outputs = {3, 1000000}; }},
      {"SubgraphOutputBelowZero", kModelSubgraphOutput, {1, 0, -2, 4}, [](Model& m) { Second(m).outputs = {-2}; }},
      {"ConstantAsSubgraphInput",
       kModelConstantInput,
       {1, 0, 0},
       [](Model& m) { Tensor(m, 0).buffer = m.AddBuffer(kBytes); }},
      {"TensorOfNoBuffer", kModelTensorBuffer, {1, 1, 1, 1}, [](Model& m) { Tensor(m, 1).buffer = 1; }},
      {"TypeBehindTheLast",
       kModelTensorType,
       {1, 1, 23, 22},
       [](Model& m) { Tensor(m, 1).type = static_cast<TensorType>(23); }},
      {"TypeBelowZero",
       kModelTensorType,
       {1, 1, -3, 22},
       [](Model& m) { Tensor(m, 1).type = static_cast<TensorType>(-3); }},
      {"NegativeDimension", kModelTensorDimension, {1, 3, 1, -3}, [](Model& m) { Tensor(m, 3).shape = {{2, -3}}; }},
      {"SignatureBelowUnknown",
       kModelTensorSignature,
       {1, 3, 1, -2},
       [](Model& m) { Tensor(m, 3).shape_signature = {-1, -2}; }},
      {"ElementsThatWrapIn32Bits",
       kModelTensorSize,
       {1, 3, 65536, 65536},
       [](Model& m) { Tensor(m, 3).shape = {{65536, 65536}}; }},
      {"ElementsThatWrapIn64Bits",
       kModelTensorSize,
       {1, 3, 65536, 65536},
       [](Model& m) { Tensor(m, 3).shape = {{65536, 65536, 65536, 65536, 2}}; }},
      {"OneElementTooMany",
       kModelTensorSize,
       {1, 3, 65536, 32768},
       [](Model& m) { Tensor(m, 3).shape = {{65536, 32768}}; }},
      {"ElementsThatADimensionOfZeroWouldHide",
       kModelTensorSize,
       {1, 3, 65536, 65536},
       [](Model& m) { Tensor(m, 3).shape = {{65536, 0, 65536}}; }},
      {"ConstantTooLong",
       kModelConstantLength,
       {1, 4, 6, 5},
       [](Model& m) { AddConstant(m, {.type = TensorType::kInt8, .shape = {{5}}}); }},
      {"ConstantTooShort",
       kModelConstantLength,
       {1, 4, 6, 7},
       [](Model& m) { AddConstant(m, {.type = TensorType::kInt8, .shape = {{7}}}); }},
      {"ConstantWithAByteForEachOfTwoInt4",
       kModelConstantLength,
       {1, 4, 6, 5},
       [](Model& m) { AddConstant(m, {.type = TensorType::kInt4, .shape = {{1, 10}}}); }},
      {"ConstantThatIsNoScalar",
       kModelConstantLength,
       {1, 4, 6, 1},
       [](Model& m) { AddConstant(m, {.type = TensorType::kInt8}); }},
      {"MisalignedConstant",
       kModelConstantAlignment,
       {1, 4, InvalidModel::kAnyNumber, 8},
       [](Model& m) {
         const std::uint32_t buffer = m.AddBuffer(std::vector<std::byte>(16), false);
         Second(m).AddTensor({.type = TensorType::kComplex128, .shape = {{1}}, .buffer = buffer});
       }},
      {"TwoZeroPointsForAScale",
       kModelQuantizationLists,
       {1, 2, 2, 1},
       [](Model& m) { Tensor(m, 2).quantization = QuantizationSpec{.scales = {0.5f}, .zero_points = {1, 2}}; }},
      {"TwoZeroPointsForThreeScales",
       kModelQuantizationLists,
       {1, 2, 2, 3},
       [](Model& m) { Tensor(m, 2).quantization = QuantizationSpec{.scales = {1, 1, 1}, .zero_points = {0, 0}}; }},
      {"NoZeroPointForAScale",
       kModelQuantizationLists,
       {1, 2, 0, 1},
       [](Model& m) { Tensor(m, 2).quantization = QuantizationSpec{.scales = {1}, .zero_points = {}}; }},
      {"ScaleOfZero", kModelScale, {1, 2, 1, Bits(0.0)}, [](Model& m) { SetScales(m, 0.0f); }},
      {"ScaleOfMinusZero", kModelScale, {1, 2, 1, Bits(-0.0)}, [](Model& m) { SetScales(m, -0.0f); }},
      {"NegativeScale", kModelScale, {1, 2, 1, Bits(-1.0)}, [](Model& m) { SetScales(m, -1.0f); }},
      {"InfiniteScale", kModelScale, {1, 2, 1, Bits(HUGE_VAL)}, [](Model& m) { SetScales(m, HUGE_VALF); }},
      {"ScaleThatIsNoNumber", kModelScale, {1, 2, 1, Bits(double{NAN})}, [](Model& m) { SetScales(m, NAN); }},
      {"TwoScalesForAListOfSix",
       kModelScaleCount,
       {1, 2, 2, 6},
       [](Model& m) { Tensor(m, 2).quantization = ScalesAlong(0, {0.5f, 0.25f}); }},
      {"TwoScalesAlongAnExtentOfThree",
       kModelScaleCount,
       {1, 2, 2, 3},
       [](Model& m) {
         Tensor(m, 2).shape = {{2, 3}};
         Tensor(m, 2).quantization = ScalesAlong(1, {1, 1});
       }},
      {"TwoScalesForAListAlongNoDimension",
       kModelScaleCount,
       {1, 2, 2, 6},
       [](Model& m) { Tensor(m, 2).quantization = ScalesAlong(3, {1, 1}); }},
      {"QuantizedDimensionBehindTheLast",
       kModelQuantizedDimension,
       {1, 2, 2, 2},
       [](Model& m) {
         Tensor(m, 2).shape = {{2, 3}};
         Tensor(m, 2).quantization = ScalesAlong(2, {0.5f, 0.25f});
       }},
      {"QuantizedDimensionBelowZero",
       kModelQuantizedDimension,
       {1, 2, -1, 2},
       [](Model& m) {
         Tensor(m, 2).shape = {{2, 3}};
         Tensor(m, 2).quantization = ScalesAlong(-1, {0.5f, 0.25f});
       }},
      {"QuantizedDimensionOfAScalar",
       kModelQuantizedDimension,
       {1, 3, 0, 0},
       [](Model& m) {
         Tensor(m, 3).shape = std::nullopt;
         Tensor(m, 3).quantization = ScalesAlong(0, {1, 1});
       }},
      {"ZeroPointThatInt8DoesNotHold",
       kModelZeroPoint,
       {1, 2, 300, 127},
       [](Model& m) { Tensor(m, 2).quantization = Scale(0.5f, 300); }},
      {"OperatorOfNoCode", kModelOpcodeIndex, {1, 1, 1, 1}, [](Model& m) { Operator(m).code = 1; }},
      {"CustomOperatorWithoutAName",
       kModelCustomCodeMissing,
       {1, 1, 1},
       [](Model& m) { Operator(m).code = m.AddCode(BuiltinOperator::kCustom); }},
      {"InputBehindTheTensors", kModelOperatorInput, {1, 1, 4, 4}, [](Model& m) { Operator(m).inputs = {4}; }},
      {"InputBelowOmitted", kModelOperatorInput, {1, 1, -2, 4}, [](Model& m) { Operator(m).inputs = {1, -2}; }},
      {"OutputBehindTheTensors", kModelOperatorOutput, {1, 1, 4, 4}, [](Model& m) { Operator(m).outputs = {4}; }},
      {"OutputOmitted", kModelOperatorOutput, {1, 1, -1, 4}, [](Model& m) { Operator(m).outputs = {-1}; }},
      {"IntermediateBehindTheTensors",
       kModelOperatorIntermediate,
       {1, 1, 4, 4},
       [](Model& m) { Operator(m).intermediates = {4}; }},
      {"IntermediateWithBytes",
       kModelIntermediateBytes,
       {1, 1, 3, 6},
       [](Model& m) { Operator(m).intermediates = {3}; }},
      {"TwoFlagsForOneInput",
       kModelMutatingInputs,
       {1, 1, 2, 1},
       [](Model& m) { Operator(m).mutating_inputs = {0, 1}; }},
      {"OneFlagForThreeInputs",
       kModelMutatingInputs,
       {1, 1, 1, 3},
       [](Model& m) {
         Operator(m).inputs = {1, -1, -1};
         Operator(m).mutating_inputs = {0};
       }},
      {"OptionsForAnOperatorWithoutAny",
       kModelOptionsType,
       {1, 1, 11, 0},
       [](Model& m) { Operator(m).options = AddOptions{}; }},
      {"OptionsOfAnotherOperator",
       kModelOptionsType,
       {1, 1, 1, 8},
       [](Model& m) { Become(m, BuiltinOperator::kFullyConnected, Conv2DOptions{}); }},
      {"OptionsOfNoOperator",
       kModelOptionsType,
       {1, 1, 200, 8},
       [](Model& m) {
         Become(m, BuiltinOperator::kFullyConnected, FullyConnectedOptions{});
         Operator(m).union_type = 200;
       }},
      {"OptionsOfTheSecondUnion", kModelOptions2Type, {1, 1, 18}, [](Model& m) { Operator(m).union_2_type = 18; }},
      {"OperatorWithoutItsOptions",
       kModelOptionsMissing,
       {1, 1, 25, 9},
       [](Model& m) { Become(m, BuiltinOperator::kSoftmax, {}); }},
      {"OptionsWithoutTheirTable",
       kModelOptionsMissing,
       {1, 1, 25, 9},
       [](Model& m) {
         Become(m, BuiltinOperator::kSoftmax, SoftmaxOptions{1});
         Operator(m).omit_options_table = true;
       }},
      {"CustomOptionsOfABuiltinOperator",
       kModelCustomOptions,
       {1, 1, 5},
       [](Model& m) { Operator(m).custom_options.resize(5); }},
      {"CallBehindTheSubgraphs",
       kModelCalledSubgraph,
       {1, 1, 3, 3},
       [](Model& m) { Become(m, BuiltinOperator::kIf, IfOptions{2, 3}); }},
      {"CallBelowZero",
       kModelCalledSubgraph,
       {1, 1, -1, 3},
       [](Model& m) { Become(m, BuiltinOperator::kIf, IfOptions{2, -1}); }},
      {"CallFarBelowZero",
       kModelCalledSubgraph,
       {1, 1, -7, 3},
       [](Model& m) { Become(m, BuiltinOperator::kIf, IfOptions{2, -7}); }},
      {"SubgraphThatCallsItself",
       kModelCallCycle,
       {1, 1, 1},
       [](Model& m) { Become(m, BuiltinOperator::kIf, IfOptions{2, 1}); }},
      {"MainGraphThatCallsItself",
       kModelCallCycle,
       {0, 1, 0},
       [](Model& m) { Become(m, BuiltinOperator::kIf, IfOptions{1, 0}, 0); }},
      {"CycleThatTheMainGraphDoesNotReach",
       kModelCallCycle,
       {2, 1, 1},
       [](Model& m) {
         Become(m, BuiltinOperator::kCallOnce, CallOnceOptions{2}, 1);
         Become(m, BuiltinOperator::kCallOnce, CallOnceOptions{1}, 2);
       }},
      {"TensorThatTwoOperatorsWrite",
       kModelTensorProducedTwice,
       {1, 2, 1},
       [](Model& m) {
         Second(m).operators[2].outputs = {1};
         Second(m).outputs = {2};
       }},
      {"TensorThatAnOperatorWritesTwice",
       kModelTensorProducedTwice,
       {1, 1, 2},
       [](Model& m) { Operator(m).outputs = {2, 2}; }},
      {"OperatorThatWritesASubgraphInput", kModelInputProduced, {1, 1, 2}, [](Model& m) { Second(m).inputs = {0, 2}; }},
      {"OperatorThatWritesAConstant",
       kModelConstantProduced,
       {1, 1, 2},
       [](Model& m) { Tensor(m, 2).buffer = m.AddBuffer(kBytes); }},
      {"OperatorThatWritesAVariable",
       kModelVariableProduced,
       {1, 1, 2},
       [](Model& m) { Tensor(m, 2).is_variable = true; }},
      {"TensorReadBeforeItIsWritten",
       kModelReadBeforeProduced,
       {1, 2, 3},
       [](Model& m) { Second(m).operators[0].inputs = {3}; }},
      {"OperatorThatReadsItsOutput", kModelReadBeforeProduced, {1, 1, 2}, [](Model& m) { Operator(m).inputs = {2}; }},
      {"OperatorsOutOfOrder",
       kModelReadBeforeProduced,
       {1, 1, 1},
       [](Model& m) { std::swap(Second(m).operators[0], Second(m).operators[1]); }},
      {"SubgraphOutputThatNobodyWrites",
       kModelOutputNotProduced,
       {1, 1, 4},
       [](Model& m) { Second(m).outputs = {3, Second(m).AddTensor({.type = TensorType::kInt8, .shape = {{6}}})}; }},
  };
}

}  // namespace

ModelBuilder SoundModel() {
  ModelBuilder builder;
  for (int s = 0; s < 3; ++s) {
    SubgraphSpec& graph = builder.AddSubgraph();
    for (int i = 0; i < 4; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{6}}});
    for (std::int32_t i = 0; i < 3; ++i) {
      graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {i}, .outputs = {i + 1}});
    }
    graph.inputs = {0};
    graph.outputs = {3};
  }
  return builder;
}

const std::vector<InvalidModel>& InvalidModels() {
  static const std::vector<InvalidModel> models = AllInvalidModels();
  return models;
}

}  // namespace arenaproof

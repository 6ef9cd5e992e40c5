#include "engine/harness/self_test/refusal_self_test.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "core/model/validate.h"
#include "engine/oracles/model/broken_rules.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kNone = 77;  // no index of anything
constexpr std::byte kBytes[6] = {};

// Three subgraphs, each a chain of three operators over four tensors.
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

SubgraphSpec& Second(ModelBuilder& model) { return model.subgraphs[1]; }
TensorSpec& Tensor(ModelBuilder& model, std::size_t index) { return Second(model).tensors[index]; }
OperatorSpec& Operator(ModelBuilder& model) { return Second(model).operators[1]; }  // from tensor 1 to tensor 2

// One rule broken in one place.
struct Breach {
  StatusCode code;
  std::size_t figure_count;  // that the oracle has to know
  std::function<void(ModelBuilder&)> make;
  std::vector<StatusCode> also = {};  // other rules that cannot but be broken with it
};

// Every rule but those that take a model of many thousand entries or calls.
const std::vector<Breach>& Breaches() {
  using Model = ModelBuilder;
  static const std::vector<Breach> breaches = {
      {StatusCode::kModelSubgraphCount, 3, [](Model& m) { m.omit_subgraphs = true; }},
      {StatusCode::kModelTensorsMissing,
       1,
       [](Model& m) { m.subgraphs[0].omit_tensors = true; },
       {StatusCode::kModelSubgraphInput, StatusCode::kModelSubgraphOutput, StatusCode::kModelOperatorInput,
        StatusCode::kModelOperatorOutput}},
      {StatusCode::kModelInputsMissing, 1, [](Model& m) { m.subgraphs[0].omit_inputs = true; }},
      {StatusCode::kModelOutputsMissing, 1, [](Model& m) { m.subgraphs[0].omit_outputs = true; }},
      {StatusCode::kModelBuffersMissing, 2, [](Model& m) { m.omit_buffers = true; }, {StatusCode::kModelTensorBuffer}},
      {StatusCode::kModelBufferZero,
       2,
       [](Model& m) { m.buffers[0].data.emplace(kBytes, kBytes + 5); },
       {StatusCode::kModelConstantInput, StatusCode::kModelConstantLength, StatusCode::kModelConstantProduced}},
      {StatusCode::kModelMetadataBuffer, 3,
       [](Model& m) {
         m.AddMetadata("sound", kBytes);
         m.metadata.push_back({"not", kNone});
       }},
      {StatusCode::kModelSignatureSubgraph, 3,
       [](Model& m) { m.signatures = {{.key = "sound"}, {.key = "not", .subgraph = kNone}}; }},
      {StatusCode::kModelSignatureTensor, 4,
       [](Model& m) { m.signatures = {{.key = "k", .subgraph = 1, .inputs = {0, 1}, .outputs = {kNone}}}; }},
      {StatusCode::kModelSubgraphInput, 4, [](Model& m) { Second(m).inputs = {0, kNone}; }},
      {StatusCode::kModelSubgraphOutput, 4, [](Model& m) { Second(m).outputs = {3, kNone}; }},
      {StatusCode::kModelConstantInput, 3, [](Model& m) { Tensor(m, 0).buffer = m.AddBuffer(kBytes); }},
      {StatusCode::kModelTensorBuffer, 4, [](Model& m) { Tensor(m, 1).buffer = kNone; }},
      {StatusCode::kModelTensorType, 4, [](Model& m) { Tensor(m, 1).type = static_cast<TensorType>(kNone); }},
      {StatusCode::kModelTensorDimension, 4, [](Model& m) { Tensor(m, 3).shape = {{2, -3}}; }},
      {StatusCode::kModelTensorSignature, 4, [](Model& m) { Tensor(m, 3).shape_signature = {-1, -2}; }},
      // Which of several factors is too large is left to validation.
      {StatusCode::kModelTensorSize, 2, [](Model& m) { Tensor(m, 3).shape = {{65536, 65536}}; }},
      {StatusCode::kModelConstantLength, 4,
       [](Model& m) {
         Second(m).AddTensor({.type = TensorType::kInt8, .shape = {{5}}, .buffer = m.AddBuffer(kBytes)});
       }},
      {StatusCode::kModelConstantAlignment, 4,
       [](Model& m) {
         const std::uint32_t buffer = m.AddBuffer(std::vector<std::byte>(16), false);
         Second(m).AddTensor({.type = TensorType::kComplex128, .shape = {{1}}, .buffer = buffer});
       }},
      {StatusCode::kModelQuantizationLists, 4,
       [](Model& m) { Tensor(m, 2).quantization = QuantizationSpec{.scales = {0.5f}, .zero_points = {1, 2}}; }},
      {StatusCode::kModelScale, 4, [](Model& m) { Tensor(m, 2).quantization = Scale(0.0f, 0); }},
      {StatusCode::kModelScaleCount, 4, [](Model& m) { Tensor(m, 2).quantization = ScalesAlong(0, {0.5f, 0.25f}); }},
      {StatusCode::kModelQuantizedDimension, 4,
       [](Model& m) {
         Tensor(m, 2).shape = {{2, 3}};
         Tensor(m, 2).quantization = ScalesAlong(5, {0.5f, 0.25f});
       }},
      {StatusCode::kModelZeroPoint, 4, [](Model& m) { Tensor(m, 2).quantization = Scale(0.5f, 300); }},
      {StatusCode::kModelOpcodeIndex, 4, [](Model& m) { Operator(m).code = kNone; }},
      {StatusCode::kModelCustomCodeMissing, 3,
       [](Model& m) {
         Operator(m).code = static_cast<std::uint32_t>(m.codes.size());
         m.codes.push_back({.builtin_code = 32, .deprecated_builtin_code = 32});
       }},
      {StatusCode::kModelOperatorInput, 4, [](Model& m) { Operator(m).inputs = {kNone}; }},
      {StatusCode::kModelOperatorOutput, 4, [](Model& m) { Operator(m).outputs = {kNone}; }},
      {StatusCode::kModelOperatorIntermediate, 4, [](Model& m) { Operator(m).intermediates = {kNone}; }},
      {StatusCode::kModelIntermediateBytes, 4, [](Model& m) { Operator(m).intermediates = {3}; }},
      {StatusCode::kModelMutatingInputs, 4, [](Model& m) { Operator(m).mutating_inputs = {0, 1}; }},
      {StatusCode::kModelOptionsType, 4, [](Model& m) { Operator(m).options = AddOptions{}; }},
      {StatusCode::kModelOptions2Type, 3, [](Model& m) { Operator(m).union_2_type = 1; }},
      {StatusCode::kModelOptionsMissing, 4, [](Model& m) { Operator(m).code = m.AddCode(BuiltinOperator::kSoftmax); }},
      {StatusCode::kModelCustomOptions, 3, [](Model& m) { Operator(m).custom_options = {kBytes[0]}; }},
      {StatusCode::kModelCalledSubgraph, 4,
       [](Model& m) {
         Operator(m).code = m.AddCode(BuiltinOperator::kIf);
         Operator(m).options = IfOptions{2, kNone};
       }},
      // A circle may be reported anywhere on it.
      {StatusCode::kModelCallCycle, 0,
       [](Model& m) {
         Operator(m).code = m.AddCode(BuiltinOperator::kIf);
         Operator(m).options = IfOptions{2, 1};
       }},
      {StatusCode::kModelTensorProducedTwice, 3,
       [](Model& m) {
         Second(m).operators[2].outputs = {1};
         Second(m).outputs = {2};
       }},
      {StatusCode::kModelInputProduced, 3, [](Model& m) { Second(m).inputs = {0, 2}; }},
      {StatusCode::kModelConstantProduced, 3, [](Model& m) { Tensor(m, 2).buffer = m.AddBuffer(kBytes); }},
      {StatusCode::kModelVariableProduced, 3, [](Model& m) { Tensor(m, 2).is_variable = true; }},
      {StatusCode::kModelReadBeforeProduced, 3, [](Model& m) { Second(m).operators[0].inputs = {3}; }},
      {StatusCode::kModelOutputNotProduced, 3,
       [](Model& m) { Second(m).outputs = {3, Second(m).AddTensor({.type = TensorType::kInt8, .shape = {{6}}})}; }},
  };
  return breaches;
}

class SelfTest {
 public:
  std::vector<std::string> Run() {
    for (const Breach& breach : Breaches()) Show(breach);
    return missed_;
  }

 private:
  void RequireComplaint(const std::string& complaint, const std::string& words, const std::string& what) {
    if (complaint.find(words) != std::string::npos) return;
    missed_.push_back("the validation oracle lets pass " + what + ", or says it of something else: '" + complaint +
                      "' instead of '" + words + "'");
  }

  void Show(const Breach& breach) {
    const std::string name = oracle::StatusName(breach.code);
    ModelBuilder builder = SoundModel();
    breach.make(builder);
    const std::vector<std::byte> file = builder.Finish();
    ModelView model;
    ValidationReport report;
    if (!ModelView::Open(file, &model).ok()) return missed_.push_back("the breach of " + name + " is no model");
    const Status answer = ValidateModel(model, &report);
    if (const std::string complaint = oracle::CheckValidation(file, answer); !complaint.empty()) {
      return missed_.push_back("the refusal of " + name + " is right: " + complaint);
    }
    if (answer.code != breach.code) {
      return missed_.push_back("the breach of " + name + " is met by " + oracle::StatusName(answer.code));
    }
    for (std::size_t figure = 0; figure < breach.figure_count; ++figure) {
      for (const int step : {-1, 1, 2}) {
        Status wrong = answer;
        wrong.detail[figure] += static_cast<std::uint64_t>(step);
        RequireComplaint(oracle::CheckValidation(file, wrong), "validation refuses with the rule " + name,
                         name + " with another number " + std::to_string(figure) + " in its refusal");
      }
    }
    RequireComplaint(oracle::CheckValidation(file, Ok()), "validation accepts a model", "a breach of " + name);
    for (const Breach& other : Breaches()) {
      if (other.code == breach.code || std::ranges::count(breach.also, other.code) != 0) continue;
      const Status wrong = Failure(other.code, answer.detail[0], answer.detail[1], answer.detail[2], answer.detail[3]);
      RequireComplaint(oracle::CheckValidation(file, wrong), "which the model does not break",
                       std::string(oracle::StatusName(other.code)) + " for a breach of " + name);
    }
  }

  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> RunValidationOracleSelfTest() { return SelfTest().Run(); }

}  // namespace arenaproof

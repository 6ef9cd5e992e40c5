// What prepare refuses of UNIDIRECTIONAL_SEQUENCE_LSTM.
#include <gtest/gtest.h>

#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kHidden = 18;
constexpr std::size_t kCell = 19;
constexpr std::size_t kBias = 12;

// Two batches of three steps of four inputs, five units.
TestOperator Lstm(TensorType type, TensorType bias_type) {
  TestOperator subject;
  subject.op = BuiltinOperator::kUnidirectionalSequenceLstm;
  subject.options = UnidirectionalSequenceLstmOptions{.activation = Activation::kTanh};
  subject.inputs.assign(24, Absent());
  subject.inputs[0] = QuantizedTensor(type, {2, 3, 4}, 1.0f / 64.0f, 0);
  for (std::size_t gate = 0; gate < 4; ++gate) {
    subject.inputs[1 + gate] = Constant(QuantizedTensor(kInt8, {5, 4}, 1.0f / 64.0f, 0));
    subject.inputs[5 + gate] = Constant(QuantizedTensor(kInt8, {5, 5}, 1.0f / 64.0f, 0));
    subject.inputs[kBias + gate] = Constant(Tensor(bias_type, {5}));
  }
  subject.inputs[kHidden] = QuantizedTensor(type, {2, 5}, 1.0f / 64.0f, 0);
  subject.inputs[kCell] = QuantizedTensor(kInt16, {2, 5}, 1.0f / 4096.0f, 0);
  subject.inputs[kHidden].variable = subject.inputs[kCell].variable = true;
  subject.outputs = {QuantizedTensor(type, {2, 3, 5}, 1.0f / 64.0f, 0)};
  return subject;
}
TestOperator LstmInt8() { return Lstm(kInt8, kInt32); }
TestOperator LstmInt16() { return Lstm(kInt16, TensorType::kInt64); }

INSTANTIATE_TEST_SUITE_P(
    Lstm, Refusals,
    ::testing::Values(
        Refusal{"an lstm of twenty inputs", LstmInt8, [](TestOperator& s) { s.inputs.resize(20); },
                StatusCode::kKernelOperandCount, 20},
        Refusal{"an lstm without an input gate", LstmInt8, [](TestOperator& s) { s.inputs[1] = Absent(); },
                StatusCode::kKernelOperandMissing, 1},
        Refusal{"an lstm without a bias", LstmInt8, [](TestOperator& s) { s.inputs[kBias + 1] = Absent(); },
                StatusCode::kKernelOperandMissing, kBias + 1},
        Refusal{"an lstm with a peephole", LstmInt8, [](TestOperator& s) { s.inputs[9] = s.inputs[kBias]; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kLstmVariant)},
        Refusal{"an lstm with a projection", LstmInt8, [](TestOperator& s) { s.inputs[16] = s.inputs[5]; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kLstmVariant)},
        Refusal{"an lstm with layer normalization", LstmInt8, [](TestOperator& s) { s.inputs[23] = s.inputs[kBias]; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kLstmVariant)},
        Refusal{"a hidden state that is computed", LstmInt8,
                [](TestOperator& s) { s.inputs[kHidden].variable = false; }, StatusCode::kKernelNotVariable, kHidden},
        Refusal{"a cell that is computed", LstmInt8, [](TestOperator& s) { s.inputs[kCell].variable = false; },
                StatusCode::kKernelNotVariable, kCell},
        Refusal{"an lstm without options", LstmInt8, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"an lstm with another activation", LstmInt8,
                [](TestOperator& s) { OptionsOf<UnidirectionalSequenceLstmOptions>(s).activation = Activation::kRelu; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"an lstm of uint8", LstmInt8, [](TestOperator& s) { Retype(s.inputs[0], TensorType::kUInt8); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"int16 weights", LstmInt8, [](TestOperator& s) { Retype(s.inputs[6], kInt16); },
                StatusCode::kKernelType, 6},
        Refusal{"a bias of int32 beside int16", LstmInt16, [](TestOperator& s) { Retype(s.inputs[kBias], kInt32); },
                StatusCode::kKernelType, kBias},
        Refusal{"a cell of int8", LstmInt8, [](TestOperator& s) { Retype(s.inputs[kCell], kInt8); },
                StatusCode::kKernelType, kCell},
        Refusal{"an lstm to int16", LstmInt8, [](TestOperator& s) { Retype(s.outputs[0], kInt16); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"an input of two dimensions", LstmInt8, [](TestOperator& s) { Resize(s.inputs[0], {6, 4}); },
                StatusCode::kKernelRank, 0},
        Refusal{"an lstm of no steps", LstmInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 0, 4}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"weights of another input", LstmInt8, [](TestOperator& s) { Resize(s.inputs[4], {5, 3}); },
                StatusCode::kKernelDimension, 4},
        Refusal{"weights of another hidden state", LstmInt8, [](TestOperator& s) { Resize(s.inputs[8], {5, 4}); },
                StatusCode::kKernelDimension, 8},
        Refusal{"a short gate bias", LstmInt8, [](TestOperator& s) { Resize(s.inputs[kBias + 3], {4}); },
                StatusCode::kKernelElementCount, kBias + 3},
        Refusal{"a hidden state of another batch", LstmInt8, [](TestOperator& s) { Resize(s.inputs[kHidden], {3, 5}); },
                StatusCode::kKernelDimension, kHidden},
        Refusal{"a cell of another batch", LstmInt8, [](TestOperator& s) { Resize(s.inputs[kCell], {3, 5}); },
                StatusCode::kKernelDimension, kCell},
        Refusal{"steps first where batches are", LstmInt8,
                [](TestOperator& s) { OptionsOf<UnidirectionalSequenceLstmOptions>(s).time_major = true; },
                StatusCode::kKernelDimension, kHidden},
        Refusal{"an output of another step count", LstmInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 4, 5}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"gate weights with a zero point", LstmInt8, [](TestOperator& s) { s.inputs[7].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, 7},
        Refusal{"a cell with a zero point", LstmInt8, [](TestOperator& s) { s.inputs[kCell].zero_points = {1}; },
                StatusCode::kKernelZeroPoint, kCell},
        Refusal{"a cell without quantization", LstmInt8, [](TestOperator& s) { s.inputs[kCell].scales.clear(); },
                StatusCode::kKernelQuantizationMissing, kCell},
        Refusal{"a cell scale beyond the table of tanh", LstmInt8,
                [](TestOperator& s) { s.inputs[kCell].scales = {8.0f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kOperatorRatio)},
        Refusal{"a ratio beyond sums of 64 bits", LstmInt16, [](TestOperator& s) { s.inputs[0].scales = {2.0f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kOperatorRatio)}),
    NameOf);

}  // namespace
}  // namespace arenaproof::testing

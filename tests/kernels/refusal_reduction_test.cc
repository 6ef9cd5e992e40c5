// What prepare refuses of operators along axes and of rows: SUM, REDUCE_MAX, REDUCE_ALL, ARG_MAX, CUMSUM,
// L2_NORMALIZATION, LOG_SOFTMAX, L2_POOL_2D.
#include <gtest/gtest.h>

#include "tests/kernels/refusal_support.h"

namespace arenaproof::testing {
namespace {

TestOperator SumInt8() {
  TestOperator subject = MeanInt8();
  subject.op = BuiltinOperator::kSum;
  return subject;
}
TestOperator ReduceMaxInt8() {
  TestOperator subject = MeanInt8();
  subject.op = BuiltinOperator::kReduceMax;
  return subject;
}
TestOperator ReduceAll() {
  TestOperator subject = MeanInt8();
  subject.op = BuiltinOperator::kReduceAll;
  Retype(subject.inputs[0], kBool);
  Retype(subject.outputs[0], kBool);
  return subject;
}
TestOperator ArgMaxInt8() {
  return {BuiltinOperator::kArgMax,
          std::monostate{},
          {QuantizedTensor(kInt8, {2, 3, 4}, 0.5f, 3), Int32Constant({1}, {1})},
          {Tensor(kInt32, {2, 4})}};
}
TestOperator CumsumInt8() {
  return {BuiltinOperator::kCumsum,
          CumsumOptions{},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3), Int32Constant({}, {-1})},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3)}};
}
TestOperator L2NormalizationInt8() {
  return {BuiltinOperator::kL2Normalization,
          L2NormOptions{},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3)},
          {QuantizedTensor(kInt8, {2, 3}, 1.0f / 128.0f, 0)}};
}
TestOperator LogSoftmaxInt8() {
  return {BuiltinOperator::kLogSoftmax,
          std::monostate{},
          {QuantizedTensor(kInt8, {2, 3}, 0.5f, 3)},
          {QuantizedTensor(kInt8, {2, 3}, 1.0f / 16.0f, 127)}};
}
TestOperator L2PoolFloat() {
  TestOperator subject = AveragePoolInt8();
  subject.op = BuiltinOperator::kL2Pool2d;
  Retype(subject.inputs[0], kFloat);
  Retype(subject.outputs[0], kFloat);
  return subject;
}
void ResizeBoth(TestOperator& subject, const std::vector<std::int32_t>& shape) {
  Resize(subject.inputs[0], shape);
  Resize(subject.outputs[0], shape);
}

INSTANTIATE_TEST_SUITE_P(
    Axes, Refusals,
    ::testing::Values(
        Refusal{"a sum of int32", SumInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt32); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a sum along computed axes", SumInt8, [](TestOperator& s) { s.inputs[1].constant = false; },
                StatusCode::kKernelNotConstant, 1},
        Refusal{"a sum along five axes of floats", SumInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kFloat);
                  Retype(s.outputs[0], kFloat);
                  s.inputs[1] = Int32Constant({5}, {1, 2, 1, 2, 1});
                },
                StatusCode::kKernelElementCount, 1},
        Refusal{"a sum of more int16 than 32 bits hold", SumInt8,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt16);
                  Retype(s.outputs[0], kInt16);
                  Resize(s.inputs[0], {2, 8192, 4});
                },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kAccumulatorRange)},
        Refusal{"a largest value of int16", ReduceMaxInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a largest value of another scale", ReduceMaxInt8,
                [](TestOperator& s) { s.outputs[0].scales = {1.0f}; }, StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a largest value of another zero point", ReduceMaxInt8,
                [](TestOperator& s) { s.outputs[0].zero_points = {4}; }, StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a largest value along an axis beyond the rank", ReduceMaxInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({1}, {-4}); }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"a largest value of another shape", ReduceMaxInt8, [](TestOperator& s) { Resize(s.outputs[0], {3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a largest value of nothing", ReduceMaxInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 0, 4}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"a largest value along a table of axes", ReduceMaxInt8,
                [](TestOperator& s) { Resize(s.inputs[1], {1, 2}); }, StatusCode::kKernelRank, 1},
        Refusal{"an all of int8", ReduceAll, [](TestOperator& s) { Retype(s.inputs[0], kInt8); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an all to int8", ReduceAll, [](TestOperator& s) { Retype(s.outputs[0], kInt8); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"an all of too few dimensions", ReduceAll, [](TestOperator& s) { Resize(s.outputs[0], {}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"an index of int16 values", ArgMaxInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"an index of int64", ArgMaxInt8, [](TestOperator& s) { Retype(s.outputs[0], TensorType::kInt64); },
                StatusCode::kKernelType, kFirstOutput},
        Refusal{"an index along two axes", ArgMaxInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({2}, {1, 1}); }, StatusCode::kKernelElementCount, 1},
        Refusal{"an index along an axis of int64", ArgMaxInt8,
                [](TestOperator& s) { Retype(s.inputs[1], TensorType::kInt64); }, StatusCode::kKernelType, 1},
        Refusal{"an index along an axis beyond the rank", ArgMaxInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({1}, {3}); }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"indices that keep the axis", ArgMaxInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 1, 4}); },
                StatusCode::kKernelRank, kFirstOutput},
        Refusal{"indices of another shape", ArgMaxInt8, [](TestOperator& s) { Resize(s.outputs[0], {2, 3}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"an index among nothing", ArgMaxInt8, [](TestOperator& s) { Resize(s.inputs[0], {2, 0, 4}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"running sums of int16", CumsumInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"running sums without options", CumsumInt8, [](TestOperator& s) { s.options = std::monostate{}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMissingOptions)},
        Refusal{"running sums of another shape", CumsumInt8, [](TestOperator& s) { Resize(s.outputs[0], {3, 2}); },
                StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"running sums along an axis beyond the rank", CumsumInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({}, {2}); }, StatusCode::kKernelOption,
                Option(KernelOption::kAxis)},
        Refusal{"running sums along two axes", CumsumInt8,
                [](TestOperator& s) { s.inputs[1] = Int32Constant({2}, {0, 1}); }, StatusCode::kKernelElementCount, 1},
        Refusal{"running sums whose scale is far below the terms", CumsumInt8,
                [](TestOperator& s) { s.outputs[0].scales = {1.0f / 1048576.0f}; }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kOperatorRatio)}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    RowsAndWindows, Refusals,
    ::testing::Values(
        Refusal{"a normalization of five dimensions", L2NormalizationInt8,
                [](TestOperator& s) { ResizeBoth(s, {1, 1, 1, 2, 3}); }, StatusCode::kKernelRank, 0},
        Refusal{"a normalization of a scalar", L2NormalizationInt8, [](TestOperator& s) { ResizeBoth(s, {}); },
                StatusCode::kKernelRank, 0},
        Refusal{"a normalization with an activation", L2NormalizationInt8,
                [](TestOperator& s) { OptionsOf<L2NormOptions>(s).activation = Activation::kRelu; },
                StatusCode::kKernelOption, Option(KernelOption::kActivation)},
        Refusal{"a normalization of another scale", L2NormalizationInt8,
                [](TestOperator& s) { s.outputs[0].scales = {1.0f / 127.0f}; }, StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a normalization of another zero point", L2NormalizationInt8,
                [](TestOperator& s) { s.outputs[0].zero_points = {1}; }, StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a normalization of a row beyond 32 bits", L2NormalizationInt8,
                [](TestOperator& s) { ResizeBoth(s, {1, 33026}); }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kAccumulatorRange)},
        Refusal{"a normalization of another shape", L2NormalizationInt8,
                [](TestOperator& s) { Resize(s.outputs[0], {3, 2}); }, StatusCode::kKernelDimension, kFirstOutput},
        Refusal{"a log softmax of int16", LogSoftmaxInt8, [](TestOperator& s) { Retype(s.inputs[0], kInt16); },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a log softmax of another scale", LogSoftmaxInt8, [](TestOperator& s) { s.outputs[0].scales = {0.1f}; },
                StatusCode::kKernelScale, kFirstOutput},
        Refusal{"a log softmax of another zero point", LogSoftmaxInt8,
                [](TestOperator& s) { s.outputs[0].zero_points = {126}; }, StatusCode::kKernelZeroPoint, kFirstOutput},
        Refusal{"a log softmax that is flat", LogSoftmaxInt8, [](TestOperator& s) { s.inputs[0].scales = {1e-9f}; },
                StatusCode::kKernelUnsupported, Feature(KernelFeature::kMultiplierRange)},
        Refusal{"a log softmax of a row beyond 32 bits", LogSoftmaxInt8,
                [](TestOperator& s) { ResizeBoth(s, {1, 4096}); }, StatusCode::kKernelUnsupported,
                Feature(KernelFeature::kLogSoftmaxRow)},
        Refusal{"a log softmax of an empty row", LogSoftmaxInt8, [](TestOperator& s) { ResizeBoth(s, {2, 0}); },
                StatusCode::kKernelDimension, 0},
        Refusal{"a root mean square of int8", L2PoolFloat,
                [](TestOperator& s) {
                  Retype(s.inputs[0], kInt8);
                  Retype(s.outputs[0], kInt8);
                },
                StatusCode::kKernelUnsupportedType, 0},
        Refusal{"a root mean square of another size", L2PoolFloat,
                [](TestOperator& s) { Resize(s.outputs[0], {1, 3, 3, 3}); }, StatusCode::kKernelDimension,
                kFirstOutput},
        Refusal{"a root mean square without a stride", L2PoolFloat,
                [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).stride_h = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kStrideHeight)},
        Refusal{"a root mean square without a window", L2PoolFloat,
                [](TestOperator& s) { OptionsOf<Pool2DOptions>(s).filter_width = 0; }, StatusCode::kKernelOption,
                Option(KernelOption::kFilterWidth)}),
    NameOf);

}  // namespace
}  // namespace arenaproof::testing

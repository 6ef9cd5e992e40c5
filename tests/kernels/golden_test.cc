// Every reference case of the operators that the kernels serve, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>

#include "kernels/kernel_sets.h"
#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/golden_case_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

std::size_t FirstDifference(const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
  return static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first -
                                  one.begin());
}

void CheckFile(const std::filesystem::path& path) {
  int equal = 0;
  for (const GoldenCase& golden : ReadGoldenCases(path)) {
    SCOPED_TRACE(golden.name);
    for (const KernelSet* set : {&ReferenceKernels(), FindKernelSet("aligned")}) {
      const RunResult result = RunKernel(*set, golden.subject);
      ASSERT_EQ(result.broken_promise, "") << set->name;
      ASSERT_TRUE(result.status.ok()) << "code " << static_cast<int>(result.status.code) << " detail "
                                      << result.status.detail[0] << " " << result.status.detail[1] << " "
                                      << result.status.detail[2];
      ASSERT_EQ(result.outputs.size(), golden.subject.outputs.size());
      for (std::size_t output = 0; output < result.outputs.size(); ++output) {
        const std::vector<std::byte>& expected = golden.subject.outputs[output].bytes;
        EXPECT_EQ(result.outputs[output], expected)
            << set->name << ", output " << output << ", first difference at byte "
            << FirstDifference(result.outputs[output], expected);
      }
      if (!golden.sequence.empty())
        EXPECT_EQ(DifferenceInSequence(*set, golden.subject, golden.sequence), "") << set->name;
      ++equal;
    }
  }
  std::cout << path.stem().string() << ": " << equal / 2 << " cases equal to the bit\n";
}

class GoldenKernels : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenKernels, EqualTheReferenceToTheBit) {
  const std::string relative = std::string("golden/kernels/") + GetParam() + ".json";
  const auto path = SharedFile(relative);
  if (!path) GTEST_SKIP() << SharedAbsent(relative);
  CheckFile(*path);
}

INSTANTIATE_TEST_SUITE_P(
    Shared, GoldenKernels,
    ::testing::Values(
        "fully_connected_int8", "fully_connected_int8_per_channel", "fully_connected_float", "conv_2d_int8",
        "conv_2d_int8_groups", "conv_2d_float", "depthwise_conv_2d_int8", "depthwise_conv_2d_float",
        "average_pool_2d_int8", "average_pool_2d_float", "max_pool_2d_int8", "max_pool_2d_float", "softmax_int8",
        "softmax_float", "reshape", "add_int8", "add_float", "mul_int8", "mul_float", "concatenation_int8",
        "concatenation_float", "pad_int8", "pad_float", "padv2_int8", "mean_int8", "mean_float", "logistic_int8",
        "logistic_float", "tanh_int8", "tanh_float", "quantize", "dequantize", "dequantize_int16", "relu_int8",
        "relu_float", "relu6_int8", "comparisons", "svdf_float", "svdf_int8", "fully_connected_int16",
        "fully_connected_int4_weights", "conv_2d_int16", "conv_2d_int4_weights", "depthwise_conv_2d_int16",
        "depthwise_conv_2d_int4_weights", "transpose_conv_float", "transpose_conv_int8", "transpose_conv_int16",
        "average_pool_2d_int16", "max_pool_2d_int16", "softmax_int16", "softmax_int8_to_int16", "add_int16",
        "sub_float", "sub_int8", "sub_int16", "mul_int16", "concatenation_int16", "quantize_requantize", "mean_int16",
        "logistic_int16", "tanh_int16", "batch_matmul_float", "batch_matmul_int8", "batch_matmul_int16", "maximum_int8",
        "maximum_float", "minimum_int8", "div_float", "div_int8", "div_int32", "squared_difference_float",
        "squared_difference_int8", "squared_difference_int16", "squared_difference_int32", "floor_div", "floor_mod",
        "prelu_float", "prelu_int8", "prelu_int16", "leaky_relu_float", "leaky_relu_int8", "leaky_relu_int16",
        "hard_swish_float", "hard_swish_int8", "elu_float", "elu_int8", "exp", "elementwise_float",
        "elementwise_float_more", "abs_int8", "abs_int16", "rsqrt_int8", "rsqrt_int16", "logical", "add_n_float",
        "add_n_int8", "select_v2_float", "select_v2_int8", "select_v2_int16", "l2_normalization_float",
        "l2_normalization_int8", "log_softmax_float", "log_softmax_int8", "l2_pool_2d", "cumsum_float", "cumsum_int8",
        "sum_float", "sum_int8", "reduce_max_float", "reduce_max_int8", "reduce_min_float", "reduce_min_int8",
        "reduce_all", "arg_max_float", "arg_max_int8", "arg_min_float", "arg_min_int8", "cast_bool", "cast_float",
        "cast_int", "unidirectional_sequence_lstm_float", "unidirectional_sequence_lstm_int8"),
    [](const auto& instance) { return std::string(instance.param); });

// The project stands alone: a few cases of each file are in the repository.
TEST(GoldenExcerpts, EqualTheReferenceToTheBit) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SourceFolder() / "tests/kernels/data")) {
    if (entry.path().extension() != ".json") continue;
    CheckFile(entry.path());
    ++files;
  }
  EXPECT_GT(files, 10);
}

}  // namespace
}  // namespace arenaproof::testing

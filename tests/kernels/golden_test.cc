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

// Operators that copy elements, so that the kernels take every type that the reference takes.
bool OnlyMovesElements(BuiltinOperator op) {
  constexpr BuiltinOperator kMovers[] = {BuiltinOperator::kDynamicUpdateSlice,
                                         BuiltinOperator::kFill,
                                         BuiltinOperator::kResizeNearestNeighbor,
                                         BuiltinOperator::kReverseV2,
                                         BuiltinOperator::kSlice,
                                         BuiltinOperator::kSplit,
                                         BuiltinOperator::kSplitV,
                                         BuiltinOperator::kPack,
                                         BuiltinOperator::kUnpack,
                                         BuiltinOperator::kStridedSlice,
                                         BuiltinOperator::kTranspose,
                                         BuiltinOperator::kBroadcastTo,
                                         BuiltinOperator::kExpandDims,
                                         BuiltinOperator::kSqueeze,
                                         BuiltinOperator::kShape,
                                         BuiltinOperator::kReshape};
  return std::find(std::begin(kMovers), std::end(kMovers), op) != std::end(kMovers);
}

bool HasUnservedType(const TestOperator& subject) {
  const auto unserved = [&](const TestTensor& tensor) {
    if (tensor.type == TensorType::kInt4) return true;
    // Nothing that computes in int16.
    if (OnlyMovesElements(subject.op) || subject.op == BuiltinOperator::kDequantize) return false;
    if (subject.op == BuiltinOperator::kSvdf) return false;
    return tensor.type == TensorType::kInt16;
  };
  return std::any_of(subject.inputs.begin(), subject.inputs.end(), unserved) ||
         std::any_of(subject.outputs.begin(), subject.outputs.end(), unserved);
}

std::size_t FirstDifference(const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
  return static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first -
                                  one.begin());
}

void CheckFile(const std::filesystem::path& path) {
  int equal = 0;
  int refused = 0;
  for (const GoldenCase& golden : ReadGoldenCases(path)) {
    SCOPED_TRACE(golden.name);
    for (const KernelSet* set : {&ReferenceKernels(), FindKernelSet("aligned")}) {
      const RunResult result = RunKernel(*set, golden.subject);
      ASSERT_EQ(result.broken_promise, "") << set->name;
      if (HasUnservedType(golden.subject)) {
        EXPECT_EQ(result.status.code, StatusCode::kKernelUnsupportedType);
        ++refused;
        continue;
      }
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
  std::cout << path.stem().string() << ": " << equal / 2 << " cases equal to the bit";
  if (refused > 0) std::cout << ", " << refused / 2 << " of a type not served yet refused";
  std::cout << "\n";
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
        "relu_float", "relu6_int8", "comparisons", "svdf_float", "svdf_int8", "strided_slice_int8", "slice_int8",
        "split_int8", "split_v", "pack_int8", "unpack_int8", "transpose_int8", "gather_int8", "gather_nd_float",
        "gather_nd_int8", "space_to_depth_int8", "depth_to_space_int8", "resize_nearest_neighbor_int8",
        "resize_bilinear_float", "resize_bilinear_int8", "expand_dims", "squeeze", "shape", "fill", "zeros_like",
        "broadcast_to", "broadcast_args", "embedding_lookup_float", "embedding_lookup_int8", "embedding_lookup_hybrid",
        "dynamic_update_slice", "reverse_v2", "mirror_pad_float", "mirror_pad_int8", "batch_to_space_nd_float",
        "batch_to_space_nd_int8", "space_to_batch_nd_float", "space_to_batch_nd_int8",
        // What is not served yet is refused, never miscomputed.
        "fully_connected_int16", "fully_connected_int4_weights", "conv_2d_int16", "conv_2d_int4_weights",
        "depthwise_conv_2d_int16", "depthwise_conv_2d_int4_weights", "average_pool_2d_int16", "max_pool_2d_int16",
        "softmax_int16", "softmax_int8_to_int16", "add_int16", "mul_int16", "concatenation_int16", "mean_int16",
        "logistic_int16", "tanh_int16"),
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

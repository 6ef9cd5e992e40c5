// Options of builtin operators in the form that kernels from outside get.
#include "tools/kernel_library/option_list.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace arenaproof {
namespace {

// -1 when the list has no such key.
std::int32_t IntegerOf(const OperatorOptions& options, std::int32_t key) {
  const OptionList list(options);
  for (const ArenaproofOption& option : list.options()) {
    if (option.key == key) return option.integer;
  }
  return -1;
}

TEST(OptionList, HasTheTypeOfSumsWithoutABias) {
  for (const TensorType type : {TensorType::kFloat32, TensorType::kInt32, TensorType::kInt64}) {
    const auto value = static_cast<std::int32_t>(type);
    EXPECT_EQ(IntegerOf(FullyConnectedOptions{.quantized_bias_type = type}, ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE),
              value);
    EXPECT_EQ(IntegerOf(Conv2DOptions{.quantized_bias_type = type}, ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE), value);
    EXPECT_EQ(IntegerOf(TransposeConvOptions{.quantized_bias_type = type}, ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE),
              value);
  }
}

// As many as one list holds, each once.
TEST(OptionList, NamesEachOptionOnce) {
  for (const OperatorOptions& options :
       {OperatorOptions(Conv2DOptions{}), OperatorOptions(DepthwiseConv2DOptions{}), OperatorOptions(Pool2DOptions{}),
        OperatorOptions(StridedSliceOptions{}), OperatorOptions(UnidirectionalSequenceLstmOptions{})}) {
    const OptionList list(options);
    std::set<std::int32_t> keys;
    for (const ArenaproofOption& option : list.options()) keys.insert(option.key);
    EXPECT_EQ(keys.size(), list.options().size());
    EXPECT_GT(keys.size(), 3U);
  }
}

// "key:integer" of each, in order; of a real option its value in sixteenths behind a slash.
std::string Listed(const OperatorOptions& options) {
  std::string text;
  const OptionList list(options);
  for (const ArenaproofOption& one : list.options()) {
    const auto sixteenths = static_cast<int>(one.real * 16);
    text += std::to_string(one.key) + ":" + std::to_string(one.integer);
    text += sixteenths == one.integer * 16 ? " " : "/" + std::to_string(sixteenths) + " ";
  }
  return text;
}

// Every field has a value of its own.
TEST(OptionList, HasEachFieldUnderItsKey) {
  const Activation relu = Activation::kRelu6;
  const Padding valid = Padding::kValid;
  const TensorType type = TensorType::kInt64;
  const std::pair<OperatorOptions, const char*> kLists[] = {
      {FullyConnectedOptions{relu, 1, true, false, type}, "1:3 10:1 11:1 35:4 "},
      {FullyConnectedOptions{relu, 1, false, true, type}, "1:3 10:1 11:0 35:4 "},
      {Conv2DOptions{valid, 11, 12, relu, 13, 14, type}, "2:1 3:11 4:12 1:3 5:13 6:14 35:4 "},
      {DepthwiseConv2DOptions{valid, 11, 12, 15, relu, 13, 14}, "2:1 3:11 4:12 1:3 5:13 6:14 9:15 "},
      {TransposeConvOptions{valid, 11, 12, relu, type}, "2:1 3:11 4:12 1:3 35:4 "},
      {Pool2DOptions{valid, 11, 12, 13, 14, relu}, "2:1 3:11 4:12 1:3 7:13 8:14 "},
      {AddOptions{relu, true}, "1:3 "},
      {SubOptions{relu, true}, "1:3 "},
      {MulOptions{relu}, "1:3 "},
      {DivOptions{relu}, "1:3 "},
      {L2NormOptions{relu}, "1:3 "},
      {SoftmaxOptions{0.5f}, "20:0/8 "},
      {ConcatenationOptions{-2, relu}, "12:-2 1:3 "},
      {ReducerOptions{true}, "11:1 "},
      {CumsumOptions{true, false}, "21:1 22:0 "},
      {CumsumOptions{false, true}, "21:0 22:1 "},
      {LeakyReluOptions{0.25f}, "19:0/4 "},
      {StridedSliceOptions{1, 2, 4, 8, 16, true}, "23:1 24:2 25:4 26:8 27:16 28:1 "},
      {SvdfOptions{5, relu, true}, "29:5 1:3 "},
      {UnidirectionalSequenceLstmOptions{relu, 1.5f, 2.5f, true, false, false}, "1:3 32:0/24 33:0/40 34:1 "},
      {UnidirectionalSequenceLstmOptions{relu, 1.5f, 2.5f, false, true, true}, "1:3 32:0/24 33:0/40 34:0 "},
      {SplitOptions{6}, "14:6 "},
      {PackOptions{6, 7}, "14:6 12:7 "},
      {UnpackOptions{6, 7}, "14:6 12:7 "},
      {GatherOptions{7, 8}, "12:7 13:8 "},
      {BatchMatMulOptions{true, false, true}, "30:1 31:0 "},
      {BatchMatMulOptions{false, true, false}, "30:0 31:1 "},
      {SpaceToDepthOptions{9}, "15:9 "},
      {DepthToSpaceOptions{9}, "15:9 "},
      {ResizeNearestNeighborOptions{true, false}, "16:1 17:0 "},
      {ResizeBilinearOptions{false, true}, "16:0 17:1 "},
      {MirrorPadOptions{MirrorPadMode::kSymmetric}, "18:1 "}};
  for (const auto& [options, listed] : kLists) EXPECT_EQ(Listed(options), listed);
}

TEST(OptionList, IsEmptyWhereAnOperatorHasNone) { EXPECT_TRUE(OptionList(OperatorOptions{}).options().empty()); }

}  // namespace
}  // namespace arenaproof

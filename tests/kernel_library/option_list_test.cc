// Options of builtin operators in the form that kernels from outside get.
#include "tools/kernel_library/option_list.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

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

TEST(OptionList, IsEmptyWhereAnOperatorHasNone) { EXPECT_TRUE(OptionList(OperatorOptions{}).options().empty()); }

}  // namespace
}  // namespace arenaproof

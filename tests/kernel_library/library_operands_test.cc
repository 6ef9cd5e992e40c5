// Operands as kernels from outside get them: field by field.
#include "tools/kernel_library/library_operands.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace arenaproof {
namespace {

std::array<std::byte, 64> operand_memory;
constexpr std::array<float, 2> kScales = {0.5f, 0.25f};

Operand Present(std::int32_t first_extent) {
  Operand operand;
  operand.present = true;
  operand.data = operand_memory.data() + first_extent;
  operand.bytes = 17;
  operand.type = TensorType::kInt8;
  operand.rank = 3;
  operand.dims = {first_extent, 2, 3, 4, 5, 6};
  return operand;
}

TEST(LibraryOperands, HaveTheFieldsOfTheRuntimes) {
  Operand operand = Present(1);
  operand.quantization = {kScales, operand_memory.data() + 8, 5, 2};
  const LibraryOperands operands({&operand, 1}, {});
  const ArenaproofOperand& one = operands.inputs()[0];
  EXPECT_EQ(one.data, operand_memory.data() + 1);
  EXPECT_EQ(one.bytes, 17u);
  EXPECT_EQ(one.type, ARENAPROOF_TYPE_INT8);
  EXPECT_EQ(one.rank, 3);
  EXPECT_EQ(std::vector<int>(one.dims, one.dims + ARENAPROOF_MAX_RANK), (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(one.quantization.scales, kScales.data());
  EXPECT_EQ(one.quantization.scale_count, 2u);
  EXPECT_EQ(static_cast<const void*>(one.quantization.zero_point_bytes), operand_memory.data() + 8);
  EXPECT_EQ(one.quantization.zero_point_count, 5u);
  EXPECT_EQ(one.quantization.dimension, 2);
}

TEST(LibraryOperands, HaveEachFlagForItself) {
  std::vector<Operand> inputs(4, Present(1));
  inputs[0].constant = true;
  inputs[1].variable = true;
  inputs[2].present = false;
  inputs[3].constant = inputs[3].variable = true;
  const LibraryOperands operands(inputs, {});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(operands.inputs()[i].constant, i == 0 || i == 3 ? 1 : 0) << i;
    EXPECT_EQ(operands.inputs()[i].variable, i == 1 || i == 3 ? 1 : 0) << i;
    EXPECT_EQ(operands.inputs()[i].absent, i == 2 ? 1 : 0) << i;
    EXPECT_EQ(operands.inputs()[i].reserved, 0) << i;
  }
  // Nothing else of an absent one counts, so nothing else is there.
  EXPECT_EQ(operands.inputs()[2].data, nullptr);
  EXPECT_EQ(operands.inputs()[2].bytes, 0u);
  EXPECT_EQ(operands.inputs()[2].rank, 0);
}

TEST(LibraryOperands, AreInputsAndThenOutputs) {
  const std::vector<Operand> inputs = {Present(1), Present(2)}, outputs = {Present(3), Present(4), Present(5)};
  const LibraryOperands operands(inputs, outputs);
  ASSERT_EQ(operands.input_count(), 2u);
  ASSERT_EQ(operands.output_count(), 3u);
  EXPECT_EQ(operands.inputs()[0].dims[0], 1);
  EXPECT_EQ(operands.inputs()[1].dims[0], 2);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(operands.outputs()[i].dims[0], 3 + i);
}

// Quantisation with one of its lists is none: counts and addresses are those of nothing.
TEST(LibraryOperands, HaveNoHalfQuantisation) {
  for (const QuantizationView& half :
       {QuantizationView{kScales, nullptr, 0, 1}, QuantizationView{{}, operand_memory.data(), 1, 1}}) {
    Operand operand = Present(1);
    operand.quantization = half;
    const ArenaproofQuantization quantization = LibraryOperands({&operand, 1}, {}).inputs()[0].quantization;
    EXPECT_EQ(quantization.scales, nullptr);
    EXPECT_EQ(quantization.scale_count, 0u);
    EXPECT_EQ(quantization.zero_point_bytes, nullptr);
    EXPECT_EQ(quantization.zero_point_count, 0u);
  }
}

}  // namespace
}  // namespace arenaproof

// What of the table of operators came, counted.
#include "engine/generators/operators/reach/table_reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "core/operators/operator_table.h"
#include "core/operators/option_row.h"
#include "engine/generators/operators/table/table_case.h"

namespace arenaproof {
namespace {

using enum TensorType;

constexpr OperandRow kCounted[] = {{.name = "input", .least_rank = 1, .most_rank = 3},
                                   {.name = "filter", .type_column = 1, .quantization = QuantizationRule::kChannels}};
constexpr TypeTuple kCountedTypes[] = {{kFloat32, kFloat32}, {kInt8, kInt8}};
constexpr OptionRow kCountedOptions[] = {Option<&Conv2DOptions::stride_w>("stride", 1, 0x7FFFFFFF),
                                         Option<&Conv2DOptions::activation>("activation", 0, 3),
                                         Unread(Option<&Conv2DOptions::padding>("padding", 0, 1))};
constexpr OperatorRow kCountedRow = {.code = BuiltinOperator::kConv2d,
                                     .shape = ShapeRule::kSame,
                                     .inputs = kCounted,
                                     .outputs = {},
                                     .types = kCountedTypes,
                                     .default_options = Conv2DOptions{},
                                     .options = kCountedOptions};
constexpr const OperatorRow* kCountedRows[] = {&kCountedRow};

ReachedOperator Operator(TensorType type, std::size_t rank, bool per_channel, Conv2DOptions options) {
  return {.code = BuiltinOperator::kConv2d,
          .types = {{type, type}, {}},
          .ranks = {rank, 4},
          .zero_points = {ZeroPointClass::kNone, ZeroPointClass::kNone},
          .per_channel = per_channel,
          .options = options};
}

TEST(TableReach, HasEachTupleWithEachRankAndEachOptionsClasses) {
  TableReach reach(kCountedRows);
  EXPECT_EQ(reach.shapes().all, 9u);    // float32: 3 ranks; int8: 3 ranks, one scale or several
  EXPECT_EQ(reach.options().all, 12u);  // 2 tuples: stride 1 or more, 4 activations
  reach.Count(Operator(kFloat32, 1, false, {.stride_w = 1, .activation = Activation::kRelu}));
  EXPECT_EQ(reach.shapes().reached, 1u);
  EXPECT_EQ(reach.options().reached, 2u);
  reach.Count(Operator(kInt8, 3, true, {.stride_w = 5, .activation = Activation::kRelu6}));
  reach.Count(Operator(kInt8, 3, true, {.stride_w = 6, .activation = Activation::kRelu6}));
  EXPECT_EQ(reach.shapes().reached, 2u);
  EXPECT_EQ(reach.options().reached, 4u);
  EXPECT_EQ(
      reach.Line(),
      "table: 7 of 25 came: 2 of 9 of types, rank and scales, 1 of 4 of types and a zero point's class, 4 of 12 of "
      "types and an option's class\n");
  EXPECT_EQ(reach.Missing(),
            "  CONV_2D lacks 18 of 25: types FLOAT32 FLOAT32, rank 2; types FLOAT32 FLOAT32, rank 3; types INT8 INT8, "
            "rank 1; types INT8 INT8, rank 1, a scale for each channel; ...\n");
}

TEST(TableReach, SaysWhatIsMissingOfZeroPointsAndOptions) {
  TableReach reach(kCountedRows);
  for (const std::size_t rank : {1u, 2u, 3u}) {
    for (const auto& [type, channels] : {std::pair(kFloat32, false), {kInt8, false}, {kInt8, true}}) {
      reach.Count(Operator(type, rank, channels, {.stride_w = 1, .activation = Activation::kRelu}));
    }
  }
  EXPECT_EQ(reach.shapes().reached, reach.shapes().all);
  EXPECT_THAT(reach.Missing(), ::testing::HasSubstr("types INT8 INT8, input's zero point 0"));
  for (const std::int64_t zero_point : {0, 1, 2}) {
    ReachedOperator op = Operator(kInt8, 1, false, {.stride_w = 2, .activation = Activation::kNone});
    op.zero_points[0] = static_cast<ZeroPointClass>(1 + zero_point);
    reach.Count(op);
  }
  EXPECT_THAT(reach.Missing(), ::testing::HasSubstr("types FLOAT32 FLOAT32, stride between"));
}

// RELU and RELU_N1_TO_1 are two.
TEST(TableReach, HasEachValueOfAnOptionOfFewValues) {
  TableReach reach(kCountedRows);
  for (const Activation activation :
       {Activation::kNone, Activation::kRelu, Activation::kReluN1To1, Activation::kRelu6, Activation::kTanh}) {
    reach.Count(Operator(kFloat32, 1, false, {.stride_w = 0, .activation = activation}));
  }
  EXPECT_EQ(reach.options().reached, 4u);
}

constexpr OperandRow kQuantizedIn[] = {{.name = "input", .quantization = QuantizationRule::kFree}};
constexpr OperandRow kQuantizedOut[] = {{.name = "output", .quantization = QuantizationRule::kSymmetric}};
constexpr TypeTuple kQuantizedTypes[] = {{kInt8}};
constexpr OperatorRow kQuantizedRow = {.code = BuiltinOperator::kAbs,
                                       .shape = ShapeRule::kSame,
                                       .inputs = kQuantizedIn,
                                       .outputs = kQuantizedOut,
                                       .types = kQuantizedTypes};
constexpr const OperatorRow* kQuantizedRows[] = {&kQuantizedRow};

TEST(TableReach, HasTheClassesOfZeroPoints) {
  TableReach reach(kQuantizedRows);
  EXPECT_EQ(reach.zero_points().all, 4u);  // input: 0, other, an end; output: 0
  OperatorCase subject;
  subject.code = BuiltinOperator::kAbs;
  subject.inputs = {{.type = kInt8, .scales = {1.0f}}};
  subject.output = subject.inputs[0];
  const auto count = [&](std::int32_t zero_point) {
    subject.inputs[0].zero_point = zero_point;
    reach.Count(ReachedOf(subject));
    return reach.zero_points().reached;
  };
  EXPECT_EQ(count(0), 2u);
  EXPECT_EQ(count(0), 2u);
  EXPECT_EQ(count(-5), 3u);
  EXPECT_EQ(count(126), 3u);
  EXPECT_EQ(count(127), 4u);
  EXPECT_EQ(count(-128), 4u);
}

TEST(TableReach, LeavesOutWhatTheRowDoesNotHave) {
  TableReach reach(kCountedRows);
  ReachedOperator other = Operator(kFloat32, 1, false, {.stride_w = 1});
  other.code = BuiltinOperator::kAdd;
  reach.Count(other);
  reach.Count(Operator(kInt16, 1, false, {.stride_w = 1}));
  EXPECT_EQ(reach.shapes().reached + reach.options().reached, 0u);
  ReachedOperator without = Operator(kFloat32, 4, false, {});
  without.options = AddOptions{};
  reach.Count(without);
  reach.Count(Operator(kFloat32, 1, true, {.stride_w = 0, .activation = Activation::kTanh}));
  EXPECT_EQ(reach.shapes().reached + reach.options().reached, 0u);
}

// Files hold any floats.
TEST(OptionRows, HaveANumberForEveryFloat) {
  constexpr OptionRow kBeta = Option<&SoftmaxOptions::beta>("beta", 0, 1);
  const auto number = [&](float beta) { return kBeta.get(SoftmaxOptions{beta}); };
  EXPECT_EQ(number(0.001f), 1000);
  EXPECT_EQ(number(-2.5f), -2'500'000);
  EXPECT_EQ(number(std::numeric_limits<float>::infinity()), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(number(-1e30f), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(number(std::numeric_limits<float>::quiet_NaN()), std::numeric_limits<std::int64_t>::min());
}

// A case and the model of it count the same.
TEST(TableReach, ReadsModelsAsCases) {
  for (const OperatorRow* row : OperatorTable()) {
    if (!HasTableCases(*row)) continue;
    const OperatorRow* const rows[] = {row};
    TableReach of_cases(rows), of_models(rows);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CaseRandom random(seed);
      const OperatorCase subject = MakeTableCase(random, *row).subject;
      of_cases.Count(ReachedOf(subject));
      const std::vector<std::byte> file = ModelOf(subject);
      ModelView model;
      ASSERT_TRUE(ModelView::Open(file, &model).ok());
      of_models.Count(model);
    }
    EXPECT_GT(of_cases.shapes().reached, 0u) << BuiltinOperatorName(row->code);
    EXPECT_EQ(of_models.Line(), of_cases.Line()) << BuiltinOperatorName(row->code);
  }
}

}  // namespace
}  // namespace arenaproof

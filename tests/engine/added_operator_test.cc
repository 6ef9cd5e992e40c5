// An operator is added by one kernel, one row and one definition: cases, cases beyond the row, types, the count of what
// came and the repair of mutated models follow. That of this test is |a - b| of float32 or of int8 with one
// quantisation for all, and every mistake in its kernel is noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "core/model/schema_generated.h"
#include "core/operators/option_row.h"
#include "engine/generators/mutator/model_object.h"
#include "engine/generators/mutator/table_repair.h"
#include "engine/generators/operators/reach/table_reach.h"
#include "engine/generators/operators/table/beyond_case.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernels/case_operator.h"
#include "engine/harness/kernels/table_checks.h"
#include "engine/harness/kernels/type_checks.h"
#include "kernels/reference/checks.h"

namespace arenaproof {
namespace {

constexpr BuiltinOperator kCode = BuiltinOperator::kAtan2;  // whatever no kernel here serves

// ---- the row

constexpr OperandRow OperandOfDistance(const char* name, QuantizationRule rule) {
  return {.name = name, .most_rank = 4, .quantization = rule};
}
constexpr OperandRow kDistanceInputs[] = {OperandOfDistance("first", QuantizationRule::kFree),
                                          OperandOfDistance("second", QuantizationRule::kAsFirst)};
constexpr OperandRow kDistanceOutputs[] = {OperandOfDistance("output", QuantizationRule::kAsFirst)};
constexpr TypeTuple kDistanceTypes[] = {{TensorType::kFloat32}, {TensorType::kInt8}};
constexpr OptionRow kDistanceOptions[] = {Option<&MulOptions::activation>("fused activation", 0, 0)};
constexpr OperatorRow kDistance = {.code = kCode,
                                   .shape = ShapeRule::kSame,
                                   .inputs = kDistanceInputs,
                                   .outputs = kDistanceOutputs,
                                   .types = kDistanceTypes,
                                   .default_options = MulOptions{},
                                   .options = kDistanceOptions};

// ---- the kernel, and mistakes that somebody might make

enum class Mistake {
  kNone,
  kZeroPointForgotten,
  kOverflow,
  kLastElementForgotten,
  kScratchForNothing,
  kSecondTypeUnchecked,
  kTypesUnchecked,
  kRankUnchecked,
  kShapeUnchecked,
  kOutputShapeUnchecked,
  kOutputExtentUnchecked,
  kScaleUnchecked,
  kScaleCountUnchecked,
  kOptionUnchecked
};

struct DistanceData {
  std::int32_t zero_point = 0;
};
ARENAPROOF_PIN_BYTES(DistanceData, 4, 4, 4, 4);

// The first input's, of however many scales it has.
Status ReadFirstScale(const PrepareContext& context, reference::Affine* first) {
  Operand input = context.inputs[0];
  if (input.quantization.scales.size() > 1) input.quantization.scales = input.quantization.scales.first(1);
  PrepareContext alone;
  alone.inputs = {&input, 1};
  return reference::ReadAffine(alone, 0, first);
}

template <Mistake kMistake>
Status ReadQuantization(PrepareContext& context, DistanceData* data) {
  constexpr bool scales_are_compared = kMistake != Mistake::kScaleUnchecked;
  reference::Affine first, other;
  ARENAPROOF_RETURN_IF_ERROR(kMistake == Mistake::kScaleCountUnchecked ? ReadFirstScale(context, &first)
                                                                       : reference::ReadAffine(context, 0, &first));
  for (const std::size_t operand : {std::size_t{1}, reference::kOutput}) {
    ARENAPROOF_RETURN_IF_ERROR(reference::ReadAffine(context, operand, &other));
    if (scales_are_compared) ARENAPROOF_RETURN_IF_ERROR(reference::CheckSameAffine(operand, other, first));
  }
  data->zero_point = first.zero_point;
  return Ok();
}

template <Mistake kMistake>
Status PrepareDistance(PrepareContext& context) {
  using namespace reference;
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 2, 2, 1));
  const TensorType type = context.inputs[0].type;
  if (kMistake != Mistake::kTypesUnchecked) {
    ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, 0, {TensorType::kFloat32, TensorType::kInt8}));
  }
  if (kMistake != Mistake::kSecondTypeUnchecked) ARENAPROOF_RETURN_IF_ERROR(CheckType(context, 1, type));
  ARENAPROOF_RETURN_IF_ERROR(CheckType(context, kOutput, type));
  if (kMistake != Mistake::kRankUnchecked) ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, 0, 0, 4));
  if (kMistake != Mistake::kShapeUnchecked) {
    ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, 1, 0));
    const std::size_t rank = context.inputs[0].rank;
    if (kMistake == Mistake::kOutputExtentUnchecked) {
      ARENAPROOF_RETURN_IF_ERROR(CheckRank(context, kOutput, rank, rank));
    } else if (kMistake != Mistake::kOutputShapeUnchecked) {
      ARENAPROOF_RETURN_IF_ERROR(CheckSameShape(context, kOutput, 0));
    }
  }
  const MulOptions* options = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ReadOptions(context, &options));
  if (kMistake != Mistake::kOptionUnchecked) {
    ARENAPROOF_RETURN_IF_ERROR(
        CheckOption(KernelOption::kActivation, static_cast<std::int64_t>(options->activation), 0, 0));
  }
  if (kMistake == Mistake::kScratchForNothing) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(16));
  DistanceData* data = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(AllocateOpData(context, &data));
  return type == TensorType::kInt8 ? ReadQuantization<kMistake>(context, data) : Ok();
}

template <Mistake kMistake>
Status InvokeDistance(const InvokeContext& context) {
  const Operand &first = context.inputs[0], &second = context.inputs[1], &output = context.outputs[0];
  // No mistake here writes outside, which would end the test.
  const std::size_t count =
      std::min(first.element_count(), output.element_count()) - (kMistake == Mistake::kLastElementForgotten ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (first.type == TensorType::kFloat32) {
      float a = 0, b = 0;
      std::memcpy(&a, first.data + 4 * i, 4);
      std::memcpy(&b, second.data + 4 * i, 4);
      a = std::fabs(a - b);
      std::memcpy(output.data + 4 * i, &a, 4);
      continue;
    }
    const int zero_point = static_cast<const DistanceData*>(context.op_data)->zero_point;
    const int steps = std::abs(static_cast<std::int8_t>(first.data[i]) - static_cast<std::int8_t>(second.data[i]));
    const int value = steps + (kMistake == Mistake::kZeroPointForgotten ? 0 : zero_point);
    output.data[i] = static_cast<std::byte>(kMistake == Mistake::kOverflow ? value : std::clamp(value, -128, 127));
  }
  return Ok();
}

template <Mistake kMistake>
const KernelSet& KernelsWith() {
  static constexpr Kernel kKernels[] = {
      {.op = kCode, .name = "added", .prepare = PrepareDistance<kMistake>, .invoke = InvokeDistance<kMistake>}};
  static constexpr KernelSet kSet = {.name = "added", .kernels = kKernels};
  return kSet;
}

// ---- the definition

std::vector<props::Expected> Distances(const OperatorCase& subject) {
  props::Values first = props::StoredValues(subject.inputs[0]);
  const props::Values second = props::StoredValues(subject.inputs[1]);
  const bool floats = subject.output.type == TensorType::kFloat32;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double distance = std::fabs(first[i] - second[i]);
    first[i] = floats ? double{static_cast<float>(distance)} : std::min(distance + subject.output.zero_point, 127.0);
  }
  return {props::Exactly(std::move(first))};
}
constexpr props::OperatorDefinition kDefinition = {.code = kCode, .outputs = Distances};

// ---- what follows from the three

std::string FirstWrongCase(const KernelSet& kernels) {
  CaseRandom random(1);
  for (int i = 0; i < 300; ++i) {
    const testing::Difference found =
        testing::DifferenceOfKernel(kernels, MakeNearOrFarTableCase(random, kDistance).subject, kDefinition);
    if (!found.none()) return found.what;
  }
  return "";
}

std::string FirstAcceptedBeyond(const KernelSet& kernels) {
  CaseRandom random(1);
  for (const RuleBreak& broken : RuleBreaksOf(kDistance)) {
    for (int i = 0; i < 20; ++i) {
      const std::optional<BeyondCase> beyond = MakeBeyondCase(random, kDistance, broken);
      if (!beyond) return "no case breaks a rule";
      bool in_prepare = false;
      const testing::Difference found = testing::DifferenceOfRefusal(kernels, *beyond, &in_prepare);
      if (!found.none()) return beyond->refusal.what + beyond->where;
    }
  }
  return "";
}

std::string FirstWrongType(const KernelSet& kernels) {
  CaseRandom random(1);
  for (int i = 0; i < 20; ++i) {
    const testing::TestOperator made = testing::OperatorOf(MakeTableCase(random, kDistance).subject, false);
    for (std::size_t operand = 0; operand < testing::OperandCount(made); ++operand) {
      const std::string wrong = testing::WrongAboutTypes(kernels, kDistance, made, operand);
      if (!wrong.empty()) return wrong;
    }
  }
  return "";
}

TEST(AddedOperator, IsDrawnAndComparedByItsRowAndItsDefinition) {
  const KernelSet& kernels = KernelsWith<Mistake::kNone>();
  EXPECT_EQ(FirstWrongCase(kernels), "");
  EXPECT_EQ(FirstAcceptedBeyond(kernels), "");
  EXPECT_EQ(FirstWrongType(kernels), "");
}

TEST(AddedOperator, HasEveryRuleOfItsRowBroken) {
  std::set<Breakage> kinds;
  for (const RuleBreak& broken : RuleBreaksOf(kDistance)) kinds.insert(broken.kind);
  const std::set<Breakage> expected = {Breakage::kType,        Breakage::kOmitted,
                                       Breakage::kTooFew,      Breakage::kTooMany,
                                       Breakage::kRankAbove,   Breakage::kOptionBelow,
                                       Breakage::kOptionAbove, Breakage::kOptionsMissing,
                                       Breakage::kScaleCount,  Breakage::kQuantizationMissing,
                                       Breakage::kNoScale,     Breakage::kZeroPoint,
                                       Breakage::kScale,       Breakage::kOutputExtent,
                                       Breakage::kInputExtent};
  EXPECT_EQ(kinds, expected);
}

TEST(AddedOperator, IsCountedByItsRow) {
  constexpr const OperatorRow* kRows[] = {&kDistance};
  TableReach of_cases(kRows), of_models(kRows);
  CaseRandom random(1);
  for (int i = 0; i < 300; ++i) {
    const OperatorCase subject = MakeTableCase(random, kDistance).subject;
    of_cases.Count(ReachedOf(subject));
    const std::vector<std::byte> file = ModelOf(subject);
    ModelView model;
    ASSERT_TRUE(ModelView::Open(file, &model).ok());
    of_models.Count(model);
  }
  for (const TableReach* reach : {&of_cases, &of_models}) {
    EXPECT_GE(reach->shapes().all, 10u) << "two types, five ranks";
    EXPECT_EQ(reach->shapes().reached, reach->shapes().all);
    EXPECT_GE(reach->options().all, 2u);
    EXPECT_EQ(reach->options().reached, reach->options().all);
  }
}

TEST(AddedOperator, IsBroughtBackWithinItsRow) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CaseRandom random(seed);
    const std::vector<std::byte> file = ModelOf(MakeTableCase(random, kDistance).subject);
    const ModelObject model = ReadModelObject({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
    ASSERT_NE(model, nullptr);
    for (const auto& tensor : model->subgraphs[0]->tensors) {
      tensor->type = wire::TensorType::STRING;
      tensor->shape = {1, 1, 1, 1, 1, 1};
    }
    model->subgraphs[0]->operators[0]->builtin_options.Reset();
    RepairByRow(*model, 0, 0, kDistance, random);
    const std::vector<std::uint8_t> repaired = WriteModelObject(*model);
    ModelView view;
    ASSERT_TRUE(ModelView::Open(std::as_bytes(std::span(repaired)), &view).ok());
    const ReachedOperator op = ReachedOf(view, 0, view.operator_at(0, 0));
    EXPECT_TRUE(TupleOf(kDistance, op.types));
    EXPECT_EQ(op.ranks, std::vector<std::size_t>(2, 4));
    ASSERT_EQ(op.options.index(), kDistance.default_options.index());
    EXPECT_EQ(kDistanceOptions[0].get(op.options), 0);
  }
}

TEST(AddedOperator, HasNoMistakeThatGoesUnnoticed) {
  const std::string output = "an output is not what the definition says";
  EXPECT_EQ(FirstWrongCase(KernelsWith<Mistake::kZeroPointForgotten>()), output);
  EXPECT_EQ(FirstWrongCase(KernelsWith<Mistake::kOverflow>()), output);
  EXPECT_EQ(FirstWrongCase(KernelsWith<Mistake::kLastElementForgotten>()),
            "outputs or variables depend on stale bytes or on where constants lie");
  EXPECT_EQ(FirstWrongCase(KernelsWith<Mistake::kScratchForNothing>()),
            "scratch is requested that is not used, or too little of it");
  EXPECT_NE(FirstWrongType(KernelsWith<Mistake::kSecondTypeUnchecked>()), "");
  EXPECT_NE(FirstWrongType(KernelsWith<Mistake::kTypesUnchecked>()), "");
  EXPECT_EQ(FirstAcceptedBeyond(KernelsWith<Mistake::kRankUnchecked>()), "a rank above the most: first");
  EXPECT_EQ(FirstAcceptedBeyond(KernelsWith<Mistake::kShapeUnchecked>()), "an input of another extent: first");
  EXPECT_EQ(FirstAcceptedBeyond(KernelsWith<Mistake::kOutputShapeUnchecked>()), "a rank above the most: output");
  EXPECT_EQ(FirstAcceptedBeyond(KernelsWith<Mistake::kOutputExtentUnchecked>()), "an output of another extent: output");
  EXPECT_EQ(FirstAcceptedBeyond(KernelsWith<Mistake::kScaleCountUnchecked>()), "a scale too many: first");
  EXPECT_EQ(FirstAcceptedBeyond(KernelsWith<Mistake::kScaleUnchecked>()), "a zero point beside the rule: second");
  EXPECT_EQ(FirstAcceptedBeyond(KernelsWith<Mistake::kOptionUnchecked>()),
            "an option below its range: fused activation");
}

}  // namespace
}  // namespace arenaproof

// Kernel sets side by side: a set with a wrong kernel differs from the reference in the right place, a set that
// computes the same is equal, and only what both sets serve themselves is compared.
#include "engine/harness/kernel_comparison/kernel_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

#include "core/operators/operator_table.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernel_comparison/comparison_command.h"
#include "engine/harness/kernel_comparison/comparison_report.h"
#include "engine/harness/kernel_comparison/running_kernel.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

constexpr BuiltinOperator kOp = BuiltinOperator::kCeil;

const Kernel& ReferenceKernel() {
  for (const Kernel& kernel : ReferenceKernels().kernels) {
    if (kernel.op == kOp) return kernel;
  }
  throw std::logic_error("the reference set has no such kernel");
}

// Kernels that are planted, each with a mistake of its own.
Status Right(const InvokeContext& context) {
  const float* const input = context.inputs[0].as<float>();
  float* const output = context.outputs[0].mutable_as<float>();
  for (std::size_t i = 0; i < context.outputs[0].element_count(); ++i) output[i] = -std::floor(-input[i]);
  return Ok();
}

Status WrongAtElement4(const InvokeContext& context) {
  const Status status = Right(context);
  if (context.outputs[0].element_count() > 4) context.outputs[0].mutable_as<float>()[4] = 12345.0f;
  return status;
}

Status LeavesTheLast(const InvokeContext& context) {
  const float* const input = context.inputs[0].as<float>();
  float* const output = context.outputs[0].mutable_as<float>();
  for (std::size_t i = 0; i + 1 < context.outputs[0].element_count(); ++i) output[i] = -std::floor(-input[i]);
  return Ok();
}

// Right at first, not when its output holds the answer already.
Status AddsToItsOutput(const InvokeContext& context) {
  float* const output = context.outputs[0].mutable_as<float>();
  const float before = output[0];
  const Status status = Right(context);
  if (std::memcmp(&before, output, sizeof before) == 0) output[0] = 12345.0f;
  return status;
}

Status ChangesItsInput(const InvokeContext& context) {
  const Status status = Right(context);
  context.inputs[0].data[0] ^= std::byte{1};
  return status;
}

Status RefusesRank3(PrepareContext& context) {
  if (context.inputs[0].rank == 3) return Failure(StatusCode::kKernelFailed, 7);
  return ReferenceKernel().prepare(context);
}

Status FailsInInvoke(const InvokeContext&) { return Failure(StatusCode::kKernelFailed, 7); }

Status FourTimes(const InvokeContext& context) {
  for (int i = 0; i < 4; ++i) ARENAPROOF_RETURN_IF_ERROR(ReferenceKernel().invoke(context));
  return Ok();
}

Status Aborts(const InvokeContext&) { std::abort(); }

bool ServesRank1(std::span<const Operand> inputs, std::span<const Operand>) { return inputs[0].rank == 1; }
bool ServesNothing(std::span<const Operand>, std::span<const Operand>) { return false; }

// A set of one kernel, the reference's but for what is planted.
struct Planted {
  explicit Planted(Status (*invoke)(const InvokeContext&)) : kernel(ReferenceKernel()) {
    kernel.name = "planted";
    kernel.invoke = invoke;
  }
  KernelSetPair sets() {
    set = {"planted", {&kernel, 1}, &ReferenceKernels()};
    return {&ReferenceKernels(), &set};
  }

  Kernel kernel;
  KernelSet set{};
};

struct Ranks final : ComparisonListener {
  void Begins(const KernelSet&, const NumberedCase& which, bool measured) override {
    seen.insert(which.subject.output.shape.size());
    ++(measured ? measurements : runs);
  }
  void Ended() override {}
  std::set<std::size_t> seen;
  std::size_t runs = 0, measurements = 0;
};

const OperatorRow& Row() { return *FindOperatorRow(kOp); }

OperatorComparison Compare(const KernelSetPair& sets, const ComparedCases& cases = {.first = 1, .count = 60}) {
  Ranks listener;
  return CompareOperator(sets, Row(), cases, listener);
}

KernelDifference DifferenceOf(Planted planted) {
  const OperatorComparison found = Compare(planted.sets());
  if (!found.difference) throw std::logic_error("no difference was found");
  EXPECT_FALSE(found.speeds);
  return *found.difference;
}

TEST(KernelComparison, FindsTheFirstDifferenceInItsPlace) {
  Planted planted(WrongAtElement4);
  const OperatorComparison found = Compare(planted.sets(), {.first = 1, .count = 200});
  ASSERT_TRUE(found.difference);
  const KernelDifference& difference = *found.difference;
  // The first case with so many elements, and none before it.
  for (std::uint64_t number = 1; number <= difference.number; ++number) {
    CaseRandom random(number);
    const std::size_t count = MakeNearOrFarTableCase(random, Row()).subject.output.count();
    EXPECT_EQ(count > 4, number == difference.number) << number;
  }
  EXPECT_EQ(found.cases, difference.number - 1);
  const std::string place = "output 0, element 4 of " + std::to_string(difference.subject.output.count()) + " at [";
  EXPECT_TRUE(difference.where.starts_with(place)) << difference.where;
  EXPECT_TRUE(difference.where.ends_with("], after invoke 1")) << difference.where;
  EXPECT_EQ(difference.found[1], "12345");
  EXPECT_NE(difference.found[0], "12345");
  EXPECT_EQ(difference.defined, difference.found[0]);

  // Again, by itself.
  const OperatorComparison again = Compare(planted.sets(), {.first = difference.number, .count = 1});
  ASSERT_TRUE(again.difference);
  EXPECT_EQ(again.difference->number, difference.number);
  EXPECT_EQ(again.difference->where, difference.where);
  EXPECT_EQ(again.difference->found, difference.found);

  const std::string text = DifferenceText(planted.sets(), {"CEIL", &Row()}, difference);
  const std::string number = std::to_string(difference.number);
  EXPECT_TRUE(text.starts_with("DIFFERENT: CEIL, case " + number + "\n")) << text;
  EXPECT_NE(text.find("input 0 (input): FLOAT32["), std::string::npos) << text;
  EXPECT_NE(text.find("planted        12345\n"), std::string::npos) << text;
  EXPECT_NE(text.find("reference      " + difference.found[0] + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find("./dev kernels --op=CEIL --set=reference --against=planted --seed=" + number + " --cases=1\n"),
            std::string::npos)
      << text;
}

TEST(KernelComparison, CallsEqualWhatComputesTheSame) {
  Planted planted(Right);
  const OperatorComparison found = Compare(planted.sets());
  EXPECT_FALSE(found.difference);
  EXPECT_EQ(found.cases, 60u);
  EXPECT_EQ(found.refused, 0u);
  EXPECT_GT(found.elements, 60u);
  ASSERT_TRUE(found.speeds);
  EXPECT_STREQ(found.speeds->unit, "element");
  EXPECT_GT(found.speeds->nanoseconds[0], 0);
  EXPECT_GT(found.speeds->nanoseconds[1], 0);
}

TEST(KernelComparison, SeesWhatIsNotWritten) {
  const KernelDifference difference = DifferenceOf(Planted(LeavesTheLast));
  const std::size_t count = difference.subject.output.count();
  EXPECT_TRUE(difference.where.starts_with("output 0, element " + std::to_string(count - 1) + " of "))
      << difference.where;
}

TEST(KernelComparison, SeesWhatOnlyALaterInvokeGetsWrong) {
  const KernelDifference difference = DifferenceOf(Planted(AddsToItsOutput));
  EXPECT_TRUE(difference.where.starts_with("output 0, element 0 of ")) << difference.where;
  EXPECT_TRUE(difference.where.ends_with(", after invoke 2")) << difference.where;
}

TEST(KernelComparison, SeesAnInputThatIsChanged) {
  const KernelDifference difference = DifferenceOf(Planted(ChangesItsInput));
  EXPECT_EQ(difference.where, "what no kernel may do");
  EXPECT_EQ(difference.found[0], "does nothing of the kind");
  EXPECT_EQ(difference.found[1], "invoke changes an input");
}

TEST(KernelComparison, SeesARefusalThatTheOtherSetDoesNotMake) {
  Planted planted(Right);
  planted.kernel.prepare = RefusesRank3;
  KernelDifference difference = DifferenceOf(planted);
  EXPECT_EQ(difference.where, "prepare");
  EXPECT_EQ(difference.subject.output.shape.size(), 3u);
  EXPECT_EQ(difference.found[0], "success");
  EXPECT_NE(difference.found[1], "success");

  difference = DifferenceOf(Planted(FailsInInvoke));
  EXPECT_EQ(difference.where, "invoke 1");
  EXPECT_EQ(difference.found[0], "success");
  EXPECT_NE(difference.found[1], "success");
}

TEST(KernelComparison, CountsWhatBothRefuseAlike) {
  Planted one(Right), other(Right);
  one.kernel.prepare = other.kernel.prepare = RefusesRank3;
  const OperatorComparison found = Compare({one.sets()[1], other.sets()[1]});
  EXPECT_FALSE(found.difference);
  EXPECT_GT(found.refused, 0u);
  EXPECT_EQ(found.cases + found.refused, 60u);
}

TEST(KernelComparison, ComparesOnlyWhatBothSetsServeThemselves) {
  const auto names = [](const KernelSetPair& sets) {
    std::vector<std::string> all;
    for (const SharedOperator& one : SharedOperators(sets)) all.push_back(one.name);
    return all;
  };
  EXPECT_EQ(names({&ReferenceKernels(), &AlignedKernels()}), std::vector<std::string>{"FULLY_CONNECTED"});
  Planted planted(Right);
  EXPECT_EQ(names(planted.sets()), std::vector<std::string>{"CEIL"});
  EXPECT_TRUE(names({planted.sets()[1], &AlignedKernels()}).empty());

  planted.kernel.serves = ServesRank1;
  Ranks listener;
  const OperatorComparison found = CompareOperator(planted.sets(), Row(), {.first = 1, .count = 20}, listener);
  EXPECT_EQ(found.cases, 20u);
  EXPECT_EQ(listener.seen, std::set<std::size_t>{1});
  EXPECT_EQ(listener.runs, 40u);
  EXPECT_GT(listener.measurements, 0u);
}

TEST(KernelComparison, MeasuresHowMuchSlowerASetIs) {
  Planted planted(FourTimes);
  const OperatorComparison found = Compare(planted.sets());
  ASSERT_TRUE(found.speeds);
  EXPECT_GT(found.speeds->ratio, 2.5);
  EXPECT_LT(found.speeds->ratio, 6);
  EXPECT_GT(found.speeds->nanoseconds[1], 2 * found.speeds->nanoseconds[0]);
}

struct Answer {
  ExitStatus status;
  std::string output, errors;
};

Answer AnswerTo(const KernelSetPair& sets, const std::string& op) {
  Ranks listener;
  std::ostringstream output, errors;
  const ExitStatus status = CompareKernelSets(sets, op, {.first = 1, .count = 10}, listener, output, errors);
  return {status, output.str(), errors.str()};
}

TEST(CompareKernelSets, EndsWithTheStatusOfWhatItFound) {
  Planted right(Right), wrong(LeavesTheLast), nothing(Right);
  const Answer equal = AnswerTo(right.sets(), "");
  EXPECT_EQ(equal.status, ExitStatus::kClean);
  EXPECT_NE(equal.output.find("equal"), std::string::npos);
  EXPECT_EQ(equal.errors, "");

  const Answer different = AnswerTo(wrong.sets(), "CEIL");
  EXPECT_EQ(different.status, ExitStatus::kViolations);
  EXPECT_TRUE(different.output.starts_with("DIFFERENT: CEIL")) << different.output;
  EXPECT_EQ(different.output.find("equal"), std::string::npos) << different.output;

  const Answer unknown = AnswerTo(right.sets(), "FLOOR");
  EXPECT_EQ(unknown.status, ExitStatus::kCouldNotRun);
  EXPECT_EQ(unknown.output, "");
  EXPECT_EQ(unknown.errors,
            "'FLOOR' is no operator with cases that reference and planted both serve with kernels of their own; those "
            "are CEIL\n");

  nothing.kernel.serves = ServesNothing;
  const Answer none = AnswerTo(nothing.sets(), "");
  EXPECT_EQ(none.status, ExitStatus::kCouldNotRun);
  EXPECT_NE(none.errors.find("no case was drawn that both sets compute"), std::string::npos) << none.errors;
  EXPECT_EQ(none.output.find("equal"), std::string::npos) << none.output;
}

TEST(RunningKernelDeathTest, NamesTheKernelThatEndedTheProcess) {
  Planted planted(Aborts);
  const KernelSetPair sets = planted.sets();
  const auto run = [&] {
    ReportSignals();
    RunningKernel running(sets);
    CompareOperator(sets, Row(), {.first = 4, .count = 1}, running);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(1),
              "DIFFERENT: this ended the process: CEIL, case 4, kernels planted: CEIL FLOAT32.*\n"
              "again: ./dev kernels --op=CEIL --set=reference --against=planted --seed=4 --cases=1");
}

}  // namespace
}  // namespace arenaproof::testing

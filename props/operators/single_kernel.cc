#include "props/operators/single_kernel.h"

#include <cstdio>
#include <string>
#include <vector>

#include "engine/generators/operators/far_cases.h"
#include "engine/generators/reach.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/kernels/case_operator.h"
#include "engine/harness/kernels/type_checks.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "props/operators/case_report.h"
#include "props/operators/output_comparison.h"
#include "tools/text/sentences.h"

namespace arenaproof::props {
namespace {

// Oracles take some milliseconds for many more elements.
constexpr std::size_t kCheapExtent = 4097;

bool Refused(const Status& status) {
  std::fprintf(stderr, "prepare: %s\n", Sentence(status).c_str());
  return Complain("a valid operator is refused");
}

// Blocks beside the first one, which is the operator's own data.
bool CompareRequests(const KernelSet& kernels, const OperatorCase& subject, const testing::TestOperator& made) {
  testing::KernelHarness harness(kernels, made);
  if (const Status status = harness.Prepare(); !status.ok()) return Refused(status);
  std::vector<std::size_t> arrays = harness.persistent_requests();
  if (!arrays.empty()) arrays.erase(arrays.begin());
  return CompareMemory(subject, {harness.scratch_requests(), arrays});
}

}  // namespace

bool RunFar(CaseRandom& random, std::size_t dimension) {
  const std::size_t extent = DrawReach(random, random.OneIn(3) ? kFarthest : kCheapExtent);
  const OperatorCase subject = MakeFarCase(random, dimension, static_cast<std::int32_t>(extent));
  CountReach(FarDimensionName(dimension), extent);
  const bool aligned = random() % 2 == 0, omits = subject.second_omits_last_input;
  current_case = subject.Describe() + (aligned ? ", kernels aligned" : "") + ", far: " + FarDimensionName(dimension);
  const KernelSet& kernels = aligned ? AlignedKernels() : ReferenceKernels();
  const testing::TestOperator made = testing::OperatorOf(subject, omits);
  if (!CompareRequests(kernels, subject, made)) return false;
  const testing::RunResult result = testing::RunKernel(kernels, made);
  if (!result.status.ok()) return Refused(result.status);
  if (!result.broken_promise.empty()) return Complain(result.broken_promise.c_str());
  return CompareOutputOnce(subject, result.outputs[0].data(), omits);
}

bool RunOtherTypes(CaseRandom& random) {
  const OperatorCase subject = MakeCase(random);
  const bool aligned = random() % 2 == 0;
  const testing::TestOperator made = testing::OperatorOf(subject, random.OneIn(2) && subject.second_omits_last_input);
  const std::size_t operand = random.Below(testing::OperandCount(made));
  current_case = subject.Describe() + (aligned ? ", kernels aligned" : "") + ", operand " + std::to_string(operand) +
                 " of other types";
  const std::string wrong = testing::WrongAboutTypes(aligned ? AlignedKernels() : ReferenceKernels(), made, operand);
  return wrong.empty() || Complain(wrong.c_str());
}

}  // namespace arenaproof::props

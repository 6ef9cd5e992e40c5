// Kernels whose output lies in the bytes of an input that they let it share. RunKernel() does so with every operator
// that any test gives it (engine/harness/kernels/in_place_run.h); here is that it notices what is wrong, and that every
// kernel that shares is among the reference cases.
#include "core/base/in_place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>

#include "engine/harness/kernels/in_place_run.h"
#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/golden_case_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

Status PrepareNothing(PrepareContext&) { return Ok(); }

// Differences to the element before: reads it after it was written.
Status InvokeDifference(const InvokeContext& context) {
  const auto* from = context.inputs[0].as<std::int8_t>();
  auto* to = context.outputs[0].mutable_as<std::int8_t>();
  for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
    to[i] = static_cast<std::int8_t>(from[i] - (i == 0 ? 0 : from[i - 1]));
  }
  return Ok();
}

// The same from the last element to the first, which is right in place.
Status InvokeDifferenceBackwards(const InvokeContext& context) {
  const auto* from = context.inputs[0].as<std::int8_t>();
  auto* to = context.outputs[0].mutable_as<std::int8_t>();
  for (std::size_t i = context.outputs[0].bytes; i-- > 0;) {
    to[i] = static_cast<std::int8_t>(from[i] - (i == 0 ? 0 : from[i - 1]));
  }
  return Ok();
}

// Gives the right answer, and looks back on the way.
Status InvokeCopyThatLooksBack(const InvokeContext& context) {
  const auto* from = context.inputs[0].as<std::int8_t>();
  auto* to = context.outputs[0].mutable_as<std::int8_t>();
  volatile std::int8_t sink = 0;
  for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
    to[i] = from[i];
    sink = from[i / 2];
  }
  static_cast<void>(sink);
  return Ok();
}

RunResult RunWith(Status (*invoke)(const InvokeContext&), unsigned sharing, std::vector<std::int8_t> values) {
  const Kernel kernels[] = {
      {.op = BuiltinOperator::kAbs, .name = "test", .prepare = PrepareNothing, .invoke = invoke, .sharing = sharing}};
  const KernelSet set{.name = "test", .kernels = kernels};
  TestOperator subject;
  subject.op = BuiltinOperator::kAbs;
  const auto count = static_cast<std::int32_t>(values.size());
  subject.inputs = {Tensor(TensorType::kInt8, {count})};
  subject.inputs[0].bytes = BytesOf(values);
  subject.outputs = {Tensor(TensorType::kInt8, {count})};
  return RunKernel(set, subject);
}

TEST(InPlace, AKernelThatNeedsWhatItOverwroteIsNoticed) {
  const std::vector<std::int8_t> values{1, 2, 4, 8, 16, 32, 64, 100};
  EXPECT_EQ(RunWith(InvokeDifference, kSharesNothing, values).broken_promise, "");
  EXPECT_EQ(RunWith(InvokeDifference, kSharesNothing, values).in_place_count, 0u);
  const RunResult forwards = RunWith(InvokeDifference, kSharesInput0, values);
  EXPECT_NE(forwards.broken_promise.find("in the bytes of input 0 "), std::string::npos) << forwards.broken_promise;
  const RunResult backwards = RunWith(InvokeDifferenceBackwards, kSharesInput0, values);
  EXPECT_EQ(backwards.broken_promise, "");
  EXPECT_EQ(backwards.in_place_count, 1u);
}

TEST(InPlace, TensorsAsSmallAsAScalarAreNotModified) {
  EXPECT_EQ(RunWith(InvokeDifference, kSharesInput0, {1, 2, 4, 8}).in_place_count, 0u);
  EXPECT_EQ(RunWith(InvokeDifference, kSharesInput0, {1, 2, 4, 8, 16}).in_place_count, 1u);
}

TEST(InPlace, AReadBehindTheWriteIsSeenWhereTheOutputIsRight) {
  const RunResult result = RunWith(InvokeCopyThatLooksBack, kSharesInput0, {1, 2, 4, 8, 16, 32, 64, 100});
#ifdef ARENAPROOF_SHADOW
  EXPECT_NE(result.broken_promise.find("that it has overwritten"), std::string::npos) << result.broken_promise;
#else
  EXPECT_EQ(result.broken_promise, "") << "only the byte shadow sees it";
#endif
}

TEST(InPlace, EveryReferenceCaseOfAKernelThatSharesIsEqualToTheBit) {
  const auto folder = SharedFile("golden/kernels");
  if (!folder) GTEST_SKIP() << SharedAbsent("golden/kernels");
  std::map<BuiltinOperator, std::size_t> runs;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() != ".json") continue;
    for (const GoldenCase& golden : ReadGoldenCases(entry.path())) {
      const Kernel* const kernel = KernelHarness(ReferenceKernels(), golden.subject).kernel();
      if (kernel == nullptr || kernel->sharing == kSharesNothing) continue;
      std::vector<std::vector<std::byte>> expected;
      for (const TestTensor& output : golden.subject.outputs) expected.push_back(output.bytes);
      const InPlaceRuns in_place = RunInPlace(ReferenceKernels(), golden.subject, expected);
      EXPECT_EQ(in_place.broken_promise, "") << golden.name;
      runs[kernel->op] += in_place.count;
    }
  }
  std::size_t kernel_count = 0, run_count = 0;
  for (const Kernel& kernel : ReferenceKernels().kernels) {
    if (kernel.sharing == kSharesNothing) continue;
    ++kernel_count;
    run_count += runs[kernel.op];
    EXPECT_GT(runs[kernel.op], 0u) << BuiltinOperatorName(kernel.op);
  }
  std::cout << kernel_count << " kernels share; " << run_count << " runs in place, equal to the bit\n";
  EXPECT_GT(kernel_count, 0u);
}

}  // namespace
}  // namespace arenaproof::testing

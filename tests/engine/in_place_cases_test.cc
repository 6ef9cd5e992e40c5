// The random cases of operators whose kernels work in place do so: RunKernel(), which every check of a random case goes
// by, then runs them in the bytes of their inputs too.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iostream>

#include "core/base/in_place.h"
#include "core/operators/operator_table.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernels/case_operator.h"
#include "engine/harness/kernels/kernel_harness.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

constexpr std::uint64_t kMostCases = 300;
constexpr std::size_t kEnoughRuns = 10;

TEST(InPlaceCases, AreDrawnForEveryKernelThatShares) {
  std::size_t kernel_count = 0, run_count = 0;
  for (const Kernel& kernel : ReferenceKernels().kernels) {
    if (kernel.sharing == kSharesNothing) continue;
    SCOPED_TRACE(BuiltinOperatorName(kernel.op));
    const OperatorRow* const row = FindOperatorRow(kernel.op);
    ASSERT_NE(row, nullptr);
    ASSERT_TRUE(HasTableCases(*row));
    std::size_t runs = 0;
    for (std::uint64_t seed = 0; seed < kMostCases && runs < kEnoughRuns; ++seed) {
      CaseRandom random(seed);
      const TableCase made = MakeTableCase(random, *row);
      const RunResult result = RunKernel(ReferenceKernels(), OperatorOf(made.subject, false));
      EXPECT_TRUE(result.status.ok()) << made.subject.Describe();
      EXPECT_EQ(result.broken_promise, "") << made.subject.Describe();
      runs += result.in_place_count;
    }
    EXPECT_GE(runs, kEnoughRuns);
    ++kernel_count;
    run_count += runs;
  }
  EXPECT_GT(kernel_count, 0u);
  std::cout << kernel_count << " kernels share; " << run_count << " runs of random cases in place\n";
}

}  // namespace
}  // namespace arenaproof::testing

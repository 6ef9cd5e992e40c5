// Kernels, rows of the table and definitions go together: whichever is added alone is missed here.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "core/operators/operator_table.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/oracles/operators/definitions/definition.h"
#include "kernels/kernel_sets.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof {
namespace {

TEST(TableCompleteness, EveryKernelHasARow) {
  for (const KernelSet* set : AllKernelSets()) {
    EXPECT_FALSE(set->kernels.empty()) << set->name;
    for (const Kernel& kernel : set->kernels) {
      EXPECT_NE(FindOperatorRow(kernel.op), nullptr) << set->name << ": " << BuiltinOperatorName(kernel.op);
    }
  }
}

TEST(TableCompleteness, EveryRowHasAKernel) {
  const std::span<const Kernel> kernels = ReferenceKernels().kernels;
  for (const OperatorRow* row : OperatorTable()) {
    const auto is_of_row = [&](const Kernel& kernel) { return kernel.op == row->code; };
    EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(), is_of_row)) << BuiltinOperatorName(row->code);
  }
}

TEST(TableCompleteness, EveryRowWithCasesHasADefinition) {
  for (const OperatorRow* row : RowsWithCases()) {
    EXPECT_NE(props::FindDefinition(row->code), nullptr) << BuiltinOperatorName(row->code);
  }
}

// The others are checked as whole models: calls of subgraphs, and resource variables.
TEST(TableCompleteness, RowsWithoutCasesAreOfTwoShapeRules) {
  for (const OperatorRow* row : OperatorTable()) {
    if (HasTableCases(*row)) continue;
    EXPECT_TRUE(row->shape == ShapeRule::kCall || row->shape == ShapeRule::kResourceVariable)
        << BuiltinOperatorName(row->code);
  }
}

TEST(TableCompleteness, ReferenceKernelsAreInTheOrderOfTheirNamesLetters) {
  const auto name = [](const Kernel& kernel) {
    std::string letters = BuiltinOperatorName(kernel.op);
    std::erase(letters, '_');
    return letters;
  };
  EXPECT_TRUE(std::ranges::is_sorted(ReferenceKernels().kernels, std::less<>(), name));
}

}  // namespace
}  // namespace arenaproof

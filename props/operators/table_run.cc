#include "props/operators/table_run.h"

#include <string>

#include "engine/generators/operators/reach/table_reach.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/kernels/table_checks.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "props/operators/case_report.h"
#include "props/operators/output_comparison.h"

namespace arenaproof::props {

const std::vector<std::pair<const OperatorRow*, const OperatorDefinition*>>& DrawnRows() {
  static const auto rows = [] {
    std::vector<std::pair<const OperatorRow*, const OperatorDefinition*>> all;
    for (const OperatorRow* row : RowsWithCases()) {
      if (const OperatorDefinition* definition = FindDefinition(row->code)) all.emplace_back(row, definition);
    }
    return all;
  }();
  return rows;
}

bool RunTableKernel(CaseRandom& random, const OperatorRow& row, const OperatorDefinition& definition) {
  const TableCase drawn = MakeNearOrFarTableCase(random, row);
  if (drawn.far_extent > 0) {
    const std::string dimension = std::string(BuiltinOperatorName(row.code)) + " extent " + std::to_string(drawn.far);
    CountReach(dimension.c_str(), static_cast<std::size_t>(drawn.far_extent));
  }
  ReachOfThisProcess().Count(ReachedOf(drawn.subject));
  const bool aligned = random() % 2 == 0;
  current_case = drawn.subject.Describe() + (aligned ? ", kernels aligned" : "");
  const KernelSet& kernels = aligned ? AlignedKernels() : ReferenceKernels();
  return NoDifference(testing::DifferenceOfKernel(kernels, drawn.subject, definition));
}

}  // namespace arenaproof::props

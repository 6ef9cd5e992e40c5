#include "props/operators/beyond_run.h"

#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernels/case_operator.h"
#include "engine/harness/kernels/type_checks.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "props/operators/case_report.h"

namespace arenaproof::props {
namespace {

using BreakOfRow = std::pair<const OperatorRow*, std::size_t>;

std::vector<BreakOfRow> BreaksOf(std::span<const OperatorRow* const> rows) {
  std::vector<BreakOfRow> all;
  for (const OperatorRow* row : rows) {
    const std::vector<RuleBreak> breaks = RuleBreaksOf(*row);
    for (std::size_t i = 0; i < breaks.size(); ++i) {
      // A rule of values can be broken in many ways.
      const std::size_t times = breaks[i].kind == Breakage::kValue ? 4 : 1;
      all.insert(all.end(), times, {row, i});
    }
  }
  return all;
}

const std::vector<BreakOfRow>& AllBreaks() {
  static const std::vector<BreakOfRow> all = BreaksOf(RowsWithCases());
  return all;
}

std::set<BreakOfRow> seen;

// Neighbours in the list are of one operator; a prime keeps those of one run apart.
constexpr std::uint64_t kBreakStride = 7919;

}  // namespace

std::optional<BeyondCase> MakeNextBeyondCase(CaseRandom& random, const OperatorRow* only, std::uint64_t turn) {
  const std::vector<BreakOfRow> some = only == nullptr ? AllBreaks() : BreaksOf({&only, 1});
  if (some.empty()) return std::nullopt;
  const auto& [row, which] = some[turn * kBreakStride % some.size()];
  std::optional<BeyondCase> made = MakeBeyondCase(random, *row, RuleBreaksOf(*row)[which]);
  if (made) seen.emplace(row, which);
  return made;
}

bool RunTableTypes(CaseRandom& random, const OperatorRow& row) {
  const OperatorCase subject = MakeTableCase(random, row).subject;
  const bool aligned = random() % 2 == 0;
  const testing::TestOperator made = testing::OperatorOf(subject, false);
  for (std::size_t operand = 0; operand < testing::OperandCount(made); ++operand) {
    current_case = subject.Describe() + (aligned ? ", kernels aligned" : "") + ", operand " + std::to_string(operand) +
                   " of other types";
    const std::string wrong =
        testing::WrongAboutTypes(aligned ? AlignedKernels() : ReferenceKernels(), row, made, operand);
    if (!wrong.empty()) return Complain(wrong.c_str());
  }
  return true;
}

void PrintBreaksSeen() {
  std::set<const OperatorRow*> operators;
  for (const BreakOfRow& each : seen) operators.insert(each.first);
  const std::set<BreakOfRow> all(AllBreaks().begin(), AllBreaks().end());
  std::printf("%zu ways of breaking a rule of %zu operators came, of %zu\n", seen.size(), operators.size(), all.size());
}

}  // namespace arenaproof::props

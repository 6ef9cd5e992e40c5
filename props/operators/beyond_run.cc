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
const OperatorRow* only_asked = nullptr;

std::vector<BreakOfRow> BreaksAskedFor() { return only_asked == nullptr ? AllBreaks() : BreaksOf({&only_asked, 1}); }

// "; not one of A, B and 3 more"; empty when there is none.
std::string Missing(const std::set<BreakOfRow>& all) {
  constexpr std::size_t kMostNames = 10;
  std::string names;
  std::size_t count = 0;
  for (const BreakOfRow& each : all) {
    if (seen.contains(each) || ++count > kMostNames) continue;
    names += (names.empty() ? "; not one of " : "; ") + BreakName(*each.first, RuleBreaksOf(*each.first)[each.second]);
  }
  return count > kMostNames ? names + " and " + std::to_string(count - kMostNames) + " more" : names;
}

// Neighbours in the list are of one operator; a prime keeps those of one run apart.
constexpr std::uint64_t kBreakStride = 7919;

}  // namespace

std::optional<BeyondCase> MakeNextBeyondCase(CaseRandom& random, const OperatorRow* only, std::uint64_t turn) {
  only_asked = only;
  const std::vector<BreakOfRow> some = BreaksAskedFor();
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
  const std::vector<BreakOfRow> asked_for = BreaksAskedFor();
  const std::set<BreakOfRow> all(asked_for.begin(), asked_for.end());
  std::printf("%zu ways of breaking a rule of %zu operators came, of %zu%s\n", seen.size(), operators.size(),
              all.size(), Missing(all).c_str());
}

}  // namespace arenaproof::props

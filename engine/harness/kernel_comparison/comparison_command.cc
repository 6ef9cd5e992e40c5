#include "engine/harness/kernel_comparison/comparison_command.h"

#include "engine/harness/kernel_comparison/comparison_report.h"
#include "tools/command/progress_line.h"
#include "tools/text/names.h"

namespace arenaproof::testing {
namespace {

std::string NamesOf(const std::vector<SharedOperator>& operators, bool with_cases) {
  std::string names;
  for (const SharedOperator& one : operators) {
    if ((one.row != nullptr) == with_cases) names += (names.empty() ? "" : ", ") + one.name;
  }
  return names;
}

// Why none of the operators can be compared.
std::string NothingToCompare(const KernelSetPair& sets, const std::vector<SharedOperator>& shared,
                             const std::string& op) {
  const std::string both = std::string(sets[0]->name) + " and " + sets[1]->name;
  const std::string with_cases = NamesOf(shared, true), others = NamesOf(shared, false);
  if (!with_cases.empty()) {
    return "'" + Printable(op) + "' is no operator with cases that " + both +
           " both serve with kernels of their own; those are " + with_cases;
  }
  return "there is no operator with cases that " + both + " both serve with kernels of their own" +
         (others.empty() ? "" : "; without cases are " + others);
}

}  // namespace

ExitStatus CompareKernelSets(const KernelSetPair& sets, const std::string& op, const ComparedCases& cases,
                             ComparisonListener& listener, std::ostream& output, std::ostream& errors) {
  const std::vector<SharedOperator> shared = SharedOperators(sets);
  std::vector<ComparedOperator> compared;
  std::string not_computed;
  for (const SharedOperator& one : shared) {
    if (one.row == nullptr || (!op.empty() && one.name != op)) continue;
    compared.push_back({one, CompareOperator(sets, *one.row, cases, listener)});
    const OperatorComparison& comparison = compared.back().comparison;
    if (comparison.difference) {
      ProgressLine::Clear();
      output << DifferenceText(sets, one, *comparison.difference);
      return ExitStatus::kViolations;
    }
    if (comparison.cases == 0) not_computed += (not_computed.empty() ? "" : ", ") + one.name;
  }
  ProgressLine::Clear();
  if (compared.empty()) {
    errors << NothingToCompare(sets, shared, op) << "\n";
    return ExitStatus::kCouldNotRun;
  }
  output << EqualText(sets, compared);
  const std::string without_cases = NamesOf(shared, false);
  if (op.empty() && !without_cases.empty()) {
    output << "not compared, for want of cases of their own: " << without_cases << "\n";
  }
  if (not_computed.empty()) return ExitStatus::kClean;
  errors << "no case was drawn that both sets compute with kernels of their own, of " << not_computed << "\n";
  return ExitStatus::kCouldNotRun;
}

}  // namespace arenaproof::testing

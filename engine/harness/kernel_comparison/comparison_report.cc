#include "engine/harness/kernel_comparison/comparison_report.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/harness/kernel_comparison/case_words.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

std::string Decimals(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), number < 0.1 ? "%.4f" : "%.2f", number);
  return text.data();
}

std::string Line(const std::string& name, const std::string& words, std::size_t width) {
  return "  " + name + std::string(width - std::min(width, name.size()), ' ') + "  " + words + "\n";
}

}  // namespace

std::string RepeatWords(const KernelSetPair& sets, const std::string& operator_name, std::uint64_t number) {
  return "./dev kernels --op=" + operator_name + " --set=" + sets[0]->name + " --against=" + sets[1]->name +
         " --seed=" + std::to_string(number) + " --cases=1";
}

std::string DifferenceText(const KernelSetPair& sets, const SharedOperator& shared,
                           const KernelDifference& difference) {
  const std::string first = sets[0]->name, second = sets[1]->name;
  const std::string defined = "by definition";
  const std::size_t width = std::max({first.size(), second.size(), defined.size()});
  std::string text = "DIFFERENT: " + shared.name + ", case " + std::to_string(difference.number) + "\n";
  for (const std::string& line : CaseLines(*shared.row, difference.subject)) text += Line("", line, width);
  text += Line("where", difference.where, width) + Line(first, difference.found[0], width) +
          Line(second, difference.found[1], width);
  if (!difference.defined.empty()) text += Line(defined, difference.defined, width);
  return text + Line("again", RepeatWords(sets, shared.name, difference.number), width);
}

std::string EqualText(const KernelSetPair& sets, const std::vector<ComparedOperator>& compared) {
  const std::string first = sets[0]->name, second = sets[1]->name;
  TextTable table(
      {"operator", ">cases", ">elements", "", "ns for each", ">" + first, ">" + second, ">ratio", ">from", ">to"});
  for (const auto& [shared, comparison] : compared) {
    std::vector<std::string> cells = {shared.name, std::to_string(comparison.cases),
                                      std::to_string(comparison.elements), comparison.cases > 0 ? "equal" : "-"};
    if (comparison.speeds) {
      const KernelSpeeds& speeds = *comparison.speeds;
      cells.insert(cells.end(), {speeds.unit, Decimals(speeds.nanoseconds[0]), Decimals(speeds.nanoseconds[1]),
                                 Decimals(speeds.ratio), Decimals(speeds.least_ratio), Decimals(speeds.most_ratio)});
    }
    cells.resize(10, "-");
    table.AddRow(std::move(cells));
  }
  std::string text = table.Text(2);
  for (const auto& [shared, comparison] : compared) {
    if (comparison.refused == 0) continue;
    text += shared.name + ": " + Counted(static_cast<long long>(comparison.refused), "valid case") +
            " refused by both sets, with the same status\n";
  }
  return text;
}

}  // namespace arenaproof::testing

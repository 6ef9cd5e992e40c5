#include "engine/harness/kernel_comparison/kernel_comparison.h"

#include <map>

#include "core/operators/operator_table.h"
#include "engine/generators/operators/table/table_case.h"
#include "engine/harness/kernel_comparison/kernel_run.h"
#include "engine/harness/kernels/case_operator.h"

namespace arenaproof::testing {
namespace {

// Bytes that memory holds before a kernel writes it. What a kernel leaves unwritten differs between the sets.
constexpr std::byte kFills[] = {std::byte{0xA5}, std::byte{0x3C}};
// So many cases are drawn for each one that is asked for, before it counts that the sets do not serve them.
constexpr std::size_t kDrawsPerCase = 100, kLeastDraws = 1000;

NumberedCase DrawCase(const OperatorRow& row, std::uint64_t number) {
  CaseRandom random(number);
  NumberedCase one{.number = number, .subject = MakeNearOrFarTableCase(random, row).subject};
  one.constant_offset = random.Below(16);  // files place constants anywhere
  return one;
}

}  // namespace

std::vector<SharedOperator> SharedOperators(const KernelSetPair& sets) {
  const auto operators_of = [](const KernelSet& set) {
    std::map<std::string, SharedOperator> all;
    for (const Kernel& kernel : set.kernels) {
      const OperatorRow* const row = FindOperatorRow(kernel.op);
      const std::string name = OperatorNameOf(kernel);
      all[name] = {name, row != nullptr && HasTableCases(*row) ? row : nullptr};
    }
    return all;
  };
  const auto others = operators_of(*sets[1]);
  std::vector<SharedOperator> shared;
  for (const auto& [name, one] : operators_of(*sets[0])) {
    if (others.contains(name)) shared.push_back(one);
  }
  return shared;
}

OperatorComparison CompareOperator(const KernelSetPair& sets, const OperatorRow& row, const ComparedCases& cases,
                                   ComparisonListener& listener) {
  OperatorComparison comparison;
  LargestCases largest;
  const std::size_t draws = kLeastDraws + kDrawsPerCase * cases.count;
  for (std::size_t i = 0; i < draws && comparison.cases + comparison.refused < cases.count; ++i) {
    NumberedCase one = DrawCase(row, cases.first + i);
    const TestOperator subject = OperatorOf(one.subject, false);
    if (!ServesByItself(*sets[0], subject) || !ServesByItself(*sets[1], subject)) continue;
    std::array<KernelRun, 2> runs;
    for (std::size_t set = 0; set < 2; ++set) {
      listener.Begins(*sets[set], one, false);
      runs[set] = RunForComparison(*sets[set], subject, {.fill = kFills[set], .constant_offset = one.constant_offset});
      listener.Ended();
    }
    comparison.difference = DifferenceOfRuns(one, runs);
    if (comparison.difference) return comparison;
    if (!runs[0].status.ok()) {
      ++comparison.refused;
      continue;
    }
    ++comparison.cases;
    for (std::size_t output = 0; output < one.subject.output_count(); ++output) {
      comparison.elements += one.subject.output_at(output).count();
    }
    largest.Offer(std::move(one));
  }
  if (const std::vector<NumberedCase> measured = largest.Take(); !measured.empty()) {
    comparison.speeds = MeasureSpeeds(sets, measured, listener);
  }
  return comparison;
}

}  // namespace arenaproof::testing

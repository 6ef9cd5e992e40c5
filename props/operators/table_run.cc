#include "props/operators/table_run.h"

#include <cstdio>

#include "core/operators/operator_table.h"
#include "engine/generators/reach_report.h"
#include "engine/harness/kernels/case_operator.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "props/operators/case_report.h"
#include "props/operators/output_comparison.h"
#include "tools/text/sentences.h"

namespace arenaproof::props {
namespace {

bool Refused(const Status& status) {
  std::fprintf(stderr, "prepare or invoke: %s\n", Sentence(status).c_str());
  return Complain("a valid operator is refused");
}

bool CompareRequests(const KernelSet& kernels, const OperatorCase& subject, const OperatorDefinition& definition,
                     const testing::TestOperator& made) {
  testing::KernelHarness harness(kernels, made);
  if (const Status status = harness.Prepare(); !status.ok()) return Refused(status);
  std::vector<std::size_t> arrays = harness.persistent_requests();
  if (!arrays.empty()) arrays.erase(arrays.begin());
  return CompareMemoryWithDefinition(subject, definition, 0, harness.scratch_requests(), arrays);
}

bool CompareVariables(const OperatorCase& subject, const OperatorDefinition& definition,
                      const std::vector<std::vector<std::byte>>& found) {
  if (definition.variables == nullptr) return true;
  const std::vector<Expected> expected = definition.variables(subject);
  if (expected.size() != found.size()) return Complain("the definition names another number of variables");
  std::size_t which = 0;
  for (const CaseTensor& input : subject.inputs) {
    if (!input.variable) continue;
    if (!CompareElements(input.type, found[which].data(), which, expected[which])) {
      return Complain("that was a variable after the run");
    }
    ++which;
  }
  return true;
}

}  // namespace

const std::vector<std::pair<const OperatorRow*, const OperatorDefinition*>>& DrawnRows() {
  static const auto rows = [] {
    std::vector<std::pair<const OperatorRow*, const OperatorDefinition*>> all;
    for (const OperatorRow* row : OperatorTable()) {
      const OperatorDefinition* definition = FindDefinition(row->code);
      if (definition != nullptr && HasTableCases(*row)) all.emplace_back(row, definition);
    }
    return all;
  }();
  return rows;
}

bool CompareWithDefinition(const OperatorCase& subject, const OperatorDefinition& definition,
                           const std::byte* outputs) {
  const std::vector<Expected> expected = definition.outputs(subject);
  for (std::size_t i = 0; i < subject.output_count(); ++i) {
    const CaseTensor& output = subject.output_at(i);
    if (expected[i].values.size() != output.count()) return Complain("the definition makes another number of elements");
    if (!CompareElements(output.type, outputs, i, expected[i])) return false;
    outputs += output.count() * ElementBytes(output.type);
  }
  return true;
}

bool CompareMemoryWithDefinition(const OperatorCase& subject, const OperatorDefinition& definition, std::int32_t op,
                                 const std::vector<std::size_t>& scratch, const std::vector<std::size_t>& arrays) {
  const auto defined = [&](auto* function) {
    return function == nullptr ? std::vector<std::size_t>{} : function(subject);
  };
  return CompareMemory(op, scratch, defined(definition.scratch), arrays, defined(definition.arrays));
}

bool RunTableKernel(CaseRandom& random, const OperatorRow& row, const OperatorDefinition& definition) {
  const TableCase drawn = MakeNearOrFarTableCase(random, row);
  const OperatorCase& subject = drawn.subject;
  if (drawn.far_extent > 0) CountReach(BuiltinOperatorName(row.code), static_cast<std::size_t>(drawn.far_extent));
  const bool aligned = random() % 2 == 0;
  current_case = subject.Describe() + (aligned ? ", kernels aligned" : "");
  const KernelSet& kernels = aligned ? AlignedKernels() : ReferenceKernels();
  const testing::TestOperator made = testing::OperatorOf(subject, false);
  if (!CompareRequests(kernels, subject, definition, made)) return false;
  const testing::RunResult result = testing::RunKernel(kernels, made);
  if (!result.status.ok()) return Refused(result.status);
  if (!result.broken_promise.empty()) return Complain(result.broken_promise.c_str());
  std::vector<std::byte> outputs;
  for (const auto& output : result.outputs) outputs.insert(outputs.end(), output.begin(), output.end());
  return CompareWithDefinition(subject, definition, outputs.data()) &&
         CompareVariables(subject, definition, result.variables);
}

}  // namespace arenaproof::props

#include "props/operators/table_turns.h"

#include <optional>
#include <utility>
#include <vector>

#include "engine/cases/validated.h"
#include "engine/harness/fuzz_process.h"
#include "engine/harness/model_pipeline/placed_model.h"
#include "kernels/aligned/aligned_kernels.h"
#include "kernels/reference/reference_kernels.h"
#include "props/operators/beyond_run.h"
#include "props/operators/case_report.h"
#include "props/operators/case_runs.h"
#include "props/operators/output_comparison.h"
#include "props/operators/table_run.h"

namespace arenaproof::props {
namespace {

using DrawnRow = std::pair<const OperatorRow*, const OperatorDefinition*>;

const DrawnRow* only_row = nullptr;

// What has a variable keeps its state from run to run, and runs by itself.
bool RunTable(CaseRandom& random, const DrawnRow& drawn) {
  const auto& [row, definition] = drawn;
  bool has_variable = false;
  for (const OperandRow& input : row->inputs) has_variable = has_variable || input.source == Source::kVariable;
  if (has_variable || random.OneIn(2)) return RunTableKernel(random, *row, *definition);
  return RunValid(random, MakeTableCase(random, *row).subject, definition);
}

// Several of the ways in which rules of the table's rows can be broken. What passes the validation of the file is
// refused by the interpreter too.
bool RunBeyond(CaseRandom& random, const OperatorRow* only, std::uint64_t turn) {
  constexpr std::uint64_t kBreaks = 8;
  for (std::uint64_t i = 0; i < kBreaks; ++i) {
    const std::optional<BeyondCase> beyond = MakeNextBeyondCase(random, only, turn * kBreaks + i);
    if (!beyond) continue;
    const bool aligned = random() % 2 == 0;
    current_case =
        beyond->subject.Describe() + Words(beyond->refusal) + beyond->where + (aligned ? ", kernels aligned" : "");
    const KernelSet& kernels = aligned ? AlignedKernels() : ReferenceKernels();
    bool in_prepare = false;
    if (!NoDifference(testing::DifferenceOfRefusal(kernels, *beyond, &in_prepare))) return false;
    if (!in_prepare || !beyond->in_a_file || !random.OneIn(4)) continue;
    const std::vector<std::byte> file = ModelOf(beyond->subject);
    ValidationReport report;
    if (file.size() > PipelineModelMemory().bytes() || !ValidatedModel::Open(file, &report)) continue;
    if (!Prepares(file, kernels, random() % 2 == 0, beyond->refusal)) return false;
  }
  return true;
}

}  // namespace

bool DrawOnly(std::string_view name) {
  for (const DrawnRow& drawn : DrawnRows()) {
    if (name == BuiltinOperatorName(drawn.first->code)) only_row = &drawn;
  }
  return only_row != nullptr;
}

const char* OnlyRowName() { return only_row == nullptr ? nullptr : BuiltinOperatorName(only_row->first->code); }

// Rows come by turns, of which one in ten breaks their rules and one in twenty asks for other types. Another row begins
// with each round, so that no row meets the same kind of turn always.
bool RunOfTable(CaseRandom& random, std::uint64_t turn) {
  const OperatorRow* const only = only_row == nullptr ? nullptr : only_row->first;
  if (turn % 10 == 9) return RunBeyond(random, only, turn / 10);
  if (turn % 20 == 4) {
    return RunTableTypes(random, only != nullptr ? *only : *RowsWithCases()[turn / 20 % RowsWithCases().size()]);
  }
  if (only_row != nullptr) return RunTable(random, *only_row);
  const std::size_t count = DrawnRows().size();
  return RunTable(random, DrawnRows()[(turn + turn / count) % count]);
}

}  // namespace arenaproof::props

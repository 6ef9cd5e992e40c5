#include <algorithm>
#include <set>

#include "sanitizers/report/violation.h"
#include "tools/command/check_report_text.h"
#include "tools/command/findings.h"
#include "tools/command/merged_violations.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostViolationsShown = 20;

std::string OperandText(const ViolationReport& violation) {
  const bool tensor = violation.operand_kind == "input" || violation.operand_kind == "output" ||
                      violation.operand_kind == "constant" || violation.operand_kind == "variable";
  std::string text = violation.operand_kind + (tensor ? " tensor " : " ") + std::to_string(violation.operand_index);
  if (!violation.operand_name.empty()) text += " \"" + Printable(violation.operand_name) + "\"";
  return text + " (" + Counted(violation.operand_bytes, "byte") + ")";
}

}  // namespace

std::string ViolationHeadline(const std::vector<SeenViolation>& seen) {
  const ViolationReport& violation = *seen.front().violation;
  std::int64_t distance = 0;
  for (const SeenViolation& one : seen) distance = std::max(distance, one.violation->distance_bytes);
  std::string text = OperatorTitle(violation.subgraph, violation.operator_index, violation.operator_name);
  const bool runtime = violation.operator_index < 0;
  if (!runtime) text += ", kernel " + Printable(violation.kernel);
  if (violation.side == "differs") {
    text += ", " + DifferenceText(violation.operand_kind == "none" ? std::string() : OperandText(violation));
    return text;
  }
  if (violation.side == "unwritten") {
    text += ", " + UnwrittenText(violation.operand_kind == "none" ? std::string() : OperandText(violation));
    return text + (violation.phase == "invoke" ? "" : ", in " + violation.phase);
  }
  text += violation.access == "write" ? ", writes " : ", reads ";
  if (violation.side == "before" || violation.side == "after") {
    text += "up to " + Counted(distance, "byte") + " " + violation.side + " " + OperandText(violation);
  } else if (violation.side == "inside") {
    text += "inside " + OperandText(violation) + ", which it has no right to";
  } else if (violation.side == "overwritten") {
    text += "bytes of " + OperandText(violation) + " that it has overwritten with its output";
  } else {
    text += "far from all its operands, nearest " + OperandText(violation) + ", " + Counted(distance, "byte") + " away";
  }
  if (violation.phase != "invoke" && !runtime) text += ", in " + violation.phase;
  return text;
}

namespace {

std::string WidthText(const ViolationReport& violation) {
  if (violation.min_width_bytes == violation.max_width_bytes) return std::to_string(violation.max_width_bytes);
  return std::to_string(violation.min_width_bytes) + "-" + std::to_string(violation.max_width_bytes);
}

// Only the faithful layout is the device's. There the worst of all reports counts.
std::string ReserveVerdictText(const CheckOptions& options, const std::vector<SeenViolation>& seen) {
  if (options.reserve_front_bytes == 0) return {};
  std::set<std::string> verdicts;
  for (const SeenViolation& one : seen) {
    if (one.part->layout == "faithful") verdicts.insert(one.violation->reserve);
  }
  const std::string reserve =
      "the reserve of " + Counted(options.reserve_front_bytes, "byte") + " in front of the head";
  if (verdicts.empty()) {
    return "  not checked whether " + reserve + " contains it: only the faithful layout shows it, " +
           (options.layout == "dilated" ? "which was not asked for\n" : "which did not show this violation\n");
  }
  if (verdicts.contains("leaves_allocation"))
    return "  not contained in " + reserve + " (faithful layout): it leaves the allocation\n";
  if (verdicts.contains("reaches_object"))
    return "  not contained in " + reserve + " (faithful layout): it reaches other bytes of the arena or the model\n";
  return "  contained in " + reserve + " (faithful layout), and a violation all the same\n";
}

std::string ViolationText(const CheckOptions& options, std::size_t number, const std::vector<SeenViolation>& seen,
                          const std::set<std::string>& known) {
  std::string text = "VIOLATION " + std::to_string(number) + ": " + ViolationHeadline(seen) + "\n";
  TextTable table({"layout", "instrument", ">distance", ">width", ">accesses", "touched bytes", "what lay there"});
  for (const auto& [part, violation] : seen) {
    table.AddRow({part->layout, std::string(part->instrument->name), std::to_string(violation->distance_bytes),
                  WidthText(*violation), std::to_string(violation->count),
                  std::to_string(violation->lowest_touched) + " to " + std::to_string(violation->highest_touched),
                  Printable(violation->state)});
  }
  text += table.Text(2) + ReserveVerdictText(options, seen);
  // One map is enough; the shadow's is exact.
  const auto with_map =
      std::find_if(seen.begin(), seen.end(), [](const SeenViolation& one) { return !one.violation->map.empty(); });
  if (with_map != seen.end()) {
    text += "  map (" + PartName(*with_map->part) + "):\n";
    for (const std::string& line : with_map->violation->map) text += "    " + Printable(line) + "\n";
  }
  const CheckPart& first = *seen.front().part;
  const std::string identifier = ViolationIdentifier(*seen.front().violation);
  text +=
      "  identifier: " + identifier + (known.contains(identifier) ? ", known and accepted by the baseline\n" : "\n");
  return text + "  reproduce: " + CheckCommandLine(options, first.layout, std::string(first.instrument->name)) + "\n\n";
}

}  // namespace

std::string ViolationsText(const CheckOptions& options, const CheckResult& result) {
  const auto violations = MergeViolations(result);
  const std::set<std::string> known = result.baseline ? result.baseline->known : std::set<std::string>();
  std::string text;
  for (std::size_t i = 0; i < std::min(violations.size(), kMostViolationsShown); ++i) {
    text += ViolationText(options, i + 1, violations[i], known);
  }
  if (violations.size() > kMostViolationsShown) {
    text += "... and " + Counted(static_cast<long long>(violations.size() - kMostViolationsShown), "more violation") +
            "; --json lists all of them\n\n";
  }
  return text;
}

}  // namespace arenaproof

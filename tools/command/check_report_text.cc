#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tools/command/check.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostViolationsShown = 20;
constexpr std::size_t kMostLinesOfDetail = 8;

// The same access seen by several instruments or in several layouts.
struct SeenViolation {
  const CheckPart* part;
  const ViolationReport* violation;
};

using ViolationKey =
    std::tuple<std::int64_t, std::int64_t, std::string, std::string, std::int64_t, std::string, std::string>;

ViolationKey KeyOf(const ViolationReport& violation) {
  return {violation.subgraph,      violation.operator_index, violation.phase, violation.operand_kind,
          violation.operand_index, violation.access,         violation.side};
}

std::string PartName(const CheckPart& part) { return part.layout + ", " + std::string(part.instrument->name); }

std::string OperatorTitle(std::int64_t subgraph, std::int64_t index, const std::string& name) {
  std::string text = Printable(name) + " (operator " + std::to_string(index);
  if (subgraph != 0) text += " of subgraph " + std::to_string(subgraph);
  return text + ")";
}

std::string OperandText(const ViolationReport& violation) {
  const bool tensor = violation.operand_kind == "input" || violation.operand_kind == "output" ||
                      violation.operand_kind == "constant" || violation.operand_kind == "variable";
  std::string text = violation.operand_kind + (tensor ? " tensor " : " ") + std::to_string(violation.operand_index);
  if (!violation.operand_name.empty()) text += " \"" + Printable(violation.operand_name) + "\"";
  return text + " (" + Counted(violation.operand_bytes, "byte") + ")";
}

std::string Headline(const std::vector<SeenViolation>& seen) {
  const ViolationReport& violation = *seen.front().violation;
  std::int64_t distance = 0;
  for (const SeenViolation& one : seen) distance = std::max(distance, one.violation->distance_bytes);
  std::string text = OperatorTitle(violation.subgraph, violation.operator_index, violation.operator_name) +
                     ", kernel " + Printable(violation.kernel);
  text += violation.access == "write" ? ", writes " : ", reads ";
  if (violation.side == "before" || violation.side == "after") {
    text += "up to " + Counted(distance, "byte") + " " + violation.side + " " + OperandText(violation);
  } else if (violation.side == "inside") {
    text += "inside " + OperandText(violation) + ", which it has no right to";
  } else {
    text += "far from all its operands, nearest " + OperandText(violation) + ", " + Counted(distance, "byte") + " away";
  }
  if (violation.phase != "invoke") text += ", in " + violation.phase;
  return text;
}

std::string WidthText(const ViolationReport& violation) {
  if (violation.min_width_bytes == violation.max_width_bytes) return std::to_string(violation.max_width_bytes);
  return std::to_string(violation.min_width_bytes) + "-" + std::to_string(violation.max_width_bytes);
}

// Of the faithful layout, which is the device's; there of all that saw it the worst counts.
std::string ReserveText(const CheckOptions& options, const std::vector<SeenViolation>& seen) {
  if (options.reserve_front_bytes == 0) return {};
  std::set<std::string> verdicts;
  for (const SeenViolation& one : seen) {
    if (one.part->layout == "faithful") verdicts.insert(one.violation->reserve);
  }
  const std::string reserve =
      "the reserve of " + Counted(options.reserve_front_bytes, "byte") + " in front of the head";
  if (verdicts.empty()) {
    return "  not judged whether " + reserve + " contains it: only the faithful layout tells, " +
           (options.layout == "dilated" ? "which was not asked for\n" : "which did not show this violation\n");
  }
  if (verdicts.contains("leaves_allocation"))
    return "  not contained in " + reserve + " (faithful layout): it leaves the allocation\n";
  if (verdicts.contains("reaches_object"))
    return "  not contained in " + reserve + " (faithful layout): it reaches other bytes of the arena or the model\n";
  return "  contained in " + reserve + " (faithful layout), and a violation all the same\n";
}

std::string ViolationText(const CheckOptions& options, std::size_t number, const std::vector<SeenViolation>& seen) {
  std::string text = "VIOLATION " + std::to_string(number) + ": " + Headline(seen) + "\n";
  TextTable table({"layout", "instrument", ">distance", ">width", ">accesses", "touched bytes", "what lay there"});
  for (const auto& [part, violation] : seen) {
    table.AddRow({part->layout, std::string(part->instrument->name), std::to_string(violation->distance_bytes),
                  WidthText(*violation), std::to_string(violation->count),
                  std::to_string(violation->lowest_touched) + " to " + std::to_string(violation->highest_touched),
                  Printable(violation->state)});
  }
  text += table.Text(2) + ReserveText(options, seen);
  // One map is enough; the shadow's is exact.
  const auto with_map =
      std::find_if(seen.begin(), seen.end(), [](const SeenViolation& one) { return !one.violation->map.empty(); });
  if (with_map != seen.end()) {
    text += "  map (" + PartName(*with_map->part) + "):\n";
    for (const std::string& line : with_map->violation->map) text += "    " + Printable(line) + "\n";
  }
  const CheckPart& first = *seen.front().part;
  return text + "  reproduce: " + CheckCommandLine(options, first.layout, std::string(first.instrument->name)) + "\n\n";
}

std::string ViolationsText(const CheckOptions& options, const CheckResult& result) {
  std::map<ViolationKey, std::vector<SeenViolation>> merged;  // in the order of the operators
  for (const CheckPart& part : result.parts) {
    for (const ViolationReport& violation : part.report.violations) {
      merged[KeyOf(violation)].push_back({&part, &violation});
    }
  }
  std::string text;
  std::size_t number = 0;
  for (const auto& [key, seen] : merged) {
    if (++number > kMostViolationsShown) break;
    text += ViolationText(options, number, seen);
  }
  if (merged.size() > kMostViolationsShown) {
    text += "... and " + Counted(static_cast<long long>(merged.size() - kMostViolationsShown), "more violation") +
            "; --json lists all of them\n\n";
  }
  return text;
}

std::string Verdict(const CheckPart& part) {
  switch (part.status) {
    case ExitStatus::kClean:
      return part.instrument->name == "none" ? "not checked" : "clean";
    case ExitStatus::kViolations:
      if (part.report.refusal) return "plan refused";
      return part.kernels_died ? "died"
                               : Counted(static_cast<long long>(part.report.violations.size()), "violation") +
                                     (part.report.capped ? " or more; " + CappedText(part) : "");
    case ExitStatus::kCouldNotRun:
      return "could not run";
    case ExitStatus::kInternalError:
      return "internal error";
  }
  return "";
}

// The arena that the user gave, or that the model needs, of two the tail's last; the dilated layout lays it out in a
// larger one.
std::string ArenaText(const PlanReport& plan) {
  const bool two = plan.device_persistent_arena_bytes != 0;
  std::string text = std::to_string(plan.device_arena_bytes);
  if (two) text += " and " + std::to_string(plan.device_persistent_arena_bytes);
  if (plan.arena_bytes != plan.device_arena_bytes) {
    text += ", spread over " + std::to_string(plan.arena_bytes);
    if (two) text += " and " + std::to_string(plan.persistent_arena_bytes);
  }
  return text;
}

std::string PartsText(const CheckResult& result) {
  TextTable table({"layout", "instrument", ">operators seen", ">blind pairs", ">in prepare", "arena bytes", "result"});
  for (const CheckPart& part : result.parts) {
    const auto seen = std::count_if(part.report.operators.begin(), part.report.operators.end(),
                                    [](const OperatorSeen& one) { return one.seen; });
    const auto& report = part.report;
    table.AddRow({part.layout, std::string(part.instrument->name),
                  report.operators.empty() || part.instrument->name == "none"
                      ? "-"
                      : std::to_string(seen) + " of " + std::to_string(report.operators.size()),
                  report.blind_pair_count ? std::to_string(*report.blind_pair_count) : "-",
                  report.prepare_blind_pair_count ? std::to_string(*report.prepare_blind_pair_count) : "-",
                  report.plan ? ArenaText(*report.plan) : "-", Verdict(part)});
  }
  return table.Text(2) + "\n";
}

std::string PairsText(const std::vector<BlindPair>& pairs, std::int64_t count) {
  std::string text;
  std::size_t shown = 0;
  for (const BlindPair& pair : pairs) {
    if (shown == kMostLinesOfDetail) break;
    ++shown;
    text += "  " + OperatorTitle(pair.subgraph, pair.operator_index, pair.operator_name) + ": " + pair.first_kind +
            " " + std::to_string(pair.first_index) + " and " + pair.second_kind + " " +
            std::to_string(pair.second_index);
    text += pair.distance_bytes < 0 ? " share " + Counted(-pair.distance_bytes, "byte") + "\n"
                                    : ", " + Counted(pair.distance_bytes, "byte") + " apart\n";
  }
  const auto rest = count - static_cast<std::int64_t>(shown);
  if (rest > 0) text += "  ... and " + std::to_string(rest) + " more\n";
  return text;
}

// What the instruments could not judge, said once for each layout or operand.
std::string BlindText(const CheckResult& result) {
  std::string text;
  std::set<std::string> layouts;
  for (const CheckPart& part : result.parts) {
    const std::int64_t in_invoke = part.report.blind_pair_count.value_or(0);
    const std::int64_t in_prepare = part.report.prepare_blind_pair_count.value_or(0);
    if (in_invoke + in_prepare == 0 || !layouts.insert(part.layout).second) continue;
    if (in_invoke > 0) {
      text += "blind pairs in the " + part.layout +
              " layout (two operands of one operator less than 64 bytes apart: no instrument sees a step from one into "
              "the other):\n" +
              PairsText(part.report.blind_pairs, in_invoke);
    }
    if (in_prepare > 0) {
      text += "blind pairs in prepare, " + part.layout +
              " layout (quantisation lists lie as in the model file in every layout):\n" +
              PairsText(part.report.prepare_blind_pairs, in_prepare);
    }
  }
  std::set<std::string> instruments;
  for (const CheckPart& part : result.parts) {
    if (part.report.not_exact.empty() || !instruments.insert(std::string(part.instrument->name)).second) continue;
    const auto count = static_cast<long long>(part.report.not_exact.size());
    text += std::string(part.instrument->name) + " cannot judge to the byte around " + Counted(count, "operand") +
            ", which start or end inside one of its granules of 8 bytes; there only shadow is exact:\n";
    std::size_t shown = 0;
    for (const NotExactOperand& operand : part.report.not_exact) {
      if (shown++ == kMostLinesOfDetail) {
        text += "  ... and " + std::to_string(count - static_cast<long long>(kMostLinesOfDetail)) + " more\n";
        break;
      }
      text += "  " + OperatorTitle(operand.subgraph, operand.operator_index, operand.operator_name) + ": " +
              operand.kind + " " + std::to_string(operand.index) + " \"" + Printable(operand.name) + "\", blind for " +
              std::to_string(operand.blind_before_bytes) + " before and " + Counted(operand.blind_after_bytes, "byte") +
              " after\n";
    }
  }
  std::set<std::string> limits;
  for (const CheckPart& part : result.parts) {
    if (!part.report.self_test) continue;
    for (const std::string& limit : part.report.self_test->limits) {
      if (!limits.insert(std::string(part.instrument->name) + limit).second) continue;
      text += std::string(part.instrument->name) + " cannot see: " + Printable(limit) + "\n";
    }
  }
  for (const CheckPart& part : result.parts) {
    if (part.instrument->name == "none") continue;
    std::size_t unseen = 0;
    for (const OperatorSeen& one : part.report.operators) {
      if (one.seen || ++unseen > kMostLinesOfDetail) continue;
      text += PartName(part) + " did not see " + OperatorTitle(one.subgraph, one.index, one.name) + ", kernel " +
              Printable(one.kernel) + "\n";
    }
    if (unseen > kMostLinesOfDetail) text += "  ... and " + std::to_string(unseen - kMostLinesOfDetail) + " more\n";
  }
  return text.empty() ? text : text + "\n";
}

std::string ProblemsText(const CheckResult& result) {
  std::string text;
  std::set<std::string> said;
  for (const CheckPart& part : result.parts) {
    if (part.problem.empty()) continue;
    if (!said.insert(part.problem).second) continue;
    const char* what = part.status == ExitStatus::kInternalError ? "internal error"
                       : part.status == ExitStatus::kViolations  ? "VIOLATION"
                                                                 : "could not run";
    text += std::string(what) + " (" + PartName(part) + "): " + PrintableSentence(part.problem) + "\n";
    if (!part.diagnostics.empty()) text += part.diagnostics + "\n";
  }
  for (const std::string& difference : result.output_differences) {
    text += "VIOLATION: " + difference +
            "; an answer that depends on where tensors lie or on what is around them read what it should not\n";
  }
  return text.empty() ? text : text + "\n";
}

std::string OutputsText(const CheckResult& result) {
  for (const CheckPart& part : result.parts) {
    if (!part.report.finished || part.report.outputs.empty()) continue;
    std::string text;
    for (const OutputReport& output : part.report.outputs) {
      if (output.run != part.report.outputs.front().run) break;
      text += "  output " + std::to_string(output.index) + " \"" + Printable(output.name) + "\", " +
              Counted(output.bytes, "byte") + " " + Printable(output.type) + ", sha256 " + Printable(output.sha256) +
              "\n";
    }
    return "outputs" +
           std::string(result.parts.size() > 1 && result.output_differences.empty() ? ", equal in all" : "") + "\n" +
           text + "\n";
  }
  return {};
}

// "shadow", "shadow and asan".
std::string InstrumentsUsed(const CheckResult& result) {
  std::string text;
  for (const CheckPart& part : result.parts) {
    const std::string name(part.instrument->name);
    if (text.find(name) == std::string::npos) text += (text.empty() ? "" : " and ") + name;
  }
  return text;
}

// What keeps a conclusion from being complete; empty: nothing does.
std::string Reservations(const CheckResult& result) {
  std::string text;
  for (const CheckPart& part : result.parts) {
    if (part.report.capped) text += "; " + PartName(part) + " was " + CappedText(part);
  }
  for (const std::string& name : result.absent_instruments) {
    text += "; " + name + " is not available: its worker was not built";
  }
  return text;
}

std::string Conclusion(const CheckOptions& options, const CheckResult& result) {
  if (options.instrument == "none" && result.status <= ExitStatus::kViolations) {
    return "no instrument: accesses were not checked\n";
  }
  switch (result.status) {
    case ExitStatus::kClean:
      if (!result.absent_instruments.empty()) {
        return "clean by " + InstrumentsUsed(result) + " alone" + Reservations(result) + "\n";
      }
      return "clean: no access outside the running operator's operands\n";
    case ExitStatus::kViolations:
      return "violations found" + Reservations(result) + "\n";
    case ExitStatus::kCouldNotRun:
      return "could not run\n";
    case ExitStatus::kInternalError:
      return "internal error\n";
  }
  return {};
}

}  // namespace

std::string CheckReportText(const CheckOptions& options, const CheckResult& result) {
  std::string text = CheckCommandLine(options, "", "") + "\n\n";
  for (const CheckPart& part : result.parts) {
    if (part.report.offline_plan.empty()) continue;
    text += OfflinePlanText(part.report.offline_plan) + "\n";
    break;  // it is the same in every part
  }
  text += PartsText(result) + ViolationsText(options, result) + ProblemsText(result) + BlindText(result) +
          OutputsText(result);
  for (const std::string& sentence : result.not_available) text += "not used: " + sentence + "\n";
  return text + Conclusion(options, result);
}

}  // namespace arenaproof

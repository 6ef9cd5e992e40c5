#include "tools/command/check_report_text.h"

#include <algorithm>
#include <set>

#include "tools/command/baseline.h"
#include "tools/command/check.h"
#include "tools/command/findings.h"
#include "tools/text/text.h"

namespace arenaproof {

std::string PartName(const CheckPart& part) { return part.layout + ", " + std::string(part.instrument->name); }

std::string OperatorTitle(std::int64_t subgraph, std::int64_t index, const std::string& name) {
  if (index < 0) return Printable(name);  // the runtime itself
  std::string text = Printable(name) + " (operator " + std::to_string(index);
  if (subgraph != 0) text += " of subgraph " + std::to_string(subgraph);
  return text + ")";
}

std::string OutputsDifferText(const std::string& difference) {
  return difference + "; an answer that depends on where tensors lie or on what is around them read what it should not";
}

namespace {

// What a baseline accepts of that which is none of accesses.
struct KnownProblems {
  std::set<const CheckPart*> parts;
  bool outputs = false;
};

KnownProblems KnownProblemsOf(const CheckResult& result) {
  KnownProblems known;
  if (!result.baseline) return known;
  for (const Finding& finding : FindingsOf(result)) {
    if (!finding.seen.empty() || !IsKnown(result, finding)) continue;
    known.parts.insert(finding.parts.begin(), finding.parts.end());
    known.outputs = known.outputs || finding.parts.empty();
  }
  return known;
}

std::string ViolationWord(bool known) { return known ? "known and accepted by the baseline" : "VIOLATION"; }

}  // namespace

std::vector<std::string> ProblemLines(const CheckResult& result) {
  std::vector<std::string> lines;
  std::set<std::string> problems;
  const KnownProblems known = KnownProblemsOf(result);
  for (const CheckPart& part : result.parts) {
    if (part.problem.empty()) continue;
    if (!problems.insert(part.problem).second) continue;
    const std::string what = part.status == ExitStatus::kInternalError ? "internal error"
                             : part.stopped                            ? "came to no end"
                             : part.status == ExitStatus::kViolations  ? ViolationWord(known.parts.contains(&part))
                             : part.could_not_see                      ? "not seen"
                                                                       : "could not run";
    lines.push_back(what + " (" + PartName(part) + "): " + PrintableSentence(part.problem));
    for (const std::string& line : LinesOf(part.diagnostics)) lines.push_back(PrintableSentence(line));
  }
  for (const std::string& difference : result.output_differences) {
    lines.push_back(ViolationWord(known.outputs) + ": " + OutputsDifferText(difference));
  }
  return lines;
}

std::string PartResult(const CheckPart& part) {
  switch (part.status) {
    case ExitStatus::kClean:
      return part.instrument->name == "none" ? "not checked" : "clean";
    case ExitStatus::kViolations:
      if (part.report.refusal && !part.stopped) return "plan refused";
      return part.kernels_died ? "died"
                               : Counted(static_cast<long long>(part.report.violations.size()), "violation") +
                                     (part.report.capped ? " or more; " + CappedText(part) : "") +
                                     (part.stopped ? ", then it came to no end" : "");
    case ExitStatus::kCouldNotRun:
      return part.could_not_see ? "not seen" : "could not run";
    case ExitStatus::kInternalError:
      return "internal error";
  }
  return "";
}

namespace {

// The arena that the user gave, or that the model needs, of two the tail's last; the dilated layout lays it out in a
// larger one.
std::string ArenaBytesText(const PlanReport& plan) {
  const bool two = plan.device_persistent_arena_bytes != 0;
  std::string text = std::to_string(plan.device_arena_bytes);
  if (two) text += " and " + std::to_string(plan.device_persistent_arena_bytes);
  if (plan.arena_bytes != plan.device_arena_bytes) {
    text += ", spread over " + std::to_string(plan.arena_bytes);
    if (two) text += " and " + std::to_string(plan.persistent_arena_bytes);
  }
  return text;
}

// "2 of 3", "1 of 3, 2 in part": those of which some invokes were seen before the instrument met its limit.
std::string SeenText(const CheckPart& part) {
  const auto& operators = part.report.operators;
  if (operators.empty() || part.instrument->name == "none") return "-";
  const auto seen = std::count_if(operators.begin(), operators.end(), [](const OperatorSeen& one) { return one.seen; });
  const auto in_part = std::count_if(operators.begin(), operators.end(),
                                     [](const OperatorSeen& one) { return !one.seen && one.invokes_seen > 0; });
  std::string text = std::to_string(seen) + " of " + std::to_string(operators.size());
  if (in_part > 0) text += ", " + std::to_string(in_part) + " in part";
  return text;
}

std::string PartsText(const CheckResult& result) {
  TextTable table({"layout", "instrument", ">operators seen", ">blind pairs", ">in prepare", "arena bytes", "result"});
  for (const CheckPart& part : result.parts) {
    const auto& report = part.report;
    table.AddRow({part.layout, std::string(part.instrument->name), SeenText(part),
                  report.blind_pair_count ? std::to_string(*report.blind_pair_count) : "-",
                  report.prepare_blind_pair_count ? std::to_string(*report.prepare_blind_pair_count) : "-",
                  report.plan ? ArenaBytesText(*report.plan) : "-", PartResult(part)});
  }
  const bool spread = std::any_of(result.parts.begin(), result.parts.end(), [](const CheckPart& part) {
    return part.report.plan && part.report.plan->arena_bytes != part.report.plan->device_arena_bytes;
  });
  const char* const meaning =
      "  spread over: the arena that the dilated layout is given here; the least it needs is in the report of 'size'\n";
  return table.Text(2) + (spread ? meaning : "") + "\n";
}

// The same in every part.
std::string PlannedSharingText(const CheckResult& result) {
  for (const CheckPart& part : result.parts) {
    if (!part.report.plan || part.report.plan->sharing.empty()) continue;
    std::string text = "tensors in the bytes of others\n";
    const auto tensor = [&](std::int64_t buffer) {
      const PlannedBufferReport& planned = part.report.plan->buffers[static_cast<std::size_t>(buffer)];
      return SharedTensor{planned.tensor, planned.name};
    };
    for (const SharedBytes& shared : part.report.plan->sharing) {
      text += SharedBytesText(shared, tensor(shared.buffer), tensor(shared.source));
    }
    return text + "\n";
  }
  return {};
}

std::string Spaced(std::string text) { return text.empty() ? text : std::move(text) + "\n"; }

// The same in every part that came so far.
std::string AllowancesText(const CheckOptions& options, const CheckResult& result) {
  for (const CheckPart& part : result.parts) {
    if (part.report.read_allowances.empty()) continue;
    std::string text = "reads beside operands that kernels declare, which are no violations\n";
    for (const ReadAllowanceReport& one : part.report.read_allowances) {
      text += "  " + OperatorTitle(one.subgraph, one.operator_index, one.operator_name) + ", kernel " +
              Printable(one.kernel) + ": " + Counted(one.before_bytes, "byte") + " before and " +
              Counted(one.after_bytes, "byte") + " after " + one.kind + " " + std::to_string(one.index) + " \"" +
              Printable(one.name) + "\"\n";
    }
    if (options.layout == "dilated") {
      text +=
          "  not checked: whether there is room for them; only the faithful layout shows it, which was not asked for\n";
    }
    return text + "\n";
  }
  return {};
}

std::string ProblemsText(const CheckResult& result) {
  std::string text;
  for (const std::string& line : ProblemLines(result)) text += line + "\n";
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

// What stays in the reserve is a statement about the device, whose layout is the faithful one.
std::string ReserveNotCheckedText(const CheckOptions& options) {
  if (options.reserve_front_bytes == 0 || options.layout != "dilated") return {};
  return "not checked: what the reserve of " + Counted(options.reserve_front_bytes, "byte") +
         " in front of the head contains; only the faithful layout shows it, which was not asked for\n";
}

}  // namespace

std::string CheckReportText(const CheckOptions& options, const CheckResult& result) {
  std::string text = CheckCommandLine(options, "", "") + "\n\n";
  for (const CheckPart& part : result.parts) {
    if (part.report.offline_plan.empty()) continue;
    text += OfflinePlanText(part.report.offline_plan) + "\n";
    break;  // it is the same in every part
  }
  text += PartsText(result) + PlannedSharingText(result) + AllowancesText(options, result) +
          Spaced(ExtentsText(result)) + ViolationsText(options, result) + ProblemsText(result) + BlindText(result) +
          OutputsText(result);
  for (const std::string& sentence : result.not_available) text += "not used: " + sentence + "\n";
  if (result.baseline) text += "baseline: " + PrintableSentence(BaselineLine(result)) + "\n";
  return text + ReserveNotCheckedText(options) + VerdictLine(options, result) + "\n";
}

}  // namespace arenaproof

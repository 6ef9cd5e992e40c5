// What a check found, in ten lines at most: the verdict first, then at most one line for each of the rest but for the
// first few violations.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/check_unseen.h"
#include "tools/command/merged_violations.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostHeadlines = 3;

// "shadow and asan in the faithful and dilated layouts: 1 clean, 3 with violations; 2 of 2 operators seen".
std::string PartsLine(const CheckOptions& options, const CheckResult& result) {
  std::vector<std::string> layouts, counts;
  std::map<ExitStatus, std::int64_t> parts;
  std::int64_t not_seen = 0;
  for (const CheckPart& part : result.parts) {
    if (std::find(layouts.begin(), layouts.end(), part.layout) == layouts.end()) layouts.push_back(part.layout);
    ++(part.could_not_see ? not_seen : parts[part.status]);
  }
  const auto count = [&](std::int64_t number, const char* what) {
    if (number > 0) counts.push_back(std::to_string(number) + what);
  };
  count(parts[ExitStatus::kClean], options.instrument == "none" ? " not checked" : " clean");
  count(parts[ExitStatus::kViolations], " with violations");
  count(not_seen, " not seen");
  count(parts[ExitStatus::kCouldNotRun], " could not run");
  count(parts[ExitStatus::kInternalError], " with an internal error");
  std::string text = "  " + InstrumentsUsed(result) + " in the " + Joined(layouts, " and ") +
                     (layouts.size() == 1 ? " layout: " : " layouts: ") + Joined(counts, ", ");
  std::set<std::pair<std::int64_t, std::int64_t>> operators;
  std::optional<std::int64_t> arena_bytes;
  for (const CheckPart& part : result.parts) {
    for (const OperatorSeen& one : part.report.operators) operators.insert({one.subgraph, one.index});
    if (part.report.plan && !arena_bytes) {
      arena_bytes = part.report.plan->device_arena_bytes + part.report.plan->device_persistent_arena_bytes;
    }
  }
  const auto all = static_cast<std::int64_t>(operators.size());
  if (all > 0 && options.instrument != "none") {
    text += "; " + std::to_string(all - UnseenOperators(result)) + " of " + Counted(all, "operator") + " seen";
  }
  if (arena_bytes) {
    text += options.two_arenas ? "; arenas of " : "; arena of ";
    text += Counted(*arena_bytes, "byte");
  }
  return text + "\n";
}

// With a baseline those that are new, numbered as in the whole report; the baseline takes a line of its own.
std::string HeadlinesText(const CheckResult& result) {
  const auto violations = MergeViolations(result);
  const std::size_t most = result.baseline ? kMostHeadlines - 1 : kMostHeadlines;
  std::string text;
  std::size_t shown = 0, left_out = 0;
  for (std::size_t i = 0; i < violations.size(); ++i) {
    const std::string identifier = ViolationIdentifier(*violations[i].front().violation);
    if (result.baseline && result.baseline->known.contains(identifier)) continue;
    if (shown == most) {
      ++left_out;
      continue;
    }
    ++shown;
    text += "  VIOLATION " + std::to_string(i + 1) + ": " + ViolationHeadline(violations[i]) + "\n";
  }
  if (left_out > 0) {
    text += "  ... and " + Counted(static_cast<long long>(left_out), "more violation") + "; -v shows each with a map\n";
  }
  if (result.baseline) text += "  baseline: " + PrintableSentence(BaselineLine(result)) + "\n";
  return text;
}

// The first of the problems that made the status what it is, or the first of all.
std::string ProblemsLine(const CheckResult& result) {
  const std::vector<std::string> lines = ProblemLines(result);
  if (lines.empty()) return {};
  std::string first = lines.front();
  for (const CheckPart& part : result.parts) {
    if (part.status != result.status || part.problem.empty()) continue;
    const std::string end = ": " + PrintableSentence(part.problem);
    const auto worst = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.ends_with(end); });
    if (worst != lines.end()) first = *worst;
    break;
  }
  if (lines.size() > 1) first += "; -v shows " + Counted(static_cast<long long>(lines.size() - 1), "more line");
  return "  " + first + "\n";
}

// "blind pairs: 18 faithful, 0 dilated"; empty when there are none.
std::string PairsText(const CheckResult& result, std::optional<std::int64_t> WorkerReport::* count, const char* what) {
  std::vector<std::pair<std::string, std::int64_t>> pairs;
  bool any = false;
  for (const CheckPart& part : result.parts) {
    const std::optional<std::int64_t>& number = part.report.*count;
    if (!number || std::any_of(pairs.begin(), pairs.end(), [&](const auto& one) { return one.first == part.layout; })) {
      continue;
    }
    any = any || *number > 0;
    pairs.emplace_back(part.layout, *number);
  }
  if (!any) return {};
  std::vector<std::string> pieces;
  pieces.reserve(pairs.size());
  for (const auto& [layout, number] : pairs) pieces.push_back(std::to_string(number) + " " + layout);
  return what + Joined(pieces, ", ");
}

std::string NotSeenLine(const CheckOptions& options, const CheckResult& result) {
  std::vector<std::string> pieces;
  const auto add = [&](const std::string& piece) {
    if (!piece.empty()) pieces.push_back(piece);
  };
  add(PairsText(result, &WorkerReport::blind_pair_count, "blind pairs: "));
  add(PairsText(result, &WorkerReport::prepare_blind_pair_count, "in prepare: "));
  std::size_t inexact = 0;
  std::set<std::string> limits;
  for (const CheckPart& part : result.parts) {
    inexact = std::max(inexact, part.report.not_exact.size());
    if (!part.report.self_test) continue;
    for (const std::string& limit : part.report.self_test->limits) {
      limits.insert(std::string(part.instrument->name) + limit);
    }
  }
  for (const CodeScan& scan : result.code_scans) {
    if (const auto count = static_cast<long long>(scan.functions.size()); count > 0) {
      add(Counted(count, "function") + " in part by " + scan.instrument);
    }
    if (const auto count = static_cast<long long>(scan.calls.size()); count > 0) {
      add(Counted(count, "called function") + " by " + scan.instrument);
    }
    if (!scan.not_scanned.empty()) add("whether " + scan.instrument + " sees all code, because " + scan.not_scanned);
  }
  if (inexact > 0)
    add(Counted(static_cast<long long>(inexact), "operand") + " not checked to the byte by every instrument");
  if (!limits.empty()) {
    add(Counted(static_cast<long long>(limits.size()), "kind") + " of access that an instrument cannot see");
  }
  if (options.instrument != "none") {
    if (const std::int64_t operators = UnseenOperators(result); operators > 0) add(Counted(operators, "operator"));
  }
  if (options.reserve_front_bytes != 0 && options.layout == "dilated") {
    add("what the reserve contains, which only the faithful layout shows");
  }
  return pieces.empty() ? std::string() : "  not seen (-v lists it): " + Joined(pieces, "; ") + "\n";
}

// The first of several sentences, and how many more there are.
std::string FirstOf(const char* what, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return {};
  std::string text = what + sentences.front();
  if (sentences.size() > 1) text += "; -v shows " + Counted(static_cast<long long>(sentences.size() - 1), "more");
  return text + "\n";
}

std::string OfflinePlanLine(const CheckResult& result) {
  for (const CheckPart& part : result.parts) {
    const OfflinePlanReport& plan = part.report.offline_plan;
    if (plan.empty()) continue;
    std::vector<std::string> pieces;
    if (plan.trusted_overlap_count > 0) {
      pieces.push_back(Counted(static_cast<long long>(plan.trusted_overlap_count), "trusted overlap"));
    }
    if (!plan.warnings.empty()) {
      pieces.push_back(Counted(static_cast<long long>(plan.warnings.size()), "warning") +
                       ", first: " + PrintableSentence(plan.warnings.front()));
    }
    if (pieces.empty()) return "  " + PrintableSentence(plan.summary) + "\n";
    return "  the model's own memory plan: " + Joined(pieces, "; ") + "\n";
  }
  return {};
}

}  // namespace

std::string CheckSummaryText(const CheckOptions& options, const CheckResult& result) {
  return VerdictLine(options, result) + "\n" + PartsLine(options, result) + OfflinePlanLine(result) +
         HeadlinesText(result) + ProblemsLine(result) + NotSeenLine(options, result) +
         FirstOf("  not used: ", result.not_available) + ExtentsText(result);
}

}  // namespace arenaproof

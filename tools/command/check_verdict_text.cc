#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/command/check_report_text.h"
#include "tools/text/text.h"

namespace arenaproof {

std::string InstrumentsUsed(const CheckResult& result) {
  std::string text;
  for (const CheckPart& part : result.parts) {
    const std::string name(part.instrument->name);
    if (text.find(name) == std::string::npos) text += (text.empty() ? "" : " and ") + name;
  }
  return text;
}

std::int64_t UnseenOperators(const CheckResult& result) {
  std::set<std::pair<std::int64_t, std::int64_t>> all, seen;
  for (const CheckPart& part : result.parts) {
    for (const OperatorSeen& one : part.report.operators) {
      all.insert({one.subgraph, one.index});
      if (one.seen) seen.insert({one.subgraph, one.index});
    }
  }
  return static_cast<std::int64_t>(all.size() - seen.size());
}

namespace {

// The layout in which fewest things stayed unseen, and how many: what one layout shows, the others need not.
using Least = std::pair<std::int64_t, std::string>;

Least LeastOfLayouts(const std::map<std::string, std::int64_t>& count_of_layout) {
  Least least{0, ""};
  for (const auto& [layout, count] : count_of_layout) {
    if (least.second.empty() || count < least.first) least = {count, layout};
  }
  return least;
}

Least BlindPairsLeft(const CheckResult& result, std::optional<std::int64_t> WorkerReport::* count) {
  std::map<std::string, std::int64_t> pairs;
  for (const CheckPart& part : result.parts) {
    std::int64_t& most = pairs.emplace(part.layout, 0).first->second;
    most = std::max(most, (part.report.*count).value_or(0));
  }
  return LeastOfLayouts(pairs);
}

// Operands whose edges no instrument decided to the byte.
std::int64_t InexactLeft(const CheckResult& result) {
  std::map<std::string, std::int64_t> operands;
  for (const CheckPart& part : result.parts) {
    const auto count = static_cast<std::int64_t>(part.report.not_exact.size());
    std::int64_t& least = operands.emplace(part.layout, count).first->second;
    least = std::min(least, count);
  }
  return LeastOfLayouts(operands).first;
}

// Kinds of accesses that no instrument sees, as "reads"; empty when one of them sees every kind.
std::string UnseenKinds(const CheckResult& result) {
  std::string kinds;
  for (const CheckPart& part : result.parts) {
    if (part.instrument->blind_to.empty()) return {};
    const std::string kind =
        std::string(part.instrument->blind_to) + ", which " + std::string(part.instrument->name) + " does not see";
    if (kinds.find(kind) == std::string::npos) kinds += (kinds.empty() ? "" : "; ") + kind;
  }
  return kinds;
}

std::string WhatStayedUnseen(const CheckResult& result) {
  std::vector<std::string> unseen;
  if (std::string kinds = UnseenKinds(result); !kinds.empty()) unseen.push_back(std::move(kinds));
  if (const auto [pairs, layout] = BlindPairsLeft(result, &WorkerReport::blind_pair_count); pairs > 0) {
    unseen.push_back(Counted(pairs, "blind pair") + " in the " + layout + " layout" +
                     (layout == "faithful" ? ", which --layout=dilated takes apart" : ""));
  }
  if (const std::int64_t operands = InexactLeft(result); operands > 0) {
    unseen.push_back(Counted(operands, "operand") + " around which " + InstrumentsUsed(result) +
                     " cannot decide to the byte");
  }
  if (const std::int64_t operators = UnseenOperators(result); operators > 0) {
    unseen.push_back(Counted(operators, "operator") + " not seen");
  }
  return Joined(unseen, "; ");
}

bool SawNothingOfAFile(const CheckPart& part) {
  return part.could_not_see || std::any_of(part.report.operators.begin(), part.report.operators.end(),
                                           [](const OperatorSeen& one) { return one.without_hooks; });
}

// What keeps a conclusion from being one of all instruments on all accesses; empty: nothing does.
std::string Reservations(const CheckResult& result) {
  std::string text;
  for (const CheckPart& part : result.parts) {
    if (part.report.capped) text += "; " + PartName(part) + " was " + CappedText(part);
  }
  std::set<std::string_view> blind;
  for (const CheckPart& part : result.parts) {
    if (SawNothingOfAFile(part) && blind.insert(part.instrument->name).second) {
      text += "; " + std::string(part.instrument->name) + " saw nothing of the kernels from outside";
    }
  }
  for (const std::string& name : result.absent_instruments) {
    text += "; " + name + " is not available";
  }
  return text;
}

std::string CleanText(const CheckResult& result) {
  const std::string unseen = WhatStayedUnseen(result);
  std::string text = "clean";
  if (!result.absent_instruments.empty()) text += " by " + InstrumentsUsed(result) + " alone";
  if (result.baseline && !result.baseline->known.empty()) {
    text = "nothing new: " + Counted(static_cast<long long>(result.baseline->known.size()), "known finding") +
           ", accepted by the baseline" + (unseen.empty() ? "" : "; as far as seen: " + unseen);
  } else if (!unseen.empty()) {
    text += " as far as seen: " + unseen;
  } else if (result.absent_instruments.empty()) {
    text += ": no access outside the running operator's operands";
  }
  const auto [in_prepare, layout] = BlindPairsLeft(result, &WorkerReport::prepare_blind_pair_count);
  if (in_prepare > 0) text += "; in prepare as far as seen: " + Counted(in_prepare, "blind pair");
  return text + Reservations(result);
}

// ": 1 new, 2 known and accepted"; nothing without a baseline.
std::string NewOnes(const CheckResult& result) {
  if (!result.baseline) return {};
  return ": " + std::to_string(result.baseline->fresh.size()) + " new, " +
         std::to_string(result.baseline->known.size()) + " known and accepted by the baseline";
}

// Nothing but missing hooks keeps the check from a conclusion.
bool OnlyNotSeen(const CheckResult& result) {
  return std::none_of(result.parts.begin(), result.parts.end(), [](const CheckPart& part) {
    return part.status >= ExitStatus::kCouldNotRun && !part.could_not_see;
  });
}

}  // namespace

std::string VerdictText(const CheckOptions& options, const CheckResult& result) {
  if (options.instrument == "none" && result.status <= ExitStatus::kViolations) {
    return "no instrument: accesses were not checked";
  }
  switch (result.status) {
    case ExitStatus::kClean:
      return CleanText(result);
    case ExitStatus::kViolations:
      return "violations found" + NewOnes(result) + Reservations(result);
    case ExitStatus::kCouldNotRun:
      if (const std::int64_t count = OperatorsNotSeen(result); count > 0 && OnlyNotSeen(result)) {
        return "not seen: no instrument saw " + Counted(count, "operator") + " with kernels from outside";
      }
      return "could not run";
    case ExitStatus::kInternalError:
      return "internal error";
  }
  return {};
}

Colour ColourOf(ExitStatus status, bool unwatched) {
  if (status == ExitStatus::kViolations) return Colour::kRed;
  return status == ExitStatus::kClean && !unwatched ? Colour::kGreen : Colour::kYellow;
}

std::string VerdictLine(const CheckOptions& options, const CheckResult& result) {
  const std::string text = VerdictText(options, result);
  return options.colours ? InColour(text, ColourOf(result.status, options.instrument == "none")) : text;
}

}  // namespace arenaproof

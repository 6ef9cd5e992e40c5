#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include "tools/command/baseline.h"
#include "tools/command/check_report_text.h"
#include "tools/command/check_unseen.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

bool SawNothingOfAFile(const CheckPart& part) {
  return part.could_not_see || std::any_of(part.report.operators.begin(), part.report.operators.end(),
                                           [](const OperatorSeen& one) { return one.without_hooks; });
}

// Guard and twofill run the kernels over other bytes.
bool InfluenceLookedFor(const CheckResult& result) {
  return std::any_of(result.parts.begin(), result.parts.end(), [](const CheckPart& part) {
    return (part.instrument->name == "guard" || part.instrument->name == "twofill") && part.report.finished;
  });
}

// What keeps a conclusion from being one of all instruments on all accesses; empty: nothing does.
std::string Reservations(const CheckOptions& options, const CheckResult& result) {
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
  std::size_t allowances = 0;
  for (const CheckPart& part : result.parts) allowances = std::max(allowances, part.report.read_allowances.size());
  if (allowances > 0) {
    text += "; kernels may read beside " + Counted(static_cast<long long>(allowances), "operand") +
            ", as they declare" + (options.layout == "dilated" ? ", where nobody looked for room" : "") +
            (InfluenceLookedFor(result) ? "" : ", and nobody looked whether a result depends on what lies there");
  }
  return text;
}

// What a baseline accepted; empty where nothing was found.
std::string NothingNew(const CheckResult& result) {
  if (!result.baseline || result.baseline->known.empty()) return {};
  return "nothing new: " + Counted(static_cast<long long>(result.baseline->known.size()), "known finding") +
         ", accepted by the baseline";
}

std::string CleanText(const CheckOptions& options, const CheckResult& result) {
  const std::string unseen = WhatStayedUnseen(result);
  std::string text = "clean";
  if (!result.absent_instruments.empty()) text += " by " + InstrumentsThatSaw(result) + " alone";
  if (const std::string known = NothingNew(result); !known.empty()) {
    text = known + (unseen.empty() ? "" : "; as far as seen: " + unseen);
  } else if (!unseen.empty()) {
    text += " as far as seen: " + unseen;
  } else if (result.absent_instruments.empty()) {
    text += ": no access outside the running operator's operands";
  }
  if (const std::int64_t in_prepare = BlindPairsLeftInPrepare(result); in_prepare > 0) {
    text += "; in prepare as far as seen: " + Counted(in_prepare, "blind pair");
  }
  return text + Reservations(options, result);
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
  if (options.instrument == "none" && result.status == ExitStatus::kClean) {
    const std::string known = NothingNew(result);
    return (known.empty() ? "" : known + "; ") + std::string("no instrument: accesses were not checked");
  }
  switch (result.status) {
    case ExitStatus::kClean:
      return CleanText(options, result);
    case ExitStatus::kViolations:
      return "violations found" + NewOnes(result) +
             (options.instrument == "none" ? "; no instrument: accesses were not checked" : "") +
             Reservations(options, result);
    case ExitStatus::kCouldNotRun:
      if (const std::string ended = EndedByKnown(result); !ended.empty()) return "could not run: " + ended;
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

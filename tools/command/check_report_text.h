// The sections of the text report of `arenaproof check` that have a file of their own, and what they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/command/check.h"
#include "tools/command/merged_violations.h"
#include "tools/text/colour.h"

namespace arenaproof {

// Longer lists end with "... and N more".
inline constexpr std::size_t kMostLinesOfDetail = 8;

// "faithful, shadow".
std::string PartName(const CheckPart& part);
// "clean", "2 violations", "could not run", ...
std::string PartResult(const CheckPart& part);
// "ADD (operator 3 of subgraph 1)".
std::string OperatorTitle(std::int64_t subgraph, std::int64_t index, const std::string& name);

// "ADD (operator 3), kernel mine, reads up to 4 bytes before input tensor 0 "x" (16 bytes)".
std::string ViolationHeadline(const std::vector<SeenViolation>& seen);

// Each problem of a part and each difference between outputs once, in one line each but for what a child printed.
std::vector<std::string> ProblemLines(const CheckResult& result);

// A difference between outputs, and what it means.
std::string OutputsDifferText(const std::string& difference);

// Each violation once, with what every instrument and layout reports about it.
std::string ViolationsText(const CheckOptions& options, const CheckResult& result);

// One line, without its line break: what was found, and what nobody saw.
std::string VerdictText(const CheckOptions& options, const CheckResult& result);
// The same in a colour where the options ask for colours.
std::string VerdictLine(const CheckOptions& options, const CheckResult& result);

// Green only where accesses were checked.
Colour ColourOf(ExitStatus status, bool unwatched);

// What kept the check from an answer, or refused the plan: a sentence; empty when it found violations or none.
std::string ProblemOf(const CheckResult& result);

// Which bytes of each operand were touched; empty unless that was asked for.
std::string ExtentsText(const CheckResult& result);

// What the instruments could not check, once for each layout, instrument or operand.
std::string BlindText(const CheckResult& result);

}  // namespace arenaproof

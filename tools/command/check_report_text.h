// The sections of the text report of `arenaproof check` that have a file of their own, and what they share.
#pragma once

#include <cstdint>
#include <string>

#include "tools/command/check.h"

namespace arenaproof {

// Longer lists end with "... and N more".
inline constexpr std::size_t kMostLinesOfDetail = 8;

// "faithful, shadow".
std::string PartName(const CheckPart& part);
// "ADD (operator 3 of subgraph 1)".
std::string OperatorTitle(std::int64_t subgraph, std::int64_t index, const std::string& name);

// Each violation once, with what every instrument and layout reports about it.
std::string ViolationsText(const CheckOptions& options, const CheckResult& result);

// The last line, without its line break: what was found, and what nobody saw.
std::string VerdictText(const CheckOptions& options, const CheckResult& result);

// What the instruments could not check, once for each layout, instrument or operand.
std::string BlindText(const CheckResult& result);

}  // namespace arenaproof

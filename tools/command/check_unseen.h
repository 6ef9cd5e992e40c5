// What no part of a check saw: operators, kinds of accesses, blind pairs, edges of operands.
#pragma once

#include <cstdint>
#include <string>

#include "tools/command/check.h"

namespace arenaproof {

// "shadow and asan", "guard, canary and twofill": the instruments of all parts; of those that saw an operator.
std::string InstrumentsUsed(const CheckResult& result);
std::string InstrumentsThatSaw(const CheckResult& result);

// Operators that no part saw, such as those of a branch that was not taken.
std::int64_t UnseenOperators(const CheckResult& result);

std::int64_t BlindPairsLeftInPrepare(const CheckResult& result);

// All of it that concerns invoke, as the end of "as far as seen: "; empty when all was seen.
std::string WhatStayedUnseen(const CheckResult& result);

}  // namespace arenaproof

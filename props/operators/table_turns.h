// Cases of the table of operators, by turns: valid ones, ones that break a rule of their row, ones of other types.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/generators/operators/operator_generator.h"

namespace arenaproof::props {

// From now on every case is of that row; false without a row of that name from which cases are drawn.
bool DrawOnly(std::string_view name);
// Its name; null: cases are of all rows, and of what is beside the table.
const char* OnlyRowName();

// False when a kernel is wrong.
bool RunOfTable(CaseRandom& random, std::uint64_t turn);

}  // namespace arenaproof::props

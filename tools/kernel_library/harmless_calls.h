// Functions of the standard libraries, and of what compilers add, that touch no memory of an operator's operands
// whatever a kernel passes to them: no hook is missed in them.
#pragma once

#include <string_view>

namespace arenaproof {

// `name`: as the linker has it. The instrument's own functions are harmless, those that it has checked included.
bool IsHarmlessCall(std::string_view name);
// The same of data: none that a kernel can take a function out of which would touch an operand.
bool IsHarmlessData(std::string_view name);

}  // namespace arenaproof

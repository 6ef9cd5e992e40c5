// Functions of a library that an instrument sees in part only, although the library has its hooks: by the text of a
// disassembler, because what the compiler did not hook shows in the code alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arenaproof {

struct UnhookedCode {
  std::string function;
  std::string why;  // "is compiled without hooks", or the instruction
};

// `disassembly`: of x86-64, as `objdump -d --no-show-raw-insn` of GNU and of LLVM print it. A function is named when it
// reads or writes memory by an address in a register, other than the stack's, and calls no hook; and when it has an
// instruction that the compiler may make of what it does not hook: gathers and scatters, masked, compressing,
// expanding, narrowing and tiles' loads and stores, lddqu, direct stores, string instructions, xlat. Moves of inline
// assembly in a function that calls hooks elsewhere are not told from those that the compiler made.
std::vector<UnhookedCode> UnhookedFunctions(std::string_view disassembly);

}  // namespace arenaproof

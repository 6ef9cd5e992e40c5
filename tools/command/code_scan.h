// Scans the code of a library of kernels for what the compiler does not hook, by a disassembler of this machine.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tools/kernel_library/unhooked_code.h"

namespace arenaproof {

struct CodeScan {
  std::string file;
  std::string instrument;               // whose hooks it has
  std::string not_scanned;              // why, the end of a sentence; empty: it was
  std::vector<UnhookedCode> functions;  // seen in part only
};

// Of a file that has the instrument's hooks: a file has those of one. The disassembler is llvm-objdump-19, llvm-objdump
// or objdump of PATH, and runs as a child with limits.
CodeScan ScanCode(const std::string& file, std::string_view instrument, std::chrono::milliseconds time);

// "'x.so' is seen in part by shadow: function 'f' is compiled without hooks", one for each function, and why a file was
// not scanned.
std::vector<std::string> CodeScanLines(const CodeScan& scan);

}  // namespace arenaproof

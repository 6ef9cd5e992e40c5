// Scans a library of kernels for what its hooks do not show: code that the compiler does not hook, by a disassembler of
// this machine, and calls of functions of other libraries, by the file's symbols.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tools/command/instruments.h"
#include "tools/kernel_library/unhooked_code.h"

namespace arenaproof {

struct CodeScan {
  std::string file;
  std::string instrument;               // whose hooks it has
  std::string not_scanned;              // why, the end of a sentence; empty: it was
  std::vector<UnhookedCode> functions;  // seen in part only
  std::vector<std::string> calls;       // of other libraries' functions that the instrument does not watch
};

// Of a file that has the instrument's hooks: a file has those of one. The disassembler is llvm-objdump-19, llvm-objdump
// or objdump of PATH, and runs as a child with limits.
CodeScan ScanCode(const std::string& file, const Instrument& instrument, std::chrono::milliseconds time);

// "'x.so' is partly unseen by shadow: function 'f' is compiled without hooks", one for each function; "'x.so' is
// partly unseen by shadow: it calls 'strcpy', which is not watched"; and why a file was not scanned.
std::vector<std::string> CodeScanLines(const CodeScan& scan);

}  // namespace arenaproof

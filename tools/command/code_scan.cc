#include "tools/command/code_scan.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tools/command/child_process.h"
#include "tools/kernel_library/elf_file.h"
#include "tools/kernel_library/library_symbols.h"

namespace arenaproof {
namespace {

constexpr const char* kDisassemblers[] = {"llvm-objdump-19", "llvm-objdump", "objdump"};

// Empty: there is none.
std::string FindDisassembler() {
  const char* const path = std::getenv("PATH");
  for (const char* const name : kDisassemblers) {
    std::string_view folders = path == nullptr ? "" : path;
    while (!folders.empty()) {
      const std::string_view folder = folders.substr(0, folders.find(':'));
      folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
      const std::string program = std::string(folder) + "/" + name;
      if (folder.starts_with('/') && access(program.c_str(), X_OK) == 0) return program;
    }
  }
  return {};
}

std::string WhyNot(const ChildResult& child) {
  if (child.end == ChildEnd::kKilledForTime) return "its disassembly took too long";
  if (child.end == ChildEnd::kKilledForOutput) return "its disassembly is too long";
  if (child.end != ChildEnd::kExited || child.exit_status != 0) return "the disassembler failed";
  return {};
}

}  // namespace

CodeScan ScanCode(const std::string& file, const Instrument& instrument, std::chrono::milliseconds time) {
  CodeScan scan;
  scan.file = file;
  scan.instrument = instrument.name;
  const MappedFile library(file);
  scan.calls = UnwatchedCalls(library.bytes(), MappedFile(WorkerPath(instrument).string()).bytes());
#ifdef __x86_64__
  const std::string disassembler = FindDisassembler();
  if (disassembler.empty()) {
    scan.not_scanned = "there is no llvm-objdump-19, llvm-objdump or objdump on the PATH";
  } else if (!NamesItsFunctions(library.bytes())) {
    scan.not_scanned = "it is stripped of the names of its functions";
  } else {
    const std::string path = std::filesystem::absolute(file).string();
    // Its words come through the descriptor of results: those are read to their end.
    const std::string line = "exec \"$0\" -d --no-show-raw-insn \"$1\" >&" + std::to_string(kResultDescriptor);
    const ChildResult child = RunChild({"/bin/sh", "-c", line, disassembler, path}, {.time = time});
    scan.not_scanned = WhyNot(child);
    if (scan.not_scanned.empty()) scan.functions = UnhookedFunctions(child.result);
  }
#else
  static_cast<void>(time);
  scan.not_scanned = "only code of x86-64 is";
#endif
  return scan;
}

std::vector<std::string> CodeScanLines(const CodeScan& scan) {
  std::vector<std::string> lines;
  if (!scan.not_scanned.empty()) {
    lines.push_back("'" + scan.file + "' was not scanned for code that " + scan.instrument + " cannot see, because " +
                    scan.not_scanned);
  }
  for (const UnhookedCode& one : scan.functions) {
    lines.push_back("'" + scan.file + "' is partly unseen by " + scan.instrument + ": function '" + one.function +
                    "' " + one.why);
  }
  for (const std::string& call : scan.calls) {
    lines.push_back("'" + scan.file + "' is partly unseen by " + scan.instrument + ": it calls '" + call +
                    "', which is not watched");
  }
  return lines;
}

}  // namespace arenaproof

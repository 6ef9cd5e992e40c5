#include "tools/command/library_end.h"

#include <string_view>

#include "tools/command/child_end.h"
#include "tools/command/running_text.h"

namespace arenaproof {
namespace {

// Why AddressSanitizer ended the process: "SEGV on unknown address 0x7f0000000000"; empty when it did not.
std::string EndedByAsan(const ChildResult& child) {
  constexpr std::string_view kMark = "ERROR: AddressSanitizer: ";
  const std::size_t at = child.diagnostics.rfind(kMark);
  if (child.end != ChildEnd::kExited || child.exit_status == 0 || at == std::string::npos) return {};
  const std::size_t begin = at + kMark.size();
  const std::string line = child.diagnostics.substr(begin, child.diagnostics.find('\n', begin) - begin);
  return line.substr(0, line.find(" (pc "));
}

// "died of signal 11 (Segmentation fault)"; empty when nobody but the process itself ended it this way.
std::string OwnEnd(const ChildResult& child) {
  if (child.end == ChildEnd::kSignal && EndedFromOutside(child).empty()) return "died of " + SignalText(child.signal);
  if (const std::string why = EndedByAsan(child); !why.empty()) return "was ended by AddressSanitizer (" + why + ")";
  if (child.end == ChildEnd::kExited) return "ended with status " + std::to_string(child.exit_status);
  return {};
}

std::string Files(const KernelChoice& choice) { return "the kernels of '" + choice.kernels + "'"; }

}  // namespace

std::optional<LibraryEnd> EndInLibrary(const KernelChoice& choice, const ChildResult& child) {
  const std::string end = OwnEnd(child);
  const std::string call = LibraryCallText(child.running);
  if (!NamesKernelFiles(choice.kernels) || call.empty() || end.empty()) return {};
  const std::string sentence = "the process of " + Files(choice) + " " + end + " in " + call;
  if (child.running.library_call == LibraryCall::kInvoke) {
    return LibraryEnd{ExitStatus::kViolations, ToolRefusal::kKernelsDied,
                      sentence + (child.running.nested.empty() ? "" : WhileRunning(child.running)) +
                          (child.end == ChildEnd::kSignal || !EndedByAsan(child).empty()
                               ? ": an access outside all memory, or a fault of its own"
                               : ": a kernel has to return")};
  }
  return LibraryEnd{ExitStatus::kCouldNotRun, ToolRefusal::kKernelFileDied, sentence};
}

std::optional<LibraryEnd> EndAfterLibrary(const KernelChoice& choice, const std::string& problem) {
  if (!NamesKernelFiles(choice.kernels)) return {};
  return LibraryEnd{ExitStatus::kCouldNotRun, ToolRefusal::kKernelFileDied,
                    "nothing can be concluded: " + problem + "; " + Files(choice) +
                        ", which ran in that process, may have overwritten anything"};
}

}  // namespace arenaproof

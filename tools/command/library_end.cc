#include "tools/command/library_end.h"

#include "tools/command/child_end.h"
#include "tools/command/running_text.h"

namespace arenaproof {
namespace {

// "died of signal 11 (Segmentation fault)"; empty when nobody but the process itself ended it this way.
std::string OwnEnd(const ChildResult& child) {
  if (child.end == ChildEnd::kSignal && EndedFromOutside(child).empty()) return "died of " + SignalText(child.signal);
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
                          (child.end == ChildEnd::kSignal ? ": an access outside all memory, or a fault of its own"
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

// Ends of processes that ran kernels from outside (--kernels=FILE): whatever becomes of such a process is no internal
// error of ours.
#pragma once

#include <optional>
#include <string>

#include "tools/command/child_process.h"
#include "tools/kernel_library/kernel_choice.h"
#include "tools/text/exit_status.h"
#include "tools/text/refusal_code.h"

namespace arenaproof {

struct LibraryEnd {
  ExitStatus status;
  ToolRefusal code;
  std::string sentence;
};

// When the process ended in the middle of one of the library's functions, by a fault, an abort or an exit: a violation
// in invoke, else it could not run. Nothing when it ended otherwise, or was ended from outside.
std::optional<LibraryEnd> EndInLibrary(const KernelChoice& choice, const ChildResult& child);

// The same of an end that would be called an internal error, for the reason `problem`: the kernels may have overwritten
// anything, so nothing can be concluded. Nothing with the kernels of this program.
std::optional<LibraryEnd> EndAfterLibrary(const KernelChoice& choice, const std::string& problem);

}  // namespace arenaproof

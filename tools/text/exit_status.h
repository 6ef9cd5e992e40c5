// The exit status of every command.
#pragma once

namespace arenaproof {

enum class ExitStatus : int {
  kClean = 0,
  kViolations = 1,     // found, and reported as such
  kCouldNotRun = 2,    // bad input, unsupported model, an instrument that cannot see
  kInternalError = 3,  // a crash or a sanitizer's report that is not the checked subject's
};

// The exit status of a whole whose parts end in these: an internal error outweighs everything, then a part that could
// not run (it leaves the whole undecided), then violations.
constexpr ExitStatus Worse(ExitStatus a, ExitStatus b) { return a > b ? a : b; }

// The sentence for a report that could not be written, which is kCouldNotRun.
inline constexpr const char* kReportNotTaken = "standard output did not take the whole report";

}  // namespace arenaproof

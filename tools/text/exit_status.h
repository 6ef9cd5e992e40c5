// The exit status of every command.
#pragma once

namespace arenaproof {

enum class ExitStatus : int {
  kClean = 0,
  kViolations = 1,     // found, and reported as such
  kCouldNotRun = 2,    // bad input, unsupported model, an instrument that cannot see
  kInternalError = 3,  // a crash or a sanitizer's report that is not the checked subject's
};

// Of several parts: an internal error outweighs everything, then a part that could not run (the whole is not judged),
// then violations.
constexpr ExitStatus Worse(ExitStatus a, ExitStatus b) { return a > b ? a : b; }

// Said when a report could not be written, which is kCouldNotRun.
inline constexpr const char* kReportNotTaken = "standard output did not take the whole report";

}  // namespace arenaproof

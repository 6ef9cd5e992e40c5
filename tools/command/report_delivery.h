// How the child of a command hands on what it has to say: a sentence to standard error, the report to its parent.
#pragma once

#include <string>

#include "tools/command/refused.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

// Prints the sentence; kCouldNotRun.
ExitStatus Complain(const std::string& sentence);

// The whole report reaches the parent, or it is an error. Returns `status` when it did.
ExitStatus Deliver(const std::string& report, ExitStatus status);

// A command that could do nothing: the sentence, and with `json` the report that has only that. Returns `status`.
ExitStatus ReportRefusal(const char* command, const std::string& model, bool json, const std::string& problem,
                         const RefusalFacts& refused, ExitStatus status = ExitStatus::kCouldNotRun);

}  // namespace arenaproof

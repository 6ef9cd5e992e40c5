// `arenaproof operators`: what each operator takes, from the table of operators (core/operators/).
#pragma once

#include <string>

#include "tools/text/exit_status.h"

namespace arenaproof {

struct OperatorsOptions {
  bool json = false;
  bool markdown = false;  // docs/operators.md
};

std::string OperatorsReportText();
std::string OperatorsReportMarkdown();
std::string OperatorsReportJson();

// Prints one of them.
ExitStatus OperatorsCommand(const OperatorsOptions& options);

}  // namespace arenaproof

// `--report=FILE`: the report of a call in a format that the file's name asks for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/command/model_check.h"

namespace arenaproof {

// Why these cannot be written, before anything is checked: no known suffix, a folder that is not there or takes no
// files. A sentence; empty when nothing is known against them.
std::string WrongReportFiles(const std::vector<std::string>& paths);

// Each file is there whole or as it was. Empty, or a sentence about the first that cannot be written.
std::string WriteReportFiles(const std::vector<std::string>& paths, std::span<const ModelCheck> checks);

// The reports, as text. The one in JSON is that of `check --json` (docs/report.schema.json).
std::string ChecksJson(std::span<const ModelCheck> checks);
// SARIF 2.1.0: a result for each finding.
std::string ChecksSarif(std::span<const ModelCheck> checks);
// JUnit's XML: a suite for each model, with a case for each instrument and layout.
std::string ChecksJunit(std::span<const ModelCheck> checks);
// A page that needs no other file: verdicts, parts, each violation with the arena at its moment, the plan.
std::string ChecksHtml(std::span<const ModelCheck> checks);

}  // namespace arenaproof

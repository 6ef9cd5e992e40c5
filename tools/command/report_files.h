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

// Each file is there whole or as it was. `not_written` says what could not be written before, and in the end which of
// these could not be; the others say all of it, as far as they can be written once more.
void WriteReportFiles(const std::vector<std::string>& paths, std::span<const ModelCheck> checks,
                      std::string* not_written);

// The second of two sentences behind the first; either may be empty.
void AddSentence(const std::string& sentence, std::string* sentences);

// The reports, as text; `not_written` as of StatusOf(). The one in JSON is that of `check --json`
// (docs/report.schema.json).
std::string ChecksJson(std::span<const ModelCheck> checks, const std::string& not_written = {});
// SARIF 2.1.0: a result for each finding.
std::string ChecksSarif(std::span<const ModelCheck> checks, const std::string& not_written = {});
// JUnit's XML: a suite for each model, with a case for each instrument and layout.
std::string ChecksJunit(std::span<const ModelCheck> checks, const std::string& not_written = {});
// A page that needs no other file: verdicts, parts, each violation with the arena at its moment, the plan.
std::string ChecksHtml(std::span<const ModelCheck> checks, const std::string& not_written = {});

}  // namespace arenaproof

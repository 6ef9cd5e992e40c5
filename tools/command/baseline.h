// Findings that are known and accepted: a file of their identifiers (findings.h), and what a check says beside it.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "tools/command/baseline_comparison.h"
#include "tools/command/findings.h"
#include "tools/command/model_check.h"

namespace arenaproof {

OrderedJson EntryJson(const BaselineEntry& entry);

// Every finding of each model once, as the text of a file, and what a baseline has that was not looked for.
std::string BaselineText(std::span<const ModelCheck> checks);

// The entries of such a text. Empty, or what is wrong with it; some entries may have been taken then.
std::string ParseBaseline(const std::string& text, std::vector<BaselineEntry>* entries);

// Empty, or a sentence: the file cannot be read, is no baseline, or one of a later format.
std::string ReadBaseline(const std::string& path, std::vector<BaselineEntry>* entries);

// Sets `baseline` of each result. A check whose findings are all known becomes clean, or one that could not run, when
// one of them ended a part (a crash, a refused plan), because nobody looked behind it, or when operators stayed unseen.
// What could not run stays so. What is known and was not found has vanished, where a part of the same instrument and
// layout as one that found it ran to its end on its model, with a log that was not full; else it was not looked for. It
// is with the check of that model, by path or by the file's name, or with the first.
void CompareWithBaseline(const std::string& path, const std::vector<BaselineEntry>& entries,
                         std::span<ModelCheck> checks);

// Why a check in which only known ones were found could not run; empty where that is not so.
std::string EndedByKnown(const CheckResult& result);

// Findings that no baseline knows; without a baseline all.
std::vector<Finding> NewFindingsOf(const CheckResult& result);
bool IsKnown(const CheckResult& result, const Finding& finding);

// "2 known and accepted, 1 new, 1 vanished, such as ID (SENTENCE)"; empty without a baseline.
std::string BaselineLine(const CheckResult& result);

}  // namespace arenaproof

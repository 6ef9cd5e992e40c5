// What a check found beside the findings of a baseline.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace arenaproof {

struct BaselineEntry {
  std::string id, rule, sentence, model;
  std::vector<std::string> parts = {};  // that found it, "faithful, shadow" each
};

struct BaselineComparison {
  std::string file;
  std::set<std::string> known;                // identifiers of findings that the baseline has too
  std::vector<std::string> fresh;             // of those that it has not, in the order of the findings
  std::vector<BaselineEntry> vanished;        // of the baseline, not found where it was found before
  std::vector<BaselineEntry> not_looked_for;  // nor those, because nothing that found them ran on their model
  bool ended_by_known = false;                // only known ones were found, and one of them ended a part
};

}  // namespace arenaproof

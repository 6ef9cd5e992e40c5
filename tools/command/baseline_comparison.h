// What a check found beside the findings of a baseline.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace arenaproof {

struct BaselineEntry {
  std::string id, rule, sentence, model;
};

struct BaselineComparison {
  std::string file;
  std::set<std::string> known;          // identifiers of findings that the baseline has too
  std::vector<std::string> fresh;       // of those that it has not, in the order of the findings
  std::vector<BaselineEntry> vanished;  // of the baseline, not found
  bool ended_by_known = false;          // only known ones were found, and one of them ended a part: it could not run
  bool vanished_looked_for = false;     // false: something did not run, so that what was not found may still be there
};

}  // namespace arenaproof

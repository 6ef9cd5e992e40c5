#include "props/proof/ledger.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace arenaproof::proof {
namespace {

const char* Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProven:
      return "proven";
    case Verdict::kUnknown:
      return "UNKNOWN";
    case Verdict::kViolated:
      return "VIOLATED";
  }
  return "?";
}

}  // namespace

void Ledger::Record(const std::string& subject, const std::string& obligation, const std::string& width,
                    Verdict verdict, double seconds) {
  const auto [position, added] = index_.try_emplace(std::pair{subject, obligation}, rows_.size());
  if (added) rows_.push_back(Row{subject, obligation, {}});
  Cell& cell = rows_[position->second].cells[width];
  cell.verdict = std::max(cell.verdict, verdict);
  cell.answers += 1;
  cell.seconds += seconds;
}

std::size_t Ledger::Count(Verdict verdict) const {
  std::size_t count = 0;
  for (const Row& row : rows_) {
    for (const auto& [width, cell] : row.cells) count += cell.verdict == verdict ? 1 : 0;
  }
  return count;
}

std::size_t Ledger::obligation_count() const {
  std::size_t count = 0;
  for (const Row& row : rows_) count += row.cells.size();
  return count;
}

bool Ledger::Failed(const std::string& subject, const std::string& width) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    const auto cell = row.cells.find(width);
    return row.subject == subject && cell != row.cells.end() && cell->second.verdict != Verdict::kProven;
  });
}

void Ledger::Print(bool only_failures) const {
  std::vector<std::string> subjects;  // in the order in which they were proven
  for (const Row& row : rows_) {
    if (std::find(subjects.begin(), subjects.end(), row.subject) == subjects.end()) subjects.push_back(row.subject);
  }
  for (const std::string& subject : subjects) {
    bool titled = false;
    for (const Row& row : rows_) {
      const bool failed = std::any_of(row.cells.begin(), row.cells.end(),
                                      [](const auto& each) { return each.second.verdict != Verdict::kProven; });
      if (row.subject != subject || (only_failures && !failed)) continue;
      if (!titled) std::printf("\n%s\n", subject.c_str());
      titled = true;
      std::printf("  %-84s", row.obligation.c_str());
      for (const auto& [width, cell] : row.cells) {
        std::printf("  %s %s %.0f ms", width.c_str(), Name(cell.verdict), cell.seconds * 1e3);
      }
      std::printf("\n");
    }
  }
  for (const std::string& note : notes_) std::printf("\n%s", note.c_str());
}

}  // namespace arenaproof::proof

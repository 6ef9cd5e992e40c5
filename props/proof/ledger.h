// What was proven: one cell for each obligation (subject, name) and word width, filled by one or more solver answers.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace arenaproof::proof {

enum class Verdict { kProven, kUnknown, kViolated };  // ordered by badness

struct Cell {
  Verdict verdict = Verdict::kProven;
  std::size_t answers = 0;  // how many paths asked
  double seconds = 0;
};

class Ledger {
 public:
  void Record(const std::string& subject, const std::string& obligation, const std::string& width, Verdict verdict,
              double seconds);
  void Note(const std::string& text) { notes_.push_back(text); }  // counterexamples

  std::size_t Count(Verdict verdict) const;
  std::size_t obligation_count() const;
  bool Failed(const std::string& subject, const std::string& width) const;

  // One row for each obligation with its cells; `only_failures` leaves the proven ones out. Then the notes.
  void Print(bool only_failures) const;

 private:
  struct Row {
    std::string subject;
    std::string obligation;
    std::map<std::string, Cell> cells;  // by width
  };
  std::vector<Row> rows_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::vector<std::string> notes_;
};

}  // namespace arenaproof::proof

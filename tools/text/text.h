// Small helpers for what people read: tables, counts, names from files that cannot be trusted.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

// Columns as wide as they need to be.
class TextTable {
 public:
  // A header that starts with '>' is of a column of numbers, aligned to the right.
  explicit TextTable(std::vector<std::string> headers);

  void AddRow(std::vector<std::string> cells);  // one cell for each header
  std::string Text(std::size_t indent) const;   // the header line and one line for each row

 private:
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

// "1 violation", "2 violations".
std::string Counted(long long count, const std::string& singular);

// The text with bytes outside printable ASCII replaced by \xNN, at most 200 bytes of it: a tensor's name must
// not be able to drive a terminal.
std::string Printable(const std::string& text);

// The whole text so, for sentences in which every part from a file is bounded already.
std::string PrintableSentence(const std::string& text);

// The word as a shell reads it back.
std::string ShellWord(const std::string& word);

}  // namespace arenaproof

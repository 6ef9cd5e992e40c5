// Small helpers for what people read: tables and counts, of names as names.h prints them.
#pragma once

#include <string>
#include <vector>

#include "tools/text/names.h"

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

// "a, b" of pieces and what stands between them.
std::string Joined(const std::vector<std::string>& pieces, const char* between);

// Without the line breaks; a last line that is empty is none.
std::vector<std::string> LinesOf(const std::string& text);

}  // namespace arenaproof

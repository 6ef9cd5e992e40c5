// The little of C that a plan is written in: words, numbers, single characters; comments, lines that begin with '#' and
// white space lie between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace arenaproof {

inline constexpr std::string_view kUnclosedComment = "/*";  // the token of a comment that does not end

struct CToken {
  std::string_view text = {};  // empty at the end
  std::size_t line = 0;        // from 1

  bool end() const { return text.empty(); }
  bool digits() const { return !end() && text[0] >= '0' && text[0] <= '9'; }
  bool word() const;
};

class CTokens {
 public:
  // A byte-order mark is skipped.
  explicit CTokens(std::string_view text);

  CToken Next();

 private:
  void SkipTo(std::size_t place);
  void SkipSpace();

  std::string_view rest_;
  std::size_t line_ = 1;
  bool line_begins_ = true;  // nothing but white space so far
};

// The token as a decimal number from 0 to `most`; false for anything else, a leading 0 too, which in C is octal.
bool ParseDecimal(const CToken& token, std::int64_t most, std::int64_t* number);

}  // namespace arenaproof

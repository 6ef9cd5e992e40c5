#include "tools/planner/c_tokens.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace arenaproof {
namespace {

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

bool CToken::word() const { return !end() && IsWordCharacter(text[0]) && !digits(); }

CTokens::CTokens(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
}

void CTokens::SkipTo(std::size_t place) {
  const std::string_view skipped = rest_.substr(0, place);
  line_ += static_cast<std::size_t>(std::count(skipped.begin(), skipped.end(), '\n'));
  rest_.remove_prefix(skipped.size());
}

void CTokens::SkipSpace() {
  while (!rest_.empty()) {
    const char c = rest_[0];
    if (c == '\n') {
      SkipTo(1);
      line_begins_ = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      rest_.remove_prefix(1);
    } else if (rest_.starts_with("//") || (c == '#' && line_begins_)) {
      SkipTo(rest_.find('\n'));
    } else if (rest_.starts_with("/*") && rest_.find("*/", 2) != std::string_view::npos) {
      SkipTo(rest_.find("*/", 2) + 2);
    } else {
      return;
    }
  }
}

CToken CTokens::Next() {
  SkipSpace();
  line_begins_ = false;
  std::size_t length = 0;
  while (length < rest_.size() && IsWordCharacter(rest_[length])) ++length;
  if (length == 0 && !rest_.empty()) length = rest_.starts_with(kUnclosedComment) ? kUnclosedComment.size() : 1;
  const CToken token{rest_.substr(0, length), line_};
  rest_.remove_prefix(length);
  return token;
}

bool ParseDecimal(const CToken& token, std::int64_t most, std::int64_t* number) {
  if (!token.digits() || (token.text.size() > 1 && token.text[0] == '0')) return false;
  const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), *number);
  return error == std::errc() && end == token.text.data() + token.text.size() && *number <= most;
}

}  // namespace arenaproof

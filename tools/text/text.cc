#include "tools/text/text.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace arenaproof {
namespace {

std::string PrintableUpTo(const std::string& text, std::size_t most_bytes) {
  std::string result;
  for (const char character : text) {
    if (result.size() >= most_bytes) return result + "...";
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte < 0x7f) {
      result += character;
    } else {
      constexpr std::string_view kDigits = "0123456789abcdef";
      result += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return result;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> headers) {
  for (std::string& header : headers) {
    right_.push_back(header.starts_with('>'));
    if (right_.back()) header.erase(0, 1);
  }
  rows_.push_back(std::move(headers));
}

void TextTable::AddRow(std::vector<std::string> cells) {
  cells.resize(right_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::Text(std::size_t indent) const {
  std::vector<std::size_t> widths(right_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      if (i > 0) line += "  ";
      line += right_[i] ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Counted(long long count, const std::string& singular) {
  return std::to_string(count) + " " + singular + (count == 1 ? "" : "s");
}

std::string Printable(const std::string& text) {
  constexpr std::size_t kLongest = 200;
  return PrintableUpTo(text, kLongest);
}

std::string PrintableSentence(const std::string& text) { return PrintableUpTo(text, SIZE_MAX); }

std::string ShellWord(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string result = "'";
  for (const char character : word) result += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return result + "'";
}

}  // namespace arenaproof

// A line of text being written, for code that has no heap: it has room for 192 characters, and drops what would not
// fit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace arenaproof {

class LineText {
 public:
  void Put(char character) {
    if (length_ < text_.size()) text_[length_++] = character;
  }
  void Put(std::string_view text) {
    for (const char character : text) Put(character);
  }
  // Decimal, right-aligned in `width` columns.
  void PutNumber(std::uint64_t number, bool negative = false, std::size_t width = 0) {
    std::array<char, 24> digits{};
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    if (negative) digits[count++] = '-';
    for (std::size_t i = count; i < width; ++i) Put(' ');
    while (count > 0) Put(digits[--count]);
  }
  void PutSigned(std::int64_t number) {
    PutNumber(number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number), number < 0);
  }
  std::string_view text() const { return {text_.data(), length_}; }

 private:
  std::array<char, 192> text_{};
  std::size_t length_ = 0;
};

}  // namespace arenaproof

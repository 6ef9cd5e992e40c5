#include "tools/text/names.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace arenaproof {
namespace {

struct CodePoints {
  std::uint32_t first, last;
};

// Characters that are not seen, or that change how others are: controls, spaces that are none of ASCII, fillers,
// joiners, marks of direction, selectors of variants, tags, private use, and code points that are no characters.
constexpr CodePoints kUnreadable[] = {{0x00, 0x1f},       {0x7f, 0xa0},       {0xad, 0xad},       {0x34f, 0x34f},
                                      {0x61c, 0x61c},     {0x115f, 0x1160},   {0x1680, 0x1680},   {0x17b4, 0x17b5},
                                      {0x180b, 0x180f},   {0x2000, 0x200f},   {0x2028, 0x202f},   {0x205f, 0x206f},
                                      {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},   {0xe000, 0xf8ff},
                                      {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
                                      {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
                                      {0x1fffe, 0x1ffff}, {0x2fffe, 0x2ffff}, {0x3fffe, 0x10ffff}};

std::uint32_t Byte(char character) { return static_cast<unsigned char>(character); }

bool Continues(char character) { return (Byte(character) & 0xc0) == 0x80; }

// Bytes of the readable character that `text`, which is not empty, begins with; 0 when it begins with none.
std::size_t ReadableBytes(std::string_view text) {
  const std::uint32_t lead = Byte(text[0]);
  if (lead >= 0x20 && lead < 0x7f) return 1;
  std::size_t bytes = 1;
  std::uint32_t code = lead, least = 0;
  if (lead >= 0xc0 && lead < 0xe0) {
    bytes = 2;
    code = lead & 0x1f;
    least = 0x80;
  } else if (lead >= 0xe0 && lead < 0xf0) {
    bytes = 3;
    code = lead & 0x0f;
    least = 0x800;
  } else if (lead >= 0xf0 && lead < 0xf8) {
    bytes = 4;
    code = lead & 0x07;
    least = 0x10000;
  } else if (lead >= 0x80) {
    return 0;
  }
  if (text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!Continues(text[i])) return 0;
    code = code << 6 | (Byte(text[i]) & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least || surrogate || code > 0x10ffff) return 0;
  const bool unreadable = std::any_of(std::begin(kUnreadable), std::end(kUnreadable), [&](const CodePoints& range) {
    return code >= range.first && code <= range.last;
  });
  return unreadable ? 0 : bytes;
}

std::string PrintableUpTo(std::string_view text, std::size_t most_bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    const std::size_t readable = ReadableBytes(text);
    const std::size_t taken = readable > 0 ? readable : 4;
    if (taken > most_bytes - result.size()) return result + "...";
    if (readable > 0) {
      result += text.substr(0, readable);
    } else {
      result += {'\\', 'x', kDigits[Byte(text[0]) >> 4], kDigits[Byte(text[0]) & 15]};
    }
    text.remove_prefix(readable > 0 ? readable : 1);
  }
  return result;
}

}  // namespace

std::string Printable(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  return PrintableUpTo(name, kLongest);
}

std::string PrintableSentence(std::string_view text) { return PrintableUpTo(text, SIZE_MAX); }

std::size_t Columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !Continues(c); }));
}

}  // namespace arenaproof

#include "tools/model/npy_dictionary.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "tools/text/names.h"

namespace arenaproof {
namespace {

enum NpyKey : std::size_t { kNpyType, kNpyOrder, kNpyShape, kNpyKeyCount };
constexpr std::array<std::string_view, kNpyKeyCount> kNpyKeys = {"descr", "fortran_order", "shape"};
constexpr const char* kRightNpyKeys = "'descr', 'fortran_order' and 'shape', each once, would be right";
constexpr std::size_t kMostNpyExtents = 64;  // numpy's limit

bool IsOfNpyWord(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '+' || c == '-' || byte >= 0x80;
}

// Each function that answers with a truth value has written the problem where it answers with false.
class NpyDictionaryReader {
 public:
  NpyDictionaryReader(std::string_view text, std::size_t offset, NpyHeader* header)
      : text_(text), offset_(offset), header_(header) {}

  std::string Read() {
    if (ReadPairs()) ReadEnd();
    return problem_;
  }

 private:
  bool Takes(char c) {
    if (!text_.substr(at_).starts_with(c)) return false;
    ++at_;
    return true;
  }
  void SkipSpaces() {
    while (Takes(' ')) {
    }
  }
  // The number or name that begins here; empty where another character does.
  std::string_view Word() const {
    const std::string_view rest = text_.substr(at_);
    return rest.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest, IsOfNpyWord) - rest.begin()));
  }

  bool Fail(const std::string& problem) {
    problem_ = problem;
    return false;
  }
  std::string Place(std::size_t at) const { return " at byte " + std::to_string(offset_ + at); }
  bool Expected(const std::string& right) {
    const std::string end = Place(at_) + "; " + right + " would be right";
    if (at_ == text_.size()) return Fail("its header ends" + end);
    const std::string_view word = Word();
    return Fail("its header has '" + Printable(word.empty() ? text_.substr(at_, 1) : word) + "'" + end);
  }

  bool ReadPairs() {
    if (!Takes('{')) return Expected("'{'");
    for (SkipSpaces(); !Takes('}'); SkipSpaces()) {
      if (!ReadPair()) return false;
      SkipSpaces();
      if (Takes('}')) break;
      if (!Takes(',')) return Expected("a comma or '}'");
    }
    const auto missing = std::ranges::find(found_, false);
    if (missing == found_.end()) return true;
    return Fail("its header has no key '" + std::string(kNpyKeys[static_cast<std::size_t>(missing - found_.begin())]) +
                "'; " + kRightNpyKeys);
  }

  bool ReadPair() {
    const std::size_t begin = at_;
    std::string_view name;
    if (!ReadQuoted("a key in single quotes", &name)) return false;
    const auto key = static_cast<std::size_t>(std::ranges::find(kNpyKeys, name) - kNpyKeys.begin());
    if (key == kNpyKeyCount || found_[key]) {
      return Fail("its header has the key '" + Printable(name) + (key == kNpyKeyCount ? "'" : "' a second time") +
                  Place(begin) + "; " + kRightNpyKeys);
    }
    found_[key] = true;
    SkipSpaces();
    if (!Takes(':')) return Expected("':'");
    SkipSpaces();
    return key == kNpyType ? ReadType() : key == kNpyOrder ? ReadOrder() : ReadShape();
  }

  // Printable ASCII in single quotes; numpy has no name for which it would write an escape.
  bool ReadQuoted(const char* right, std::string_view* content) {
    if (!Takes('\'')) return Expected(right);
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\'') {
      if (text_[at_] < ' ' || text_[at_] > '~' || text_[at_] == '\\') return Expected(right);
      ++at_;
    }
    *content = text_.substr(begin, at_ - begin);
    return Takes('\'') || Expected("a quote");
  }

  bool ReadType() {
    if (text_.substr(at_).starts_with('[')) return Fail("it has an array of structures; one of numbers would be right");
    std::string_view type;
    if (!ReadQuoted("a type in single quotes, such as '<f4',", &type)) return false;
    header_->type = type;
    return true;
  }

  bool ReadOrder() {
    const std::string_view word = Word();
    if (word != "True" && word != "False") return Expected("True or False");
    header_->fortran_order = word == "True";
    at_ += word.size();
    return true;
  }

  // "(1, 20)", "(20,)", "()".
  bool ReadShape() {
    const std::size_t begin = at_;
    if (!Takes('(')) return Expected("a shape such as (1, 20)");
    header_->shape.clear();
    for (SkipSpaces(); !Takes(')'); SkipSpaces()) {
      if (!ReadExtent()) return false;
      SkipSpaces();
      if (Takes(',')) continue;
      if (!Takes(')')) return Expected("a comma or ')'");
      if (header_->shape.size() > 1) break;
      const std::string extent = std::to_string(header_->shape.front());
      return Fail("its header has '(" + extent + ")'" + Place(begin) + ", which is no shape; (" + extent +
                  ",) would be right");
    }
    return true;
  }

  bool ReadExtent() {
    const std::string_view word = Word();
    if (word.empty() || word.find_first_not_of("0123456789") != std::string_view::npos) {
      return Expected("a decimal number");
    }
    if (word.size() > 1 && word.front() == '0') return Expected("a number without a zero in front");
    if (header_->shape.size() == kMostNpyExtents) {
      return Expected("the end of the shape after " + std::to_string(kMostNpyExtents) + " numbers");
    }
    std::uint64_t extent = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), extent).ec != std::errc()) {
      return Expected("a number below 2^64");
    }
    header_->shape.push_back(extent);
    at_ += word.size();
    return true;
  }

  bool ReadEnd() {
    SkipSpaces();
    if (!Takes('\n')) return Expected("spaces and a line end");
    return at_ == text_.size() || Expected("nothing behind the line end");
  }

  std::string_view text_;
  std::size_t offset_, at_ = 0;
  NpyHeader* header_;
  std::array<bool, kNpyKeyCount> found_ = {};
  std::string problem_;
};

}  // namespace

std::string ReadNpyDictionary(std::string_view text, std::size_t offset, NpyHeader* header) {
  return NpyDictionaryReader(text, offset, header).Read();
}

}  // namespace arenaproof

#include "tools/planner/precomputed_file.h"

#include <algorithm>
#include <utility>

#include "tools/planner/c_tokens.h"
#include "tools/text/names.h"

namespace arenaproof {
namespace {

// Printable, and without what a compiler would take for the comment's end or for its continuation on the next line.
std::string InComment(const std::string& text) {
  std::string printable = Printable(text);
  std::replace(printable.begin(), printable.end(), '\\', '/');
  return printable;
}

std::string LineText(std::size_t line) { return "line " + std::to_string(line); }

// Whatever a file says is quoted short and printable.
std::string QuotedWord(std::string_view text) {
  return "'" + Printable(text.substr(0, 40)) + (text.size() > 40 ? "...'" : "'");
}

class SourceReader {
 public:
  explicit SourceReader(std::string_view text) : tokens_(text) {}

  PrecomputedPlan Read() {
    if (ReadHead() && ReadNumbers() && ReadEnd()) return std::move(plan_);
    plan_.offsets.clear();
    return std::move(plan_);
  }

 private:
  bool Refuse(const CToken& token, const std::string& what) {
    plan_.refusal = LineText(token.line) + " " +
                    (token.text == kUnclosedComment ? "begins a comment that does not end; '*/' would end it" : what);
    return false;
  }
  static std::string Found(const CToken& token) { return token.end() ? "the end of the file" : QuotedWord(token.text); }

  // The next token has to be `text`.
  bool Expect(std::string_view text, const char* what) {
    const CToken token = tokens_.Next();
    if (token.text == text && !token.end()) return true;
    return Refuse(token, "has " + Found(token) + " where '" + std::string(text) + "' would be right, " + what);
  }

  bool ReadHead() {
    CToken token = tokens_.Next();
    while (token.text == "static" || token.text == "const" || token.text == "std" || token.text == ":") {
      token = tokens_.Next();
    }
    if (token.text == "int64_t") {
      most_ = INT64_MAX;
    } else if (token.text != "int32_t") {
      return Refuse(token, "has " + Found(token) + " where 'const int32_t' or 'const int64_t' would be right");
    }
    type_ = token.text;
    token = tokens_.Next();
    if (token.text == "const") token = tokens_.Next();
    if (!token.word()) return Refuse(token, "has " + Found(token) + " where the name of the array would be right");
    if (!Expect("[", "before the count of the array")) return false;
    token = tokens_.Next();
    if (token.text != "]") {
      if (!ParseDecimal(token, INT64_MAX, &count_)) {
        return Refuse(token, "has " + Found(token) + " where the count of the array, in decimal, would be right");
      }
      counted_ = token;
      if (!Expect("]", "behind the count of the array")) return false;
    }
    return Expect("=", "before the numbers") && Expect("{", "before the numbers");
  }

  bool ReadNumbers() {
    for (;;) {
      CToken token = tokens_.Next();
      if (token.text == "}") break;
      if (token.text == "-") return Refuse(token, "has a negative number; an offset is 0 or more");
      std::int64_t number = 0;
      if (!ParseDecimal(token, INT64_MAX, &number)) {
        if (token.digits()) return Refuse(token, OutOfRange(token));
        return Refuse(token, "has " + Found(token) + " where an offset, in decimal, or '}' would be right");
      }
      if (number > most_) return Refuse(token, OutOfRange(token));
      plan_.offsets.push_back(number);
      token = tokens_.Next();
      if (token.text == "}") break;
      if (token.text != ",") return Refuse(token, "has " + Found(token) + " where ',' or '}' would be right");
    }
    if (count_ < 0 || static_cast<std::uint64_t>(count_) == plan_.offsets.size()) return true;
    return Refuse(counted_, "counts " + QuotedWord(counted_.text) + " offsets, and the array has " +
                                std::to_string(plan_.offsets.size()));
  }

  std::string OutOfRange(const CToken& token) const {
    return "has the offset " + QuotedWord(token.text) + ", which is no decimal number from 0 to " +
           std::to_string(most_) + ", as " + std::string(type_) + " holds it";
  }

  bool ReadEnd() {
    if (!Expect(";", "behind the array")) return false;
    const CToken token = tokens_.Next();
    return token.end() || Refuse(token, "has " + Found(token) + " behind the array; a plan is one array and no more");
  }

  CTokens tokens_;
  std::int64_t most_ = INT32_MAX;
  std::string_view type_;
  std::int64_t count_ = -1;  // none
  CToken counted_;
  PrecomputedPlan plan_;
};

}  // namespace

std::string WritePrecomputedSource(const PrecomputedSource& source) {
  const auto wide = [](const PrecomputedBuffer& buffer) { return buffer.offset > INT32_MAX; };
  const bool any_wide = std::any_of(source.buffers.begin(), source.buffers.end(), wide);
  std::string text = "// Where each buffer lies in the head of the arena of " + InComment(source.model) +
                     ", planned by " + InComment(source.planner) +
                     ".\n// head bytes: " + std::to_string(source.head_bytes) + "\n#include <stdint.h>\n\nconst " +
                     (any_wide ? "int64_t" : "int32_t") + " arenaproof_plan[" + std::to_string(source.buffers.size()) +
                     "] = {\n";
  std::size_t width = 0;
  for (const PrecomputedBuffer& buffer : source.buffers) {
    width = std::max(width, std::to_string(buffer.offset).size());
  }
  for (const PrecomputedBuffer& buffer : source.buffers) {
    const std::string number = std::to_string(buffer.offset);
    text += "    " + number + "," + std::string(width - number.size(), ' ') + "  // " + InComment(buffer.name) + ": " +
            std::to_string(buffer.bytes) + " bytes, alive " + std::to_string(buffer.first) + " to " +
            std::to_string(buffer.last) + "\n";
  }
  return text + "};\n";
}

PrecomputedPlan ReadPrecomputedSource(std::string_view text, std::size_t most_bytes) {
  if (text.size() > most_bytes) {
    return {"line 1 begins a text of more than " + std::to_string(most_bytes) + " bytes, which is the most of a plan",
            {}};
  }
  return SourceReader(text).Read();
}

}  // namespace arenaproof

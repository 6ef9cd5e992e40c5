#include "tools/planner/problem_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

namespace arenaproof {
namespace {

enum Column : std::size_t { kId, kLower, kUpper, kSize, kOffset, kAlignment, kGaps, kGroup, kColumnCount };
constexpr std::array<std::string_view, kColumnCount> kColumnNames = {"id",     "lower",     "upper", "size",
                                                                     "offset", "alignment", "gaps",  "group"};

bool IsNeeded(std::size_t column, CsvKind kind) {
  if (column == kId) return true;
  if (column == kOffset) return kind != CsvKind::kProblem;
  return column <= kSize && kind != CsvKind::kPlan;
}

char Lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsControl(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Whatever a file says is quoted short and printable.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text.substr(0, 40)) quoted += c >= ' ' && c <= '~' ? c : '?';
  return quoted + (text.size() > 40 ? "...'" : "'");
}

class Reader {
 public:
  Reader(std::string_view text, std::size_t most_buffers, CsvKind kind)
      : rest_(text), most_buffers_(most_buffers), kind_(kind) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  }

  ProblemCsv Read() {
    std::string_view line;
    if (!NextLine(&line)) return Refused("The file has no header line.");
    if (!TakeFields(line) || !ReadHeader(fields_)) return std::move(csv_);
    while (NextLine(&line)) {
      if (csv_.buffers.size() == most_buffers_) {
        return Refused("The file has more than " + std::to_string(most_buffers_) + " buffers.");
      }
      if (!TakeFields(line) || !ReadBuffer(fields_)) return std::move(csv_);
    }
    if (!csv_.has_problem) return std::move(csv_);
    const ProblemVerdict verdict = CheckProblem(csv_.buffers);
    if (verdict.fault == ProblemFault::kFixedOverlap) {
      csv_.refusal = SentenceOf(verdict);
      csv_.fixed_overlap = true;
    } else if (verdict.fault != ProblemFault::kNone) {
      return Refused(SentenceOf(verdict));
    }
    return std::move(csv_);
  }

 private:
  ProblemCsv Refused(std::string sentence) {
    Refuse(std::move(sentence));
    return std::move(csv_);
  }
  bool Refuse(std::string sentence) {
    csv_ = ProblemCsv{};
    csv_.refusal = std::move(sentence);
    return false;
  }
  bool RefuseLine(const std::string& what) { return Refuse("Line " + std::to_string(line_number_) + " " + what + "."); }

  bool NextLine(std::string_view* line) {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      *line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++line_number_;
      if (line->ends_with('\r')) line->remove_suffix(1);
      if (!Trimmed(*line).empty()) return true;
    }
    return false;
  }

  // As RFC 4180 has it: what begins with a quote ends with one, two of them within are one, and commas count as any
  // other character.
  bool TakeFields(std::string_view line) {
    fields_.clear();
    unquoted_.clear();
    for (;;) {
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != std::string_view::npos && line[first] == '"') {
        line.remove_prefix(first + 1);
        if (!TakeQuoted(&line)) return false;
      } else {
        fields_.push_back(Trimmed(line.substr(0, line.find(','))));
      }
      const std::size_t comma = line.find(',');
      if (comma == std::string_view::npos) return true;
      line.remove_prefix(comma + 1);
    }
  }

  // `line` begins behind the quote, and ends up behind the other one.
  bool TakeQuoted(std::string_view* line) {
    std::string& text = unquoted_.emplace_back();
    for (;;) {
      const std::size_t quote = line->find('"');
      if (quote == std::string_view::npos) {
        return RefuseLine("has a quote that is not closed before the line ends: " + Quoted(text + std::string(*line)));
      }
      text += line->substr(0, quote);
      line->remove_prefix(quote + 1);
      if (!line->starts_with('"')) break;
      text += '"';
      line->remove_prefix(1);
    }
    const std::string_view rest = Trimmed(line->substr(0, line->find(',')));
    if (!rest.empty()) return RefuseLine("has something between a closing quote and the comma: " + Quoted(rest));
    fields_.emplace_back(text);
    return true;
  }

  bool ReadHeader(const std::vector<std::string_view>& names) {
    for (std::size_t f = 0; f < names.size(); ++f) {
      std::string name(names[f]);
      std::transform(name.begin(), name.end(), name.begin(), Lowered);
      if (name == "end") name = kColumnNames[kUpper];
      std::size_t column = 0;
      while (column < kColumnCount && kColumnNames[column] != name) ++column;
      if (column == kColumnCount)
        return RefuseLine("names a column that is not known: " + Quoted(names[f]) +
                          "; known are id, lower, upper, size, offset, alignment, gaps and group");
      if (column == kGroup && kind_ != CsvKind::kPlan) {
        return RefuseLine(
            "has a column 'group': only a model says whether buffers may lie in each other's bytes, and this file is "
            "read without one");
      }
      if (field_of_[column]) return RefuseLine("names the column " + Quoted(name) + " twice");
      field_of_[column] = f;
    }
    for (std::size_t column = 0; column < kColumnCount; ++column) {
      if (field_of_[column]) continue;
      if (IsNeeded(column, kind_)) return RefuseLine("has no column " + Quoted(kColumnNames[column]));
      if (column <= kSize) csv_.has_problem = false;
    }
    csv_.has = {.lower = field_of_[kLower].has_value(),
                .upper = field_of_[kUpper].has_value(),
                .size = field_of_[kSize].has_value(),
                .alignment = field_of_[kAlignment].has_value(),
                .gaps = field_of_[kGaps].has_value()};
    column_count_ = names.size();
    return true;
  }

  std::string_view FieldOf(const std::vector<std::string_view>& fields, Column column) const {
    return field_of_[column] ? fields[*field_of_[column]] : std::string_view{};
  }

  bool ReadNumber(std::string_view text, std::string_view what, std::int64_t* number) {
    const bool has_plus = text.size() > 1 && text[0] == '+' && IsDigit(text[1]);
    const auto [end, error] = std::from_chars(text.data() + (has_plus ? 1 : 0), text.data() + text.size(), *number);
    if (error == std::errc::result_out_of_range) {
      return RefuseLine("has a number that 64 bits do not hold as its " + std::string(what) + ": " + Quoted(text));
    }
    if (error != std::errc{} || end != text.data() + text.size()) {
      return RefuseLine("has no whole number as its " + std::string(what) + ": " + Quoted(text));
    }
    return true;
  }

  bool ReadGaps(std::string_view text, std::vector<TimeInterval>& gaps) {
    while (!text.empty()) {
      const std::string_view pair = text.substr(0, text.find(' '));
      const std::size_t dash = pair.find('-', 1);  // a minus sign may stand first
      if (dash == std::string_view::npos) return RefuseLine("has a gap that is not LOWER-UPPER: " + Quoted(pair));
      TimeInterval& gap = gaps.emplace_back();
      if (!ReadNumber(pair.substr(0, dash), "gap", &gap.lower)) return false;
      if (!ReadNumber(pair.substr(dash + 1), "gap", &gap.upper)) return false;
      text = Trimmed(text.substr(pair.size()));
    }
    return true;
  }

  bool ReadBuffer(const std::vector<std::string_view>& fields) {
    if (fields.size() != column_count_) {
      return RefuseLine("has " + std::to_string(fields.size()) + " fields where the header has " +
                        std::to_string(column_count_));
    }
    const std::string_view id = FieldOf(fields, kId);
    if (id.empty()) return RefuseLine("has no id");
    if (std::any_of(id.begin(), id.end(), IsControl)) {
      return RefuseLine("has a control character in its id: " + Quoted(id) + "; any other character is right");
    }
    const auto [before, is_new] = line_of_.emplace(std::string(id), line_number_);
    if (!is_new) return RefuseLine("has the id " + Quoted(id) + " of line " + std::to_string(before->second));
    PlanBuffer buffer;
    const auto read = [&](Column column, std::int64_t* number) {
      return !field_of_[column] || ReadNumber(FieldOf(fields, column), kColumnNames[column], number);
    };
    if (!read(kLower, &buffer.lifetime.lower) || !read(kUpper, &buffer.lifetime.upper) || !read(kSize, &buffer.bytes)) {
      return false;
    }
    if (const std::string_view offset = FieldOf(fields, kOffset); !offset.empty() && offset != "-1") {
      if (!ReadNumber(offset, "offset", &buffer.offset.emplace())) return false;
    }
    if (kind_ != CsvKind::kProblem) csv_.offsets.push_back(std::exchange(buffer.offset, std::nullopt));
    if (const std::string_view alignment = FieldOf(fields, kAlignment); !alignment.empty()) {
      if (!ReadNumber(alignment, "alignment", &buffer.alignment)) return false;
    }
    if (!ReadGaps(FieldOf(fields, kGaps), buffer.gaps)) return false;
    if (field_of_[kGroup]) csv_.groups.emplace_back(FieldOf(fields, kGroup));
    csv_.ids.emplace_back(id);
    csv_.buffers.push_back(std::move(buffer));
    return true;
  }

  std::string SentenceOf(const ProblemVerdict& verdict) const {
    const std::string name = "Buffer " + Quoted(csv_.ids[verdict.buffer]);
    switch (verdict.fault) {
      case ProblemFault::kNone:
        break;
      case ProblemFault::kLifetimeBackwards:
        return name + " ends before it begins.";
      case ProblemFault::kNegativeBytes:
        return name + " has a negative size.";
      case ProblemFault::kAlignmentNotPositive:
        return name + " has an alignment that is not positive.";
      case ProblemFault::kOffsetNegative:
        return name + " has a negative offset that is not -1.";
      case ProblemFault::kOffsetMisaligned:
        return name + " has a fixed offset that is no multiple of its alignment.";
      case ProblemFault::kBadGap:
        return name + " has a gap that is not inside its lifetime after the gap before it.";
      case ProblemFault::kOverflow:
        return "With buffer " + Quoted(csv_.ids[verdict.buffer]) +
               " the sizes, alignments and fixed offsets add up to more than 2^62 bytes.";
      case ProblemFault::kFixedOverlap:
        return name + " and buffer " + Quoted(csv_.ids[verdict.other]) +
               " are alive together, and their fixed offsets make them share bytes.";
    }
    return {};
  }

  std::string_view rest_;
  std::size_t most_buffers_;
  CsvKind kind_;
  std::size_t line_number_ = 0;
  std::size_t column_count_ = 0;
  std::vector<std::string_view> fields_;  // of one line
  std::deque<std::string> unquoted_;      // what quoted ones of them say
  std::array<std::optional<std::size_t>, kColumnCount> field_of_{};
  std::unordered_map<std::string, std::size_t> line_of_;
  ProblemCsv csv_;
};

}  // namespace

ProblemCsv ReadProblemCsv(std::string_view text, std::size_t most_buffers, CsvKind kind) {
  return Reader(text, most_buffers, kind).Read();
}

}  // namespace arenaproof

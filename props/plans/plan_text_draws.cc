#include "props/plans/plan_text_draws.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

std::string Spaces() { return OneIn(6) ? std::string(OneIn(2) ? " " : "\t") : std::string(); }

std::string WrittenGaps(const PlanBuffer& buffer) {
  std::string text;
  for (const TimeInterval& gap : buffer.gaps) {
    text += (text.empty() ? "" : " ") + std::to_string(gap.lower) + "-" + std::to_string(gap.upper);
  }
  return text;
}

// What begins or ends with a space, or has a comma or a quote, stands between quotes, and so may anything.
std::string Quoted(const std::string& text) {
  const bool has_to = text.front() == ' ' || text.back() == ' ' || text.find_first_of(",\"") != std::string::npos;
  if (!has_to && !OneIn(8)) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::vector<std::string> DrawIds(std::size_t count) {
  constexpr std::array kForms = {"b", "tensor_", "1:", "a & ", "<\"'>", "\xc3\xa4 ", " in front ", "a, b"};
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < count; ++i)
    ids.push_back(kForms[OneIn(2) ? 0 : Below(kForms.size())] + std::to_string(i) + (OneIn(8) ? "  " : ""));
  return ids;
}

std::string DrawProblemCsv(const std::vector<PlanBuffer>& buffers, const std::vector<std::string>& ids) {
  using Field = std::function<std::string(std::size_t)>;
  const auto any = [&](const auto& differs) { return std::any_of(buffers.begin(), buffers.end(), differs); };
  std::vector<std::pair<std::string, Field>> columns{
      {"id", [&](std::size_t i) { return Quoted(ids[i]); }},
      {"lower", [&](std::size_t i) { return std::to_string(buffers[i].lifetime.lower); }},
      {OneIn(3) ? "end" : "upper", [&](std::size_t i) { return std::to_string(buffers[i].lifetime.upper); }},
      {"size", [&](std::size_t i) { return std::to_string(buffers[i].bytes); }}};
  if (any([](const PlanBuffer& buffer) { return buffer.offset.has_value(); }) || OneIn(3)) {
    columns.emplace_back("offset", [&](std::size_t i) {
      if (buffers[i].offset) return std::to_string(*buffers[i].offset);
      return std::string(OneIn(2) ? "-1" : "");
    });
  }
  if (any([](const PlanBuffer& buffer) { return buffer.alignment != 1; }) || OneIn(3)) {
    columns.emplace_back("alignment", [&](std::size_t i) {
      return buffers[i].alignment == 1 && OneIn(2) ? std::string() : std::to_string(buffers[i].alignment);
    });
  }
  if (any([](const PlanBuffer& buffer) { return !buffer.gaps.empty(); }) || OneIn(3)) {
    columns.emplace_back("gaps", [&](std::size_t i) { return WrittenGaps(buffers[i]); });
  }
  for (std::size_t i = columns.size(); i > 1; --i) std::swap(columns[i - 1], columns[Below(i)]);
  const std::string line_end = OneIn(3) ? "\r\n" : "\n";
  std::string text = OneIn(4) ? "\xef\xbb\xbf" : "";
  const auto add = [&](const auto& field_of) {
    for (std::size_t c = 0; c < columns.size(); ++c) text += (c == 0 ? "" : ",") + Spaces() + field_of(c) + Spaces();
    text += line_end;
    if (OneIn(12)) text += line_end;
  };
  add([&](std::size_t c) { return columns[c].first; });
  for (std::size_t i = 0; i < buffers.size(); ++i) add([&](std::size_t c) { return columns[c].second(i); });
  if (OneIn(3)) text.erase(text.find_last_not_of("\r\n") + 1);
  return text;
}

bool IsSame(const PlanBuffer& a, const PlanBuffer& b) {
  const auto same = [](const TimeInterval& x, const TimeInterval& y) {
    return x.lower == y.lower && x.upper == y.upper;
  };
  return same(a.lifetime, b.lifetime) && a.bytes == b.bytes && a.alignment == b.alignment && a.offset == b.offset &&
         std::equal(a.gaps.begin(), a.gaps.end(), b.gaps.begin(), b.gaps.end(), same);
}

}  // namespace arenaproof::testing

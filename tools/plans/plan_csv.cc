#include "tools/plans/plan_csv.h"

#include <algorithm>

#include "tools/plans/plan_groups.h"

namespace arenaproof {

namespace {

// In quotes where it would be read as something else without, and where it has quotes itself, as RFC 4180 asks.
std::string Field(const std::string& id) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const bool plain =
      id.find_first_of(",\"") == std::string::npos && !id.empty() && !is_space(id.front()) && !is_space(id.back());
  if (plain) return id;
  std::string text = "\"";
  for (const char c : id) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

std::string GapsText(const PlanBuffer& buffer) {
  std::string text;
  for (const TimeInterval& gap : buffer.gaps) {
    text += (text.empty() ? "" : " ") + std::to_string(gap.lower) + "-" + std::to_string(gap.upper);
  }
  return text;
}

std::string PlanCsv(const LabelledProblem& problem, PlanOffsets offsets) {
  const std::vector<PlanBuffer>& buffers = problem.buffers;
  const bool aligned = std::any_of(buffers.begin(), buffers.end(), [](const auto& b) { return b.alignment != 1; });
  const bool gaps = std::any_of(buffers.begin(), buffers.end(), [](const auto& b) { return !b.gaps.empty(); });
  std::string text = "id,lower,upper,size,offset";
  text += aligned ? ",alignment" : "";
  text += gaps ? ",gaps" : "";
  text += problem.sharing.empty() ? "\n" : ",group\n";
  const std::vector<std::optional<std::size_t>> owners = OwnersOf(problem);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlanBuffer& buffer = buffers[i];
    text += Field(problem.labels[i].id);
    for (const std::int64_t number : {buffer.lifetime.lower, buffer.lifetime.upper, buffer.bytes, *offsets[i]}) {
      text += "," + std::to_string(number);
    }
    if (aligned) text += "," + std::to_string(buffer.alignment);
    if (gaps) text += "," + GapsText(buffer);
    if (!problem.sharing.empty()) text += "," + (owners[i] ? Field(problem.labels[*owners[i]].id) : "");
    text += "\n";
  }
  return text;
}

}  // namespace arenaproof

#include "tools/planner/plan_json.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <utility>

namespace arenaproof {
namespace {

using Json = nlohmann::json;

// The report, its lists and their objects; a report of another kind may go deeper, a plan does not.
constexpr int kDeepest = 16;

ProblemCsv Refused(std::string sentence) {
  ProblemCsv plan;
  plan.refusal = std::move(sentence);
  return plan;
}

std::string Buffer(std::size_t i) { return "The buffer at index " + std::to_string(i) + " of the list 'buffers'"; }

// Absent: `number` stays.
bool TakeNumber(const Json& buffer, const char* field, std::int64_t* number, bool* has) {
  const auto found = buffer.find(field);
  *has = found != buffer.end();
  if (!*has) return true;
  const bool fits = found->is_number_integer() &&
                    (!found->is_number_unsigned() ||
                     found->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (fits) *number = found->get<std::int64_t>();
  return fits;
}

class PlanReader {
 public:
  ProblemCsv Read(const Json& buffers) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (const std::string problem = Take(buffers[i], i == 0); !problem.empty()) return Refused(Buffer(i) + problem);
    }
    return std::move(plan_);
  }

 private:
  std::string Take(const Json& json, bool first) {
    if (!json.is_object()) return " is no object.";
    const auto id = json.find("id");
    if (id == json.end() || !id->is_string() || id->get_ref<const std::string&>().empty()) return " has no id.";
    if (!seen_.insert(id->get<std::string>()).second) return " has the id of one before it.";
    PlanBuffer buffer;
    bool has_offset = false;
    std::int64_t offset = 0;
    ProblemCsv::Columns has;
    if (!TakeNumber(json, "offset", &offset, &has_offset)) return " has an offset that is no number of 64 bits.";
    if (!TakeNumber(json, "bytes", &buffer.bytes, &has.size) ||
        !TakeNumber(json, "lower", &buffer.lifetime.lower, &has.lower) ||
        !TakeNumber(json, "upper", &buffer.lifetime.upper, &has.upper) ||
        !TakeNumber(json, "alignment", &buffer.alignment, &has.alignment)) {
      return " has bytes, lower, upper or alignment that is no number of 64 bits.";
    }
    if (first) plan_.has = has;
    if (has.size != plan_.has.size || has.lower != plan_.has.lower || has.upper != plan_.has.upper ||
        has.alignment != plan_.has.alignment) {
      return " has other fields than the first one.";
    }
    const auto group = json.find("group");
    if (group != json.end() && !group->is_string()) return " has a group that is no text.";
    plan_.groups.push_back(group == json.end() ? std::string() : group->get<std::string>());
    plan_.ids.push_back(id->get<std::string>());
    plan_.buffers.push_back(std::move(buffer));
    plan_.offsets.push_back(has_offset ? std::optional(offset) : std::nullopt);
    return {};
  }

  ProblemCsv plan_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

ProblemCsv ReadPlanJson(std::string_view text) {
  if (text.size() > kMostPlanJsonBytes) {
    return Refused("The file has " + std::to_string(text.size()) + " bytes; a plan in JSON has at most " +
                   std::to_string(kMostPlanJsonBytes) + ".");
  }
  const auto shallow = [](int depth, Json::parse_event_t, const Json&) { return depth <= kDeepest; };
  const Json report = Json::parse(text, shallow, false);
  if (report.is_discarded()) return Refused("The file is no JSON.");
  const auto buffers = report.is_object() ? report.find("buffers") : report.end();
  if (buffers == report.end() || !buffers->is_array()) {
    return Refused("The file is no report of a plan: it has no list 'buffers'.");
  }
  ProblemCsv plan = PlanReader().Read(*buffers);
  if (plan.ok()) plan.has_problem = false;
  return plan;
}

}  // namespace arenaproof

#include "tools/planner/plan_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

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

std::string NoNumber(const Json& buffer, const char* field) {
  return std::string(" has as its ") + field + " " + buffer.at(field).dump(-1, ' ', true).substr(0, 40) +
         ", which is no whole number of 64 bits.";
}

bool TakeGaps(const Json& buffer, std::vector<TimeInterval>* gaps) {
  const auto found = buffer.find("gaps");
  if (found == buffer.end()) return true;
  if (!found->is_array()) return false;
  for (const Json& gap : *found) {
    TimeInterval& taken = gaps->emplace_back();
    bool has_lower = false, has_upper = false;
    if (!gap.is_object() || !TakeNumber(gap, "lower", &taken.lower, &has_lower) ||
        !TakeNumber(gap, "upper", &taken.upper, &has_upper) || !has_lower || !has_upper) {
      return false;
    }
  }
  return true;
}

// The first key that an object has twice; what comes deeper than a plan goes is not looked at.
class KeyWatch {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (depth > kDeepest) return false;
    auto& keys = keys_[static_cast<std::size_t>(depth) + (event == Json::parse_event_t::object_start ? 1 : 0)];
    if (event == Json::parse_event_t::object_start) keys.clear();
    if (event == Json::parse_event_t::key && !keys.insert(value.get<std::string>()).second && twice_.empty()) {
      twice_ = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    }
    return true;
  }
  const std::string& twice() const { return twice_; }

 private:
  std::array<std::set<std::string>, kDeepest + 2> keys_;
  std::string twice_;
};

// "line 3, column 7": of the byte with which the text stopped being JSON.
std::string PlaceOf(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 on the first line
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - line_start + 1);
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
    const std::tuple<const char*, std::int64_t*, bool*> kNumbers[] = {
        {"offset", &offset, &has_offset},
        {"bytes", &buffer.bytes, &has.size},
        {"lower", &buffer.lifetime.lower, &has.lower},
        {"upper", &buffer.lifetime.upper, &has.upper},
        {"alignment", &buffer.alignment, &has.alignment},
    };
    for (const auto& [field, number, has_field] : kNumbers) {
      if (!TakeNumber(json, field, number, has_field)) return NoNumber(json, field);
    }
    if (!TakeGaps(json, &buffer.gaps)) return " has gaps that are no list of lower and upper.";
    has.gaps = plan_.has.gaps || !buffer.gaps.empty();  // said where there are any
    if (first) plan_.has = has;
    plan_.has.gaps = has.gaps;
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
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  KeyWatch watch;
  Json report;
  try {
    report = Json::parse(text, std::ref(watch));
  } catch (const Json::parse_error& error) {
    return Refused("The file is no JSON from " + PlaceOf(text, error.byte) + " on.");
  } catch (const Json::out_of_range&) {
    return Refused("The file has a number that no machine holds.");
  }
  if (!watch.twice().empty()) return Refused("The file has the key " + watch.twice() + " twice in one object.");
  const auto buffers = report.is_object() ? report.find("buffers") : report.end();
  if (buffers == report.end() || !buffers->is_array()) {
    return Refused("The file is no report of a plan: it has no list 'buffers'.");
  }
  ProblemCsv plan = PlanReader().Read(*buffers);
  if (plan.ok()) plan.has_problem = false;
  return plan;
}

}  // namespace arenaproof

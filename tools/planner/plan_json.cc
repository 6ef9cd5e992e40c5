#include "tools/planner/plan_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace arenaproof {
namespace {

using Json = nlohmann::json;

// The report, its lists and their objects; a report of another kind may go deeper, a plan does not, and what comes
// deeper is not looked at.
constexpr std::size_t kDeepest = 16;

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

// "line 3, column 7": of the byte with which the text stopped being JSON.
std::string PlaceOf(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 on the first line
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - line_start + 1);
}

class PlanReader {
 public:
  // The next of the list. Empty, or what is wrong with it.
  std::string Take(const Json& json) {
    const std::string problem = TakeFields(json, plan_.ids.empty());
    return problem.empty() ? problem : Buffer(plan_.ids.size()) + problem;
  }

  std::size_t count() const { return plan_.ids.size(); }
  ProblemCsv TakePlan() { return std::move(plan_); }

 private:
  std::string TakeFields(const Json& json, bool first) {
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

// Follows the text from its first byte to its last and keeps of it one entry of the list at a time, so that both time
// and memory grow with what a plan says. (A parser that makes one tree of it all, and is asked about each key, looks
// again at all entries before the one that ends.)
class PlanEvents final : public nlohmann::json_sax<Json> {
 public:
  explicit PlanEvents(std::size_t most_buffers) : most_buffers_(most_buffers) {}

  ProblemCsv Plan(std::string_view text) {
    Json::sax_parse(text.begin(), text.end(), this);
    if (stopped_at_) return Refused("The file is no JSON from " + PlaceOf(text, *stopped_at_) + " on.");
    if (number_too_large_) return Refused("The file has a number that no machine holds.");
    if (!twice_.empty()) return Refused("The file has the key " + twice_ + " twice in one object.");
    if (!has_list_) return Refused("The file is no report of a plan: it has no list 'buffers'.");
    if (!problem_.empty()) return Refused(problem_);
    ProblemCsv plan = reader_.TakePlan();
    plan.has_problem = false;
    return plan;
  }

  bool null() override { return Value(nullptr); }
  bool boolean(bool value) override { return Value(value); }
  bool number_integer(std::int64_t value) override { return Value(value); }
  bool number_unsigned(std::uint64_t value) override { return Value(value); }
  bool number_float(double value, const std::string&) override { return Value(value); }
  bool string(std::string& value) override { return Value(std::move(value)); }
  bool binary(Json::binary_t&) override { return true; }  // not in text
  bool start_object(std::size_t) override {
    if (depth_ <= kDeepest) keys_[depth_].clear();
    return Begin(Json::object());
  }
  bool end_object() override { return End(); }
  bool start_array(std::size_t) override { return Begin(Json::array()); }
  bool end_array() override { return End(); }

  bool key(std::string& name) override {
    if (depth_ > kDeepest) return true;
    if (!keys_[depth_ - 1].insert(name).second && twice_.empty()) {
      twice_ = Json(name).dump(-1, ' ', true, Json::error_handler_t::replace);
    }
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    number_too_large_ = dynamic_cast<const Json::out_of_range*>(&error) != nullptr;
    if (!number_too_large_) stopped_at_ = byte;
    return false;
  }

 private:
  bool Value(Json value) {
    if (!in_list_ || depth_ > kDeepest) return true;
    return depth_ == kInList ? TakeEntry(value) : Add(std::move(value)) != nullptr;
  }

  Json* Add(Json value) {
    Json& container = *open_.back();
    if (container.is_array()) return &container.emplace_back(std::move(value));
    return &(container[key_] = std::move(value));
  }

  bool Begin(Json container) {
    if (depth_ == 0) root_is_object_ = container.is_object();
    if (in_list_ && depth_ == kInList) {
      entry_ = std::move(container);
      open_ = {&entry_};
    } else if (in_list_ && depth_ <= kDeepest) {
      open_.push_back(Add(std::move(container)));
    } else if (depth_ == 1 && root_is_object_ && container.is_array() && key_ == "buffers") {
      in_list_ = has_list_ = true;
    }
    ++depth_;
    return true;
  }

  bool End() {
    --depth_;
    if (!in_list_ || depth_ > kDeepest) return true;
    if (depth_ < kInList) {
      in_list_ = false;
      return true;
    }
    open_.pop_back();
    return depth_ > kInList || TakeEntry(entry_);
  }

  // False when there are too many: nothing that comes is read.
  bool TakeEntry(const Json& entry) {
    if (!problem_.empty()) return true;
    if (reader_.count() == most_buffers_) {
      problem_ = "The file has more than " + std::to_string(most_buffers_) + " buffers.";
      return false;
    }
    problem_ = reader_.Take(entry);
    return true;
  }

  static constexpr std::size_t kInList = 2;  // the depth of an entry

  std::size_t most_buffers_;
  PlanReader reader_;
  std::string problem_;  // with the first entry that has one
  bool root_is_object_ = false, has_list_ = false, in_list_ = false, number_too_large_ = false;
  std::optional<std::size_t> stopped_at_;
  std::size_t depth_ = 0;                                 // of objects and lists that are open
  std::string key_;                                       // the latest
  std::array<std::set<std::string>, kDeepest + 1> keys_;  // of the object that is open, by depth
  std::string twice_;                                     // the first key that an object has twice
  Json entry_;
  std::vector<Json*> open_;  // the entry and what is open in it
};

}  // namespace

ProblemCsv ReadPlanJson(std::string_view text, std::size_t most_buffers) {
  if (text.size() > kMostPlanJsonBytes) {
    return Refused("The file has " + std::to_string(text.size()) + " bytes; a plan in JSON has at most " +
                   std::to_string(kMostPlanJsonBytes) + ".");
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return PlanEvents(most_buffers).Plan(text);
}

}  // namespace arenaproof

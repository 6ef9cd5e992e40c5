#include "props/reports/part_details.h"

#include <utility>

#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// Small, so that none is taken for a violation's count of accesses.
int DrawFigure() { return Below(3) == 0 ? Below(8000) : Below(4); }

std::string Word(const std::string& stem) { return stem + "_" + std::to_string(Below(3)); }

Json Words(const std::string& stem) {
  Json words = Json::array();
  for (int left = Below(3); left > 0; --left) words.push_back(Word(stem));
  return words;
}

Json Buffer() {
  return {{"subgraph", DrawFigure()}, {"tensor", DrawFigure() - 1},         {"scratch", DrawFigure() - 1},
          {"name", Word("buffer")},   {"owner_operator", DrawFigure() - 1}, {"offset", DrawFigure()},
          {"bytes", DrawFigure()},    {"first_step", DrawFigure()},         {"last_step", DrawFigure()}};
}

// What a worker says, and how it has to be reported.
std::pair<Json, Json> DrawnBlindPair() {
  const std::string first = Word("kind"), second = Word("kind");
  const int first_index = DrawFigure(), second_index = DrawFigure();
  Json said = {{"subgraph", DrawFigure()},
               {"operator", DrawFigure()},
               {"operator_name", Word("NAME")},
               {"distance_bytes", DrawFigure() - DrawFigure()}};
  Json reported = said;
  said.update({{"first_kind", first}, {"first_index", first_index}});
  said.update({{"second_kind", second}, {"second_index", second_index}});
  reported["first_operand"] = {{"kind", first}, {"index", first_index}};
  reported["second_operand"] = {{"kind", second}, {"index", second_index}};
  return {said, reported};
}

// Adds `count` and `pairs` under these names to the event; what is reported.
Json AddPairs(Json& event, const char* count_name, const char* pairs_name) {
  Json said = Json::array(), reported = Json::array();
  for (int left = Below(4); left > 0; --left) {
    const auto [each_said, each_reported] = DrawnBlindPair();
    said.push_back(each_said);
    reported.push_back(each_reported);
  }
  const std::size_t count = reported.size() + Below<std::size_t>(3);
  event[count_name] = count;
  event[pairs_name] = said;
  return {{"count", count}, {"first_pairs", reported}};
}

Json InexactOperand() {
  return {{"subgraph", DrawFigure()},
          {"operator", DrawFigure()},
          {"operator_name", Word("NAME")},
          {"kind", Word("kind")},
          {"index", DrawFigure()},
          {"name", Word("tensor")},
          {"blind_before_bytes", DrawFigure()},
          {"blind_after_bytes", DrawFigure()}};
}

}  // namespace

Json Event(const char* event, Json fields) {
  fields["event"] = event;
  return fields;
}

PartDetails DrawPartDetails() {
  PartDetails details;
  const Json seen = Words("seen"), missed = Words("missed"), limits = Words("limit");
  details.self_test = Event("self_test", {{"sees", true}, {"what", seen}, {"missed", missed}, {"limits", limits}});
  details.reported_of_start["self_test"] = {{"sees", true}, {"seen", seen}, {"missed", missed}, {"limits", limits}};

  Json plan = {{"head_bytes", DrawFigure()},  {"tail_bytes", DrawFigure()},         {"used_bytes", DrawFigure()},
               {"arena_bytes", DrawFigure()}, {"device_arena_bytes", DrawFigure()}, {"buffers", Json::array()}};
  for (int left = Below(4); left > 0; --left) plan["buffers"].push_back(Buffer());
  details.plan = Event("plan", plan);
  details.reported_of_plan["plan"] = plan;

  Json& reported = details.reported_of_end;
  Json pairs = Event("blind_pairs");
  reported["blind_pairs"] = AddPairs(pairs, "count", "pairs");
  reported["blind_pairs_in_prepare"] = AddPairs(pairs, "prepare_count", "prepare_pairs");
  details.at_the_end.push_back(pairs);

  reported["not_exact"] = Json::array();
  for (int left = Below(3); left > 0; --left) reported["not_exact"].push_back(InexactOperand());
  if (!reported["not_exact"].empty()) {
    details.at_the_end.push_back(Event("not_exact", {{"operands", reported["not_exact"]}}));
  }

  reported["operators"] = Json::array();
  for (int left = Below(4); left > 0; --left) {
    Json one = {{"subgraph", DrawFigure()}, {"index", DrawFigure()}, {"name", Word("NAME")}, {"kernel", Word("set")}};
    const bool seen_by_instrument = Below(2) == 0;
    one["invokes"] = DrawFigure();
    one["invokes_seen"] = DrawFigure();
    Json event = Event("operator", one);
    event["seen_by_instrument"] = seen_by_instrument;
    details.at_the_end.push_back(event);
    one["seen"] = seen_by_instrument;
    reported["operators"].push_back(one);
  }
  return details;
}

std::string FirstDifference(const Json& expected, const Json& report) {
  for (const auto& [name, value] : expected.items()) {
    const auto found = report.find(name);
    if (found == report.end()) return "'" + name + "' is missing";
    if (*found != value) return "'" + name + "' is " + found->dump() + ", said was " + value.dump();
  }
  return {};
}

}  // namespace arenaproof::testing

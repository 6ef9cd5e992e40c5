#include "props/reports/reported_parts.h"

#include <algorithm>
#include <iterator>

#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

constexpr Fate kFates[] = {
    {"finds nothing", ExitStatus::kClean, "exit 0", true, true},
    {"finds violations", ExitStatus::kViolations, "exit 1", true, true, true},
    {"is refused", ExitStatus::kCouldNotRun, "exit 2"},
    {"is refused for its plan", ExitStatus::kViolations, "exit 1"},
    {"meets an error of its own", ExitStatus::kInternalError, "exit 3", true},
    {"speaks no words that can be read", ExitStatus::kInternalError, "exit 0", true, true},
    {"dies while kernels run", ExitStatus::kViolations, "kill -SEGV $$", true},
    {"dies after a violation", ExitStatus::kViolations, "kill -ABRT $$", true, false, true},
    {"dies before anything runs", ExitStatus::kInternalError, "kill -BUS $$"},
    {"is ended from outside", ExitStatus::kCouldNotRun, "kill -TERM $$", true},
    {"is silent", ExitStatus::kInternalError, "exit 0", true},
    {"calls violations clean", ExitStatus::kInternalError, "exit 0", true, true, true},
    {"is capped with nothing found", ExitStatus::kCouldNotRun, "exit 0", true, true},
};
constexpr std::size_t kRefused = 2, kPlanRefused = 3, kOwnError = 4, kUnreadable = 5, kCapped = 12;

// Mostly the last one with one thing changed.
std::vector<Place> DrawPlaces() {
  std::vector<Place> places(1);
  const int count = Below(8) == 0 ? 28 : Below(7);
  for (int i = 0; i < count; ++i) {
    Place next = places[static_cast<std::size_t>(Below(static_cast<int>(places.size())))];
    const int changes = 1 + (Below(4) == 0 ? 2 : 0);
    for (int change = 0; change < changes; ++change) {
      int* const fields[] = {&next.subgraph, &next.op,     &next.phase, &next.kind,
                             &next.operand,  &next.access, &next.side};
      constexpr int kEnds[] = {3, 3, 2, 4, 3, 2, 6};
      const int field = Below(7);
      *fields[field] = Below(kEnds[field]);
    }
    if (std::find(places.begin(), places.end(), next) == places.end()) places.push_back(next);
  }
  return places;
}

Seen DrawSeen(const Place& place, int distance, int count) {
  Seen seen;
  seen.place = place;
  seen.distance = distance;
  seen.count = count;
  seen.max_width = 1 << Below(5);
  seen.min_width = Below(2) == 0 ? seen.max_width : 1 + Below(seen.max_width);
  seen.operand_bytes = 1 + Below(300);
  seen.highest = Below(400) - 200;
  seen.lowest = seen.highest - Below(40);
  seen.kernel = Below(3);
  seen.state = Below(5);
  seen.state_kind = Below(static_cast<int>(std::size(kStates)));
  seen.reserve = Below(static_cast<int>(std::size(kReserves)));
  for (int left = Below(3); left > 0; --left) seen.map.push_back("map_" + std::to_string(Below(4)));
  return seen;
}

// The answers of some runs, each with the same outputs.
std::vector<Answer> DrawAnswers() {
  std::vector<Answer> answers;
  const int run_count = 1 + Below(3), output_count = 1 + Below(3);
  for (int run = 0; run < run_count; ++run) {
    for (int index = 0; index < output_count; ++index) {
      answers.push_back({run, index, "5a" + std::to_string(Below(4))});
    }
  }
  return answers;
}

// One of them is another, or some are missing.
void ChangeAnswers(std::vector<Answer>& answers) {
  if (Below(4) == 0) return answers.resize(Below(answers.size()));
  answers[Below(answers.size())].sha = "a5";
}

}  // namespace

std::vector<Part> DrawParts() {
  const std::vector<Place> places = DrawPlaces();
  const std::vector<Answer> answers = DrawAnswers();
  const bool calm = Below(2) == 0;  // most parts find something or nothing
  std::vector<Part> parts;
  int count = 10001;
  for (const char* const layout : {"faithful", "dilated"}) {
    for (const char* const instrument : {"shadow", "asan"}) {
      Part part{layout, instrument, &kFates[Below(calm ? 2 : static_cast<int>(std::size(kFates)))],
                {},     answers,    DrawPartDetails(),
                {}};
      const bool always = part.fate == &kFates[kCapped];
      if (always || (part.fate->finds && part.fate->finishes && OneIn(3))) part.cap = {!OneIn(4), Below(3), Below(9)};
      if (Below(8) == 0) ChangeAnswers(part.answers);
      for (const Place& place : places) {
        if (part.fate->finds && (Below(3) != 0 || &place == &places.back())) {
          part.seen.push_back(DrawSeen(place, 1 + Below(64), count++));
        }
      }
      if (part.fate->finds && part.seen.empty()) part.seen.push_back(DrawSeen(places.front(), 1, count++));
      parts.push_back(part);
    }
  }
  return parts;
}

std::string Part::cap_text() const {
  std::string text = "capped";
  if (cap->has_place) text += " at operator " + std::to_string(cap->op);
  if (cap->has_place && cap->subgraph != 0) text += " of subgraph " + std::to_string(cap->subgraph);
  return text + (instrument == "shadow" ? ": not all later accesses are listed" : ": later accesses were not checked");
}

Json AnswerJson(const Answer& answer) {
  const int place = 10 * answer.run + answer.index;
  return {{"run", answer.run},
          {"index", answer.index},
          {"bytes", 4 + place},
          {"name", "y" + std::to_string(place)},
          {"type", place % 2 == 0 ? "INT8" : "FLOAT32"},
          {"shape", {1, 4 + place}},
          {"first_values", {place + 0.5, place, -1}},
          {"sha256", answer.sha}};
}

Json FieldsOf(const Seen& seen) {
  const Place& at = seen.place;
  return {{"subgraph", at.subgraph},
          {"operator", at.op},
          {"operator_name", at.operator_name()},
          {"kernel", seen.kernel_name()},
          {"phase", kPhases[at.phase]},
          {"access", kAccesses[at.access]},
          {"side", kSides[at.side]},
          {"distance_bytes", seen.distance},
          {"min_width_bytes", seen.min_width},
          {"max_width_bytes", seen.max_width},
          {"count", seen.count},
          {"lowest_touched", seen.lowest},
          {"highest_touched", seen.highest},
          {"state", seen.state_text()},
          {"state_kind", kStates[seen.state_kind]},
          {"reserve", kReserves[seen.reserve]},
          {"map", seen.map}};
}

std::string WordsOf(const Part& part) {
  std::string words;
  const auto say = [&](const Json& event) { words += event.dump() + "\n"; };
  const auto fate = static_cast<std::size_t>(part.fate - kFates);
  say(Event("started"));
  say(part.details.self_test);
  if (part.fate->runs) say(part.details.plan);
  if (fate == kOwnError) say(Event("internal_error", {{"sentence", "nothing fits"}}));
  if (fate == kUnreadable) words += "{\"event\": \"outp\n";
  if (fate == kRefused) say(Event("refused", {{"stage", "allocate"}, {"sentence", "too small for " + part.layout}}));
  if (fate == kPlanRefused) say(Event("refused", {{"stage", "certify"}, {"sentence", "tensors share bytes"}}));
  for (const Seen& seen : part.seen) {
    const Place& at = seen.place;
    Json fields = FieldsOf(seen);
    fields["operand_kind"] = kKinds[at.kind];
    fields["operand_index"] = at.operand;
    fields["operand_name"] = at.operand_name();
    fields["operand_bytes"] = seen.operand_bytes;
    say(Event("violation", fields));
  }
  if (!part.fate->finishes) return words;
  for (const Json& event : part.details.at_the_end) say(event);
  for (const Answer& answer : part.answers) say(Event("output", AnswerJson(answer)));
  if (part.cap && part.cap->has_place) {
    say(Event("capped", {{"subgraph", part.cap->subgraph},
                         {"operator", part.cap->op},
                         {"operator_name", "FULL"},
                         {"phase", kPhases[1]}}));
  }
  say(Event("finished", {{"capped", part.cap.has_value()}}));
  return words;
}

}  // namespace arenaproof::testing

// Whatever the parts of a check say and however they end: the exit status is that of the worst of them, no violation is
// lost or told under another's name, every figure is the one that was said, answers that differ are told wherever they
// do, and the conclusion says what the status says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "props/reports/part_details.h"
#include "props/reports/played_workers.h"
#include "props/support/draws.h"
#include "tools/check.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// What becomes of one part, and what that is called.
struct Fate {
  const char* name;
  ExitStatus status;
  const char* end;
  bool runs = false;      // tells its plan
  bool finishes = false;  // tells its outputs and that it is done
  bool finds = false;     // tells violations
};

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

constexpr const char* kPhases[] = {"prepare", "invoke"};
constexpr const char* kKinds[] = {"input", "output", "constant", "scratch"};
constexpr const char* kAccesses[] = {"read", "write"};
constexpr const char* kSides[] = {"before", "after", "inside", "far"};
constexpr const char* kStates[] = {"gap", "dead_tensor", "scratch", "guard"};
constexpr const char* kReserves[] = {"none", "contained", "reaches_object"};

// The places that make a violation another one; indices into the lists above.
struct Place {
  int subgraph = 0, op = 0, phase = 1, kind = 0, operand = 0, access = 0, side = 0;
  auto operator<=>(const Place&) const = default;

  std::string operator_name() const { return "NAME_" + std::to_string(subgraph) + "_" + std::to_string(op); }
  std::string title() const {
    return operator_name() + " (operator " + std::to_string(op) +
           (subgraph == 0 ? "" : " of subgraph " + std::to_string(subgraph)) + ")";
  }
  std::string operand_name() const { return std::string(kKinds[kind]) + "_called_" + std::to_string(operand); }
};

// What a part says of it; each part something else.
struct Seen {
  Place place;
  int distance = 0, count = 0;
  int min_width = 1, max_width = 1, operand_bytes = 20, lowest = 0, highest = 0;
  int kernel = 0, state = 0, state_kind = 0, reserve = 0;
  std::vector<std::string> map;

  std::string kernel_name() const { return "kernels_" + std::to_string(kernel); }
  std::string state_text() const { return "state_of_" + std::to_string(state); }
  std::string width_text() const {
    return (min_width == max_width ? "" : std::to_string(min_width) + "-") + std::to_string(max_width);
  }
};

struct Answer {
  int run = 0, index = 0;
  std::string sha;
  bool operator==(const Answer&) const = default;
};

struct Part {
  std::string layout, instrument;
  const Fate* fate = nullptr;
  std::vector<Seen> seen;
  std::vector<Answer> answers;
  PartDetails details;
};

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
      constexpr int kEnds[] = {3, 3, 2, 4, 3, 2, 4};
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

// Of some runs, each with the same outputs.
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

std::vector<Part> DrawParts() {
  const std::vector<Place> places = DrawPlaces();
  const std::vector<Answer> answers = DrawAnswers();
  const bool calm = Below(2) == 0;  // most parts find something or nothing
  std::vector<Part> parts;
  int count = 10001;
  for (const char* const layout : {"faithful", "dilated"}) {
    for (const char* const instrument : {"shadow", "asan"}) {
      Part part{layout, instrument, &kFates[Below(calm ? 2 : static_cast<int>(std::size(kFates)))],
                {},     answers,    DrawPartDetails()};
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

// What is said and reported of an answer; all of one place have the same.
Json AnswerJson(const Answer& answer) {
  const int place = 10 * answer.run + answer.index;
  return {{"run", answer.run},
          {"index", answer.index},
          {"bytes", 4 + place},
          {"name", "y" + std::to_string(place)},
          {"type", place % 2 == 0 ? "INT8" : "FLOAT32"},
          {"shape", {1, 4 + place}},
          {"first", {place + 0.5, -1.0}},
          {"sha256", answer.sha}};
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
    say(Event("violation", {{"subgraph", at.subgraph},
                            {"operator", at.op},
                            {"operator_name", at.operator_name()},
                            {"phase", kPhases[at.phase]},
                            {"kernel", seen.kernel_name()},
                            {"operand_kind", kKinds[at.kind]},
                            {"operand_index", at.operand},
                            {"operand_name", at.operand_name()},
                            {"operand_bytes", seen.operand_bytes},
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
                            {"map", seen.map},
                            {"reserve", kReserves[seen.reserve]}}));
  }
  if (!part.fate->finishes) return words;
  for (const Json& event : part.details.at_the_end) say(event);
  for (const Answer& answer : part.answers) say(Event("output", AnswerJson(answer)));
  say(Event("finished", {{"capped", fate == kCapped}}));
  return words;
}

// What a sentence about them has to hold: of each part that ran to its end and answers otherwise than the first such.
std::vector<std::string> DifferencesOf(const std::vector<Part>& parts) {
  const Part* first = nullptr;
  std::vector<std::string> differences;
  for (const Part& part : parts) {
    if (!part.fate->finishes || part.fate->status > ExitStatus::kViolations) continue;
    if (first == nullptr) first = &part;
    if (part.answers == first->answers) continue;
    if (part.answers.size() != first->answers.size()) {
      differences.emplace_back("the number of outputs differs");
      continue;
    }
    const auto at = std::mismatch(part.answers.begin(), part.answers.end(), first->answers.begin()).first;
    differences.push_back("output " + std::to_string(at->index) + " of run " + std::to_string(at->run) + " differs");
  }
  return differences;
}

ExitStatus WorstOf(const std::vector<Part>& parts) {
  for (const ExitStatus status : {ExitStatus::kInternalError, ExitStatus::kCouldNotRun, ExitStatus::kViolations}) {
    for (const Part& part : parts) {
      if (part.fate->status == status) return status;
    }
    if (status == ExitStatus::kViolations && !DifferencesOf(parts).empty()) return status;
  }
  return ExitStatus::kClean;
}

bool Contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

void Require(bool holds, const std::string& what) {
  const std::string message = "VIOLATED: " + what;
  if (!holds) RC_FAIL(message);
}

void RequireFields(const char* whose, const Json& expected, const Json& report) {
  const std::string difference = FirstDifference(expected, report);
  Require(difference.empty(), std::string(whose) + " is reported otherwise than it was said: " + difference);
}

void JudgeViolation(const Json& told, const Seen& seen, const Part& part) {
  const Place& at = seen.place;
  RequireFields(
      "a violation",
      {{"subgraph", at.subgraph},
       {"operator", at.op},
       {"operator_name", at.operator_name()},
       {"kernel", seen.kernel_name()},
       {"phase", kPhases[at.phase]},
       {"operand",
        {{"kind", kKinds[at.kind]}, {"index", at.operand}, {"name", at.operand_name()}, {"bytes", seen.operand_bytes}}},
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
       {"map", seen.map}},
      told);
  const auto command = told["reproduce"].get<std::string>();
  Require(Contains(command, " --layout=" + part.layout + " ") && Contains(command, " --instrument=" + part.instrument),
          "a violation is to be reproduced elsewhere than it was seen");
}

void JudgePartJson(const Json& told, const Part& part) {
  RequireFields(
      "a part",
      {{"layout", part.layout}, {"instrument", part.instrument}, {"exit_status", static_cast<int>(part.fate->status)}},
      told);
  Require(told["violations"].size() == part.seen.size(), "violations of a part are lost");
  for (std::size_t i = 0; i < part.seen.size(); ++i) JudgeViolation(told["violations"][i], part.seen[i], part);
  RequireFields("a self-test", part.details.told_of_start, told);
  if (part.fate->runs) RequireFields("a plan", part.details.told_of_plan, told);
  if (!part.fate->finishes || part.fate->status == ExitStatus::kInternalError) return;
  RequireFields("a run", part.details.told_of_end, told);
  Json outputs = Json::array();
  for (const Answer& answer : part.answers) outputs.push_back(AnswerJson(answer));
  RequireFields("an answer", {{"outputs", outputs}}, told);
}

void JudgeJson(const Json& report, const std::vector<Part>& parts) {
  Require(report["exit_status"] == static_cast<int>(WorstOf(parts)), "the status is not that of the worst part");
  const std::vector<std::string> differences = DifferencesOf(parts);
  const Json& told = report["output_differences"];
  Require(told.size() == differences.size(), "answers differ and that is not told, or the reverse");
  for (std::size_t i = 0; i < differences.size(); ++i) {
    Require(Contains(told[i].get<std::string>(), differences[i] + " between "), "other answers are said to differ");
  }
  RC_ASSERT(report["parts"].size() == parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) JudgePartJson(report["parts"][i], parts[i]);
}

// The text's paragraphs about one violation each: their headlines begin with "VIOLATION" and a number.
std::vector<std::string> ParagraphsOf(const std::string& text) {
  std::vector<std::string> paragraphs;
  for (int number = 1;; ++number) {
    const std::size_t start = text.find("VIOLATION " + std::to_string(number) + ": ");
    if (start == std::string::npos) return paragraphs;
    paragraphs.push_back(text.substr(start, text.find("\n\n", start) - start));
  }
}

std::vector<std::string> WordsIn(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// A paragraph names its violation, and has one row for each part that saw it and no other.
void JudgeParagraph(const std::string& paragraph, const Place& place, const std::vector<Part>& parts) {
  std::istringstream stream(paragraph);
  std::string headline;
  std::getline(stream, headline);
  RC_LOG() << headline << "\n";
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(stream, line);) rows.push_back(WordsIn(line));
  const Seen* first = nullptr;
  int furthest = 0;
  for (const Part& part : parts) {
    for (const Seen& seen : part.seen) {
      Require(Contains(paragraph, " " + std::to_string(seen.count) + " ") == (seen.place == place),
              "violations of two places are told as one");
      if (seen.place != place) continue;
      if (first == nullptr) first = &seen;
      furthest = std::max(furthest, seen.distance);
      const std::vector<std::string> row = {part.layout,
                                            part.instrument,
                                            std::to_string(seen.distance),
                                            seen.width_text(),
                                            std::to_string(seen.count),
                                            std::to_string(seen.lowest),
                                            "to",
                                            std::to_string(seen.highest),
                                            seen.state_text()};
      Require(std::find(rows.begin(), rows.end(), row) != rows.end(), "a violation's row has other figures");
    }
  }
  const bool names_it =
      Contains(headline, ": " + place.title() + ", kernel " + first->kernel_name() + ", ") &&
      Contains(headline, place.operand_name() + "\" (" + std::to_string(first->operand_bytes) + " ") &&
      Contains(headline, place.access == 1 ? ", writes " : ", reads ") && Contains(headline, kSides[place.side]) &&
      headline.ends_with(", in prepare") == (place.phase == 0);
  Require(names_it, "a violation is told under another's name");
  Require(place.side == 2 || Contains(headline, " " + std::to_string(furthest) + " byte"),
          "a violation's headline has another distance than the furthest");
}

void JudgeText(const std::string& text, const std::vector<Part>& parts) {
  constexpr std::size_t kMostShown = 20;
  std::map<Place, std::string> first_counts;
  for (const Part& part : parts) {
    for (const Seen& seen : part.seen) first_counts.try_emplace(seen.place, " " + std::to_string(seen.count) + " ");
  }
  const std::vector<std::string> paragraphs = ParagraphsOf(text);
  Require(paragraphs.size() == std::min(first_counts.size(), kMostShown), "violations of two places are told as one");
  std::size_t told = 0;
  for (const auto& [place, count] : first_counts) {
    for (const std::string& paragraph : paragraphs) {
      if (!Contains(paragraph, count)) continue;
      ++told;
      JudgeParagraph(paragraph, place, parts);
    }
  }
  RC_ASSERT(told == paragraphs.size());
  if (first_counts.size() > kMostShown) {
    RC_ASSERT(Contains(text, "... and " + std::to_string(first_counts.size() - kMostShown) + " more violation"));
  }
  constexpr const char* kConclusions[] = {"clean: ", "violations found", "could not run", "internal error"};
  const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
  Require(text.substr(last_line).starts_with(kConclusions[static_cast<int>(WorstOf(parts))]),
          "the conclusion is not that of the worst part");
}

RC_GTEST_PROP(CheckReports, TellTheWorstOfAllPartsAndEveryViolationOnce, ()) {
  static PlayedWorkers workers;
  const std::vector<Part> parts = DrawParts();
  for (const Part& part : parts) {
    RC_LOG() << part.layout << " " << part.instrument << " " << part.fate->name << ", answers";
    for (const Answer& answer : part.answers) RC_LOG() << " " << answer.sha;
    RC_LOG() << "\n";
    for (const Seen& seen : part.seen) {
      RC_LOG() << "  " << seen.place.title() << " " << kPhases[seen.place.phase] << " " << kAccesses[seen.place.access]
               << " " << kSides[seen.place.side] << " " << seen.place.operand_name() << "\n";
    }
    workers.Tell(part.layout, part.instrument, WordsOf(part), part.fate->end);
  }
  CheckOptions options;
  options.model = workers.model();
  const CheckResult result = RunCheck(options, nullptr);
  RC_ASSERT(result.refusal.empty());
  Require(result.status == WorstOf(parts), "the status is not that of the worst part");
  JudgeJson(Json::parse(CheckReportJson(options, result)), parts);
  JudgeText(CheckReportText(options, result), parts);
}

}  // namespace
}  // namespace arenaproof::testing

// Whatever the parts of a check say and however they end: the exit status is that of the worst of them, no violation is
// lost or told under another's name, and the conclusion says what the status says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "props/reports/played_workers.h"
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

struct Seen {
  Place place;
  int distance = 0, count = 0;
};

struct Part {
  std::string layout, instrument;
  const Fate* fate = nullptr;
  std::vector<Seen> seen;
  std::string sha;
};

// From the whole range however few cases were drawn, and not made smaller after a failure: a case takes processes.
int Below(int end) { return *rc::gen::resize(rc::kNominalSize, rc::gen::noShrink(rc::gen::inRange(0, end))); }

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

std::vector<Part> DrawParts() {
  const std::vector<Place> places = DrawPlaces();
  const bool calm = Below(2) == 0;  // most parts find something or nothing
  std::vector<Part> parts;
  int count = 10001;
  for (const char* const layout : {"faithful", "dilated"}) {
    for (const char* const instrument : {"shadow", "asan"}) {
      Part part{layout, instrument, &kFates[Below(calm ? 2 : static_cast<int>(std::size(kFates)))], {}, "5a5a"};
      if (Below(12) == 0) part.sha = "a5a5";
      for (const Place& place : places) {
        if (part.fate->finds && (Below(3) != 0 || &place == &places.back())) {
          part.seen.push_back({place, 1 + Below(64), count++});
        }
      }
      if (part.fate->finds && part.seen.empty()) part.seen.push_back({places.front(), 1, count++});
      parts.push_back(part);
    }
  }
  return parts;
}

Json Event(const char* event, Json fields = Json::object()) {
  fields["event"] = event;
  return fields;
}

std::string WordsOf(const Part& part) {
  std::string words;
  const auto say = [&](const Json& event) { words += event.dump() + "\n"; };
  const auto fate = static_cast<std::size_t>(part.fate - kFates);
  say(Event("started"));
  say(Event("self_test", {{"sees", true}, {"what", Json::array()}, {"missed", Json::array()}}));
  if (part.fate->runs) say(Event("plan", {{"head_bytes", 16}, {"tail_bytes", 16}, {"buffers", Json::array()}}));
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
                            {"kernel", "k"},
                            {"operand_kind", kKinds[at.kind]},
                            {"operand_index", at.operand},
                            {"operand_name", at.operand_name()},
                            {"operand_bytes", 20},
                            {"access", kAccesses[at.access]},
                            {"side", kSides[at.side]},
                            {"distance_bytes", seen.distance},
                            {"min_width_bytes", 1},
                            {"max_width_bytes", 16},
                            {"count", seen.count},
                            {"lowest_touched", -seen.distance},
                            {"highest_touched", -1},
                            {"state", "gap"},
                            {"state_kind", "gap"},
                            {"reserve", "none"}}));
  }
  if (!part.fate->finishes) return words;
  say(Event("output", {{"run", 0}, {"index", 0}, {"bytes", 4}, {"name", "y"}, {"type", "INT8"}, {"sha256", part.sha}}));
  say(Event("finished", {{"capped", fate == kCapped}}));
  return words;
}

// Of parts that ran to their end, whose answers count.
bool AnswersDiffer(const std::vector<Part>& parts) {
  std::optional<std::string> first;
  bool differ = false;
  for (const Part& part : parts) {
    if (!part.fate->finishes || part.fate->status > ExitStatus::kViolations) continue;
    if (!first) first = part.sha;
    differ = differ || part.sha != *first;
  }
  return differ;
}

ExitStatus WorstOf(const std::vector<Part>& parts) {
  for (const ExitStatus status : {ExitStatus::kInternalError, ExitStatus::kCouldNotRun, ExitStatus::kViolations}) {
    for (const Part& part : parts) {
      if (part.fate->status == status) return status;
    }
    if (status == ExitStatus::kViolations && AnswersDiffer(parts)) return status;
  }
  return ExitStatus::kClean;
}

void JudgeJson(const Json& report, const std::vector<Part>& parts) {
  RC_ASSERT(report["exit_status"] == static_cast<int>(WorstOf(parts)));
  RC_ASSERT(report["output_differences"].empty() == !AnswersDiffer(parts));
  RC_ASSERT(report["parts"].size() == parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Json& part = report["parts"][i];
    RC_ASSERT(part["layout"] == parts[i].layout);
    RC_ASSERT(part["instrument"] == parts[i].instrument);
    RC_ASSERT(part["exit_status"] == static_cast<int>(parts[i].fate->status));
    RC_ASSERT(part["violations"].size() == parts[i].seen.size());
    for (std::size_t j = 0; j < parts[i].seen.size(); ++j) {
      const Json& told = part["violations"][j];
      const Seen& seen = parts[i].seen[j];
      const Place& at = seen.place;
      RC_ASSERT(told["subgraph"] == at.subgraph);
      RC_ASSERT(told["operator"] == at.op);
      RC_ASSERT(told["operator_name"] == at.operator_name());
      RC_ASSERT(told["phase"] == kPhases[at.phase]);
      RC_ASSERT(told["operand"]["kind"] == kKinds[at.kind]);
      RC_ASSERT(told["operand"]["index"] == at.operand);
      RC_ASSERT(told["operand"]["name"] == at.operand_name());
      RC_ASSERT(told["access"] == kAccesses[at.access]);
      RC_ASSERT(told["side"] == kSides[at.side]);
      RC_ASSERT(told["distance_bytes"] == seen.distance);
      RC_ASSERT(told["count"] == seen.count);
      RC_ASSERT(told["lowest_touched"] == -seen.distance);
      RC_ASSERT(told["highest_touched"] == -1);
    }
  }
}

bool Contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// The text's paragraphs about one violation each: their headlines begin with "VIOLATION" and a number.
std::vector<std::string> ParagraphsOf(const std::string& text) {
  std::vector<std::string> paragraphs;
  for (int number = 1;; ++number) {
    const std::size_t start = text.find("VIOLATION " + std::to_string(number) + ": ");
    if (start == std::string::npos) return paragraphs;
    paragraphs.push_back(text.substr(start, text.find("\n\n", start) - start));
  }
}

// A paragraph names its violation, and has one row for each part that saw it and no other.
void JudgeParagraph(const std::string& paragraph, const Place& place, const std::vector<Part>& parts) {
  const std::string headline = paragraph.substr(0, paragraph.find('\n'));
  RC_LOG() << headline << "\n";
  RC_ASSERT(Contains(headline, ": " + place.title() + ", "));
  RC_ASSERT(Contains(headline, place.operand_name()));
  RC_ASSERT(Contains(headline, place.access == 1 ? ", writes " : ", reads "));
  RC_ASSERT(Contains(headline, kSides[place.side]));
  RC_ASSERT(headline.ends_with(", in prepare") == (place.phase == 0));
  int furthest = 0;
  for (const Part& part : parts) {
    for (const Seen& seen : part.seen) {
      RC_ASSERT(Contains(paragraph, " " + std::to_string(seen.count) + " ") == (seen.place == place));
      if (seen.place == place) furthest = std::max(furthest, seen.distance);
    }
  }
  if (place.side != 2) RC_ASSERT(Contains(headline, " " + std::to_string(furthest) + " byte"));
}

void JudgeText(const std::string& text, const std::vector<Part>& parts) {
  constexpr std::size_t kMostShown = 20;
  std::map<Place, std::string> first_counts;
  for (const Part& part : parts) {
    for (const Seen& seen : part.seen) first_counts.try_emplace(seen.place, " " + std::to_string(seen.count) + " ");
  }
  const std::vector<std::string> paragraphs = ParagraphsOf(text);
  RC_ASSERT(paragraphs.size() == std::min(first_counts.size(), kMostShown));
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
  RC_ASSERT(text.substr(last_line).starts_with(kConclusions[static_cast<int>(WorstOf(parts))]));
}

RC_GTEST_PROP(CheckReports, TellTheWorstOfAllPartsAndEveryViolationOnce, ()) {
  static PlayedWorkers workers;
  const std::vector<Part> parts = DrawParts();
  for (const Part& part : parts) {
    RC_LOG() << part.layout << " " << part.instrument << " " << part.fate->name << ", output " << part.sha << "\n";
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
  RC_ASSERT(result.status == WorstOf(parts));
  JudgeJson(Json::parse(CheckReportJson(options, result)), parts);
  JudgeText(CheckReportText(options, result), parts);
}

}  // namespace
}  // namespace arenaproof::testing

// Whatever the parts of a check say and however they end: the exit status is that of the worst of them, no violation is
// lost or reported under another's name, every figure is the one that was said, answers that differ are reported
// wherever they do, and the conclusion says what the status says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "props/reports/reported_parts.h"
#include "props/reports/scripted_workers.h"
#include "props/support/require.h"
#include "tools/command/check.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

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

// What was found stays found when another part could not run.
ExitStatus WorstOf(const std::vector<Part>& parts) {
  for (const ExitStatus status : {ExitStatus::kInternalError, ExitStatus::kViolations, ExitStatus::kCouldNotRun}) {
    for (const Part& part : parts) {
      if (part.fate->status == status) return status;
    }
    if (status == ExitStatus::kViolations && !DifferencesOf(parts).empty()) return status;
  }
  return ExitStatus::kClean;
}

bool Contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

void RequireFields(const char* whose, const Json& expected, const Json& report) {
  const std::string difference = FirstDifference(expected, report);
  Require(difference.empty(), std::string(whose) + " is reported otherwise than it was said: " + difference);
}

void CheckViolation(const Json& reported, const Seen& seen, const Part& part) {
  const Place& at = seen.place;
  Json expected = FieldsOf(seen);
  expected["operand"] = {
      {"kind", kKinds[at.kind]}, {"index", at.operand}, {"name", at.operand_name()}, {"bytes", seen.operand_bytes}};
  RequireFields("a violation", expected, reported);
  const auto command = reported["reproduce"].get<std::string>();
  Require(Contains(command, " --layout=" + part.layout + " ") && Contains(command, " --instrument=" + part.instrument),
          "a violation is to be reproduced elsewhere than it was seen");
}

void CheckPartJson(const Json& reported, const Part& part) {
  RequireFields(
      "a part",
      {{"layout", part.layout}, {"instrument", part.instrument}, {"exit_status", static_cast<int>(part.fate->status)}},
      reported);
  Require(reported["violations"].size() == part.seen.size(), "violations of a part are lost");
  for (std::size_t i = 0; i < part.seen.size(); ++i) CheckViolation(reported["violations"][i], part.seen[i], part);
  RequireFields("a self-test", part.details.reported_of_start, reported);
  if (part.fate->runs) RequireFields("a plan", part.details.reported_of_plan, reported);
  if (!part.fate->finishes || part.fate->status == ExitStatus::kInternalError) return;
  RequireFields("a run", part.details.reported_of_end, reported);
  RequireFields("a cap", {{"more_violations_than_kept", part.cap.has_value()}}, reported);
  Require(reported.contains("capped") == part.cap.has_value(),
          "a part is not reported to be capped, or is and was not");
  if (part.cap) {
    RequireFields("a cap",
                  {{"capped", part.cap_text()}, {"capped_at_operator", part.cap->has_place ? part.cap->op : -1}},
                  reported);
  }
  Json outputs = Json::array();
  for (const Answer& answer : part.answers) outputs.push_back(AnswerJson(answer));
  RequireFields("an answer", {{"outputs", outputs}}, reported);
}

void CheckJson(const Json& report, const std::vector<Part>& parts) {
  Require(report["exit_status"] == static_cast<int>(WorstOf(parts)), "the status is not that of the worst part");
  const std::vector<std::string> differences = DifferencesOf(parts);
  const Json& reported = report["output_differences"];
  Require(reported.size() == differences.size(), "answers differ and that is not reported, or the reverse");
  for (std::size_t i = 0; i < differences.size(); ++i) {
    Require(Contains(reported[i].get<std::string>(), differences[i] + " between "), "other answers are said to differ");
  }
  RC_ASSERT(report["parts"].size() == parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) CheckPartJson(report["parts"][i], parts[i]);
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
void CheckParagraph(const std::string& paragraph, const Place& place, const std::vector<Part>& parts) {
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
              "violations of two places are reported as one");
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
  // What another side says in place of an access and its side.
  const char* const in_words = place.side == 4   ? "that it has overwritten"
                               : place.side == 5 ? "in another way"
                               : place.side == 6 ? "that nobody has written"
                                                 : nullptr;
  const bool names_side = in_words != nullptr ? Contains(headline, in_words)
                                              : Contains(headline, place.access == 1 ? ", writes " : ", reads ") &&
                                                    Contains(headline, kSides[place.side]);
  const bool names_it =
      Contains(headline, ": " + place.title() + ", kernel " + first->kernel_name() + ", ") &&
      Contains(headline, place.operand_name() + "\" (" + std::to_string(first->operand_bytes) + " ") && names_side &&
      headline.ends_with(", in prepare") == (place.phase == 0 && place.side != 5);
  Require(names_it, "a violation is reported under another's name");
  Require(place.side == 2 || in_words != nullptr || Contains(headline, " " + std::to_string(furthest) + " byte"),
          "a violation's headline has another distance than the furthest");
}

// Blind pairs in the layout that has the fewest.
int PairsLeft(const std::vector<Part>& parts, const char* of) {
  std::map<std::string, int> most;
  for (const Part& part : parts) {
    most[part.layout] = std::max(most[part.layout], part.details.reported_of_end[of]["count"].get<int>());
  }
  return std::min(most["faithful"], most["dilated"]);
}

std::string PairsText(int count) { return std::to_string(count) + (count == 1 ? " blind pair" : " blind pairs"); }

void CheckClean(const std::string& conclusion, const std::vector<Part>& parts) {
  const int pairs = PairsLeft(parts, "blind_pairs"), in_prepare = PairsLeft(parts, "blind_pairs_in_prepare");
  Require(Contains(conclusion, "clean as far as seen: " + PairsText(pairs)) == (pairs > 0),
          "a conclusion calls a model clean and hides its blind pairs, or speaks of some that are none");
  Require(Contains(conclusion, "in prepare as far as seen: " + PairsText(in_prepare)) == (in_prepare > 0),
          "a conclusion calls a model clean and hides its blind pairs in prepare, or speaks of some that are none");
}

void CheckViolationsText(const std::string& text, const std::vector<Part>& parts) {
  constexpr std::size_t kMostShown = 20;
  std::map<Place, std::string> first_counts;
  for (const Part& part : parts) {
    for (const Seen& seen : part.seen) first_counts.try_emplace(seen.place, " " + std::to_string(seen.count) + " ");
  }
  const std::vector<std::string> paragraphs = ParagraphsOf(text);
  Require(paragraphs.size() == std::min(first_counts.size(), kMostShown),
          "violations of two places are reported as one");
  std::size_t reported = 0;
  for (const auto& [place, count] : first_counts) {
    for (const std::string& paragraph : paragraphs) {
      if (!Contains(paragraph, count)) continue;
      ++reported;
      CheckParagraph(paragraph, place, parts);
    }
  }
  RC_ASSERT(reported == paragraphs.size());
  if (first_counts.size() > kMostShown) {
    RC_ASSERT(Contains(text, "... and " + std::to_string(first_counts.size() - kMostShown) + " more violation"));
  }
  constexpr const char* kConclusions[] = {"clean", "violations found", "could not run", "internal error"};
  const std::string conclusion = text.substr(text.rfind('\n', text.size() - 2) + 1);
  Require(conclusion.starts_with(kConclusions[static_cast<int>(WorstOf(parts))]),
          "the conclusion is not that of the worst part");
  if (WorstOf(parts) == ExitStatus::kClean) CheckClean(conclusion, parts);
}

std::size_t CountIn(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; at += words.size()) ++count;
  return count;
}

// A part that found something and was capped says so in its row, and in the conclusion where violations are it; one
// that found nothing is reported as one that could not run, with the same sentence once.
void CheckCaps(const std::string& text, const std::vector<Part>& parts) {
  const std::string conclusion = text.substr(text.rfind('\n', text.size() - 2) + 1);
  std::size_t capped_count = 0;
  for (const Part& part : parts) {
    if (!part.cap) continue;
    ++capped_count;
    std::istringstream lines(text);
    bool reported = !part.fate->finds && Contains(text, part.cap_text());
    for (std::string line; std::getline(lines, line);) {
      reported = reported ||
                 (Contains(line, part.layout) && Contains(line, part.instrument) && Contains(line, part.cap_text()));
    }
    Require(reported || part.fate->status == ExitStatus::kInternalError,
            "the text does not report that a part was capped");
  }
  if (WorstOf(parts) == ExitStatus::kViolations) {
    Require(CountIn(conclusion, " was capped") == capped_count,
            "the conclusion does not name the parts that were capped");
  }
}

RC_GTEST_PROP(CheckReports, ReportTheWorstOfAllPartsAndEveryViolationOnce, ()) {
  static ScriptedWorkers workers;
  const std::vector<Part> parts = DrawParts();
  for (const Part& part : parts) {
    RC_LOG() << part.layout << " " << part.instrument << " " << part.fate->name << ", answers";
    for (const Answer& answer : part.answers) RC_LOG() << " " << answer.sha;
    RC_LOG() << "\n";
    for (const Seen& seen : part.seen) {
      RC_LOG() << "  " << seen.place.title() << " " << kPhases[seen.place.phase] << " " << kAccesses[seen.place.access]
               << " " << kSides[seen.place.side] << " " << seen.place.operand_name() << "\n";
    }
    workers.Script(part.layout, part.instrument, WordsOf(part), part.fate->end);
  }
  CheckOptions options;
  options.model = workers.model();
  const CheckResult result = RunCheck(options, nullptr);
  RC_ASSERT(result.refusal.empty());
  Require(result.status == WorstOf(parts), "the status is not that of the worst part");
  CheckJson(Json::parse(CheckReportJson(options, result)), parts);
  const std::string text = CheckReportText(options, result);
  CheckViolationsText(text, parts);
  CheckCaps(text, parts);
}

}  // namespace
}  // namespace arenaproof::testing

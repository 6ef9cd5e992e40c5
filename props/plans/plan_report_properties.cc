// Whatever planner plans a file, every figure of every format is that of the plan and of the problem: counted here
// again. What was written is read back, certified when it is the plan and refused for what is wrong when it was
// changed.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/drawn_plan.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "engine/oracles/plans/smallest_head.h"
#include "props/plans/plan_text_draws.h"
#include "props/plans/problem_draws.h"
#include "props/reports/scratch_file.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/plan.h"
#include "tools/command/verify.h"
#include "tools/planner/plan_json.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/plan_csv.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostPlanned = 7;

struct PlannedFile {
  std::vector<PlanBuffer> buffers;
  std::vector<std::string> ids;
  PlanOptions options;
  PlannedSubject subject;
  MadePlan plan;
};

const ScratchFile& ProblemFile() {
  static const ScratchFile file;
  return file;
}

bool AllAligned(const std::vector<PlanBuffer>& buffers) {
  return std::all_of(buffers.begin(), buffers.end(),
                     [&](const PlanBuffer& buffer) { return buffer.alignment == buffers.front().alignment; });
}

bool AnyFixed(const std::vector<PlanBuffer>& buffers) {
  return std::any_of(buffers.begin(), buffers.end(),
                     [](const PlanBuffer& buffer) { return buffer.offset.has_value(); });
}

// Sizes, offsets and alignments so many times as large that plans end above 2^60, and below 2^62 wherever one of them
// moves to the place of another.
void MakeHuge(std::vector<PlanBuffer>& buffers) {
  std::int64_t most = 1;
  for (const PlanBuffer& buffer : buffers) most += buffer.bytes + buffer.alignment + buffer.offset.value_or(0);
  std::int64_t factor = 1;
  while (factor <= (std::int64_t{1} << 60) / most) factor *= 2;
  for (PlanBuffer& buffer : buffers) {
    buffer.bytes *= factor;
    buffer.alignment *= factor;
    if (buffer.offset) *buffer.offset *= factor;
  }
}

// Lifetimes that go on, or lie, beyond 32 bits, where others stay within them. What is fixed stays as it is.
void MoveSomeFarAway(std::vector<PlanBuffer>& buffers) {
  constexpr std::int64_t kFar = (std::int64_t{1} << 33) - 5;
  for (PlanBuffer& buffer : buffers) {
    if (buffer.offset || buffer.lifetime.lower / kFar != 0 || buffer.lifetime.upper / kFar != 0 || OneIn(2)) continue;
    buffer.lifetime.upper += kFar;
    if (OneIn(2)) continue;
    buffer.lifetime.lower += kFar;
    for (TimeInterval& gap : buffer.gaps) gap = {gap.lower + kFar, gap.upper + kFar};
  }
}

// False: the planner that was drawn does not take the problem, and says so.
bool DrawPlanned(PlannedFile& file) {
  file.buffers = DrawSoundProblem(kMostPlanned);
  if (OneIn(6)) MoveSomeFarAway(file.buffers);
  if (OneIn(4)) MakeHuge(file.buffers);
  file.ids = DrawIds(file.buffers.size());
  ProblemFile().Replace(DrawProblemCsv(file.buffers, file.ids));
  file.options.path = ProblemFile().path();
  file.options.planner = kPlannerNames[OneIn(2) ? 0 : Below(std::size(kPlannerNames))];
  RC_LOG() << file.options.planner << "\n" << ProblemText(file.buffers);
  const std::string refused = file.subject.Load(file.options, OwnPlan::kKept);
  Require(refused.empty(), "a sound problem is read: " + refused);
  file.plan = MakePlan(file.options.planner, file.subject.problem(), {.work_limit = 500});
  if (file.plan.problem.empty()) return true;
  RC_LOG() << file.plan.problem << "\n";
  const bool fixes = file.options.planner == "linear" || file.options.planner == "arena";
  Require(file.options.planner != "optimal" && (!AllAligned(file.buffers) || (fixes && AnyFixed(file.buffers))),
          "a planner takes what it says it takes: " + file.plan.problem);
  return false;
}

std::int64_t EndOf(const PlannedFile& file) {
  std::int64_t end = 0;
  for (std::size_t i = 0; i < file.buffers.size(); ++i) {
    end = std::max(end, *file.plan.offsets[i] + file.buffers[i].bytes);
  }
  return end;
}

void RequirePeakOf(const std::vector<PlanBuffer>& buffers, const std::vector<std::string>& ids, const Json& peak) {
  const LoadMoment largest = LargestLoad(buffers);
  RC_LOG() << "largest load " << largest.bytes << " at " << largest.time << ", reported " << peak.dump() << "\n";
  Require(peak["bytes"] == largest.bytes, "the peak is the largest load");
  if (largest.bytes == 0) return;
  Json names = Json::array();
  for (const std::size_t i : largest.buffers) names.push_back(ids[i]);
  Require(peak["time"] == largest.time, "the peak is told of the first time that has it");
  Require(peak["buffers"] == names, "the peak names those that live then");
}

void RequireBuffersOf(const PlannedFile& file, const Json& reported) {
  Require(reported.size() == file.buffers.size(), "each buffer is in the report");
  for (std::size_t i = 0; i < file.buffers.size(); ++i) {
    const PlanBuffer& buffer = file.buffers[i];
    const Json& row = reported[i];
    Require(row["id"] == file.ids[i] && row["offset"] == *file.plan.offsets[i] && row["bytes"] == buffer.bytes &&
                row["alignment"] == buffer.alignment && row["lower"] == buffer.lifetime.lower &&
                row["upper"] == buffer.lifetime.upper && row["fixed"] == buffer.offset.has_value() &&
                !row.contains("group"),
            "a report has each buffer as it was written and planned");
  }
}

// The rows of the table: offset, bytes, alive from, before.
void RequireTextOf(const PlannedFile& file, const std::string& text) {
  std::istringstream lines(text.substr(text.find("alive from")));
  std::string line;
  std::getline(lines, line);
  for (std::size_t i = 0; i < file.buffers.size(); ++i) {
    const PlanBuffer& buffer = file.buffers[i];
    RC_ASSERT(static_cast<bool>(std::getline(lines, line)));
    std::istringstream words(line);
    std::string offset, bytes, from, before;
    words >> offset >> bytes >> from;
    Require(offset == std::to_string(*file.plan.offsets[i]) && bytes == std::to_string(buffer.bytes),
            "the text has each buffer's place: " + line);
    if (buffer.lifetime.lower == buffer.lifetime.upper) {
      Require(from == "never", "the text says what never lives");
      continue;
    }
    words >> before;
    Require(from == std::to_string(buffer.lifetime.lower) && before == std::to_string(buffer.lifetime.upper),
            "the text has each buffer's lifetime: " + line);
  }
}

RC_GTEST_PROP(PlanReports, AreThePlan, ()) {
  PlannedFile file;
  if (!DrawPlanned(file)) return;
  const ReportedPlan report{file.subject, file.plan};
  const std::vector<std::optional<std::int64_t>>& offsets = file.plan.offsets;
  Require(WhatIsWrong(file.buffers, offsets).fault == PlanFault::kNone, "a plan that is made is valid");
  const Json json = Json::parse(PlanReportJson(file.options, report));
  Require(json["peak_bytes"] == EndOf(file), "the peak of a plan is the end of its highest buffer");
  const std::int64_t bound = json["lower_bound_bytes"].get<std::int64_t>();
  Require(LargestLoad(file.buffers).bytes <= bound && bound <= SmallestHead(file.buffers),
          "the bound is no less than what lives at once and no more than the smallest head");
  std::int64_t largest = LargestLoad(file.buffers).bytes;
  for (const PlanBuffer& buffer : file.buffers) largest = std::max(largest, buffer.bytes);
  Require(json["free_lower_bound_bytes"] == largest,
          "what is proven of all plans is what lives at once, or one buffer");
  for (const PlanBuffer& buffer : file.buffers) {
    if (!buffer.offset || buffer.bytes == 0 || buffer.lifetime.lower == buffer.lifetime.upper) continue;
    Require(*buffer.offset + buffer.bytes <= std::min(bound, LoadBound(file.buffers)),
            "no plan ends below a fixed buffer");
  }
  Require(json["proven_optimal"] == (bound == EndOf(file)), "a plan is proven optimal when it reaches the bound");
  RequirePeakOf(file.buffers, file.ids, json["peak"]);
  RequireBuffersOf(file, json["buffers"]);
  const DrawnPlan drawn{file.buffers, offsets, EndOf(file), bound};
  const std::string svg = PlanReportSvg(file.options, report), html = PlanReportHtml(file.options, report);
  const std::string wrong = WhatIsDrawnWrong(svg, drawn) + WhatIsTabledWrong(html, drawn);
  Require(wrong.empty(), "the picture and the table are the plan: " + wrong);
  Require(html.find(svg.substr(0, svg.rfind("</svg>"))) != std::string::npos, "the page has the same picture");
  RequireTextOf(file, PlanReportText(file.options, report));

  const ProblemCsv csv =
      ReadProblemCsv(PlanCsv(file.subject.problem(), offsets), kMostCsvBuffers, CsvKind::kPlannedProblem);
  Require(csv.ok() && csv.ids == file.ids, "a plan in CSV is read back: " + csv.refusal);
  const ProblemCsv from_json = ReadPlanJson(PlanReportJson(file.options, report));
  Require(from_json.ok() && from_json.ids == file.ids, "a plan in JSON is read back: " + from_json.refusal);
  for (std::size_t i = 0; i < file.buffers.size(); ++i) {
    PlanBuffer unfixed = file.buffers[i];
    unfixed.offset.reset();
    Require(csv.offsets[i] == offsets[i] && IsSame(csv.buffers[i], unfixed), "a plan in CSV is read as it was written");
    Require(from_json.offsets[i] == offsets[i], "a plan in JSON is read as it was written");
  }
}

RC_GTEST_PROP(PlanReports, OfVerifySayWhatIsWrong, ()) {
  PlannedFile file;
  if (!DrawPlanned(file)) return;
  std::vector<std::optional<std::int64_t>> offsets = file.plan.offsets;
  if (!OneIn(4)) {
    std::optional<std::int64_t>& moved = offsets[Below(offsets.size())];
    moved = OneIn(3) ? *offsets[Below(offsets.size())] : std::max<std::int64_t>(0, *moved + Below<std::int64_t>(9) - 4);
  }
  static const ScratchFile plan_file;
  const bool as_json = OneIn(3);
  MadePlan written = file.plan;
  written.offsets = offsets;
  plan_file.Replace(as_json ? PlanReportJson(file.options, {file.subject, written})
                            : PlanCsv(file.subject.problem(), offsets));
  VerifyOptions options;
  options.path = file.options.path;
  options.plan = plan_file.path();
  VerifyResult result;
  VerifyPlan(options, result);
  RC_LOG() << plan_file.Text() << "\n" << result.problem << result.sentence << "\n";
  Require(result.problem.empty(), "a plan of the problem is looked at: " + result.problem);
  const WrongPlan wrong = WhatIsWrong(file.buffers, offsets);
  CountReach(wrong.fault == PlanFault::kNone ? "plans that are certified" : "plans that are refused", 1);
  Require(SaysTheSame(result.certificate, wrong), "a plan is certified, or refused for what is wrong with it");
  const Json json = Json::parse(VerifyReportJson(options, result));
  Require(json["certified"] == (wrong.fault == PlanFault::kNone), "the report says whether the plan is certified");
  RequirePeakOf(file.buffers, file.ids, json["peak"]);
  if (wrong.fault == PlanFault::kNone) {
    file.plan.offsets = offsets;
    Require(json["peak_bytes"] == EndOf(file), "the peak of a verified plan is the end of its highest buffer");
    return;
  }
  Require(json["fault"] == PlanFaultName(wrong.fault), "the report names the fault");
  const bool pair = wrong.fault == PlanFault::kSharedBytes;
  Require(json["buffers"].size() == (pair ? 2 : 1), "the report has those that the fault is about");
  const std::size_t first = result.certificate.first, second = result.certificate.second;
  Require(json["buffers"][0]["id"] == file.ids[first] && json["buffers"][0]["offset"] == *offsets[first],
          "the report has the buffer with the fault");
  if (!pair) return;
  Require(json["buffers"][1]["id"] == file.ids[second], "the report has the second buffer too");
  Require(json["shared_offset"] == std::max(*offsets[first], *offsets[second]), "the lowest byte that both have");
  const auto time = json["shared_time"].get<std::int64_t>();
  Require(LivesAt(file.buffers[first], time) && LivesAt(file.buffers[second], time), "a time at which both live");
}

}  // namespace
}  // namespace arenaproof::testing

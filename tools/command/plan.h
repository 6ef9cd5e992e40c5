// `arenaproof plan`: a memory plan of a model or of a problem in CSV, by any planner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/dilated_plan.h"
#include "tools/command/planned_subject.h"
#include "tools/plans/made_plan.h"
#include "tools/text/json_text.h"

namespace arenaproof {

struct PlanOptions : SubjectOptions {
  std::string planner = "optimal";  // one of kPlannerNames, or precomputed:FILE
  bool json = false;                // the same as the format json
  std::string format = "text";      // text, json, csv, svg, html, c
  std::string layout = "faithful";  // dilated: a picture of what the plan becomes while it is checked
  std::uint32_t time_limit_seconds = 10;
  std::optional<std::uint64_t> work_limit;  // given: the limit of time does not count
  std::uint32_t threads = 1;
  std::string embed;   // path of the file to write; empty: none
  bool strip = false;  // that file is the model without its plan
};

// What the report is about.
struct ReportedPlan {
  const PlannedSubject& subject;
  const MadePlan& plan;
  std::vector<std::size_t> left_open = {};  // tensors without an offset in the file that was written
  // Of the picture, when it is not the plan's own.
  const DilatedPlan* dilated = nullptr;
  // Why the model's own plan is refused, which is then what is shown; empty when a planner planned.
  std::string refusal = {};
};

std::string PlanReportText(const PlanOptions& options, const ReportedPlan& report);
std::string PlanReportJson(const PlanOptions& options, const ReportedPlan& report);
std::string PlanReportSvg(const PlanOptions& options, const ReportedPlan& report);
std::string PlanReportC(const PlanOptions& options, const ReportedPlan& report);
std::string PlanReportHtml(const PlanOptions& options, const ReportedPlan& report);

// For reports of other commands too.
inline constexpr const char* kHeadIsLowerBound =
    "the head is a lower bound until --scratch=OPERATOR:BYTES says what these need";
// One line for each buffer: offset, bytes, when it is alive, whether it is fixed, what it is.
std::string BuffersTable(const LabelledProblem& problem, PlanOffsets offsets);
OrderedJson BufferLabelJson(const BufferLabel& label);
// Of a plan with that head.
OrderedJson PeakJson(const ModelView* model, const LabelledProblem& problem, std::int64_t head_bytes);
OrderedJson MissingKernelsJson(const PlanningKernels& kernels);

// How long a child may take that plans so.
std::uint32_t ChildSecondsOf(const PlanOptions& options);

}  // namespace arenaproof

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/planner/plan_picture.h"
#include "sanitizers/layout/layout.h"
#include "tools/command/piped_model.h"
#include "tools/command/plan.h"
#include "tools/command/sharing_text.h"
#include "tools/model/step_operators.h"
#include "tools/planner/precomputed_file.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/plan_csv.h"
#include "tools/plans/plan_drawing.h"
#include "tools/plans/plan_groups.h"
#include "tools/plans/tensor_operators.h"
#include "tools/text/json_text.h"
#include "tools/text/operator_text.h"
#include "tools/text/quoting.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// Beyond these a picture in text is no picture.
constexpr std::int64_t kMostPictureSteps = 1000;
constexpr std::size_t kMostPictureBuffers = 2000;

std::string PlanCommandLine(const PlanOptions& options) {
  std::string words = " --planner=" + ShellWord(options.planner);
  if (options.no_sharing) words += " --no-sharing";
  if (options.trust_plan) words += " --trust-plan";
  if (options.work_limit) words += " --work-limit=" + std::to_string(*options.work_limit);
  if (options.ignore_plan) words += " --ignore-plan";
  if (options.strict_plan) words += " --strict-plan";
  for (const std::string& word : options.scratch) words += " " + ShellWord("--scratch=" + word);
  if (!options.embed.empty())
    words += std::string(options.strip ? " --strip" : "") + " " + ShellWord("--embed=" + options.embed);
  return CommandOn(options.path, !options.file.empty(), "arenaproof plan", words);
}

// In pictures and sources, which are files of their own.
std::string NameInFiles(const PlanOptions& options) {
  return options.file.empty() ? std::filesystem::path(options.path).filename().string() : kPipeInReports;
}

std::string SecondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

std::string SummaryText(const PlanOptions& options, const ReportedPlan& report) {
  const MadePlan& plan = report.plan;
  if (!report.refusal.empty()) {
    return std::string(report.subject.is_model() ? "the model's own plan, which is" : "the fixed offsets, which are") +
           " refused: peak " + Counted(plan.peak_bytes, "byte") + ", lower bound " +
           Counted(plan.lower_bound_bytes, "byte") + " of plans in which nothing shares bytes";
  }
  const std::string with = report.subject.problem().sharing.empty() ? "" : " with this sharing";
  const bool keeps = plan.bound_needs_fixed();
  const std::string fixed = Counted(static_cast<long long>(plan.fixed_count), "fixed buffer");
  std::string text = "plan of '" + Printable(options.planner) + "': peak " + Counted(plan.peak_bytes, "byte") +
                     ", lower bound" + (keeps ? " of plans that keep " + fixed : "") + with + " " +
                     Counted(plan.lower_bound_bytes, "byte");
  if (keeps) {
    text += plan.lower_bound_bytes > plan.free_bound_bytes ? " (of all plans " : " (if these shared nothing ";
    text += Counted(plan.free_bound_bytes, "byte") + ")";
  }
  if (plan.proven_optimal()) return text + ", proven optimal" + (keeps ? " among those that keep them" : "");
  return text + ", " + Counted(plan.peak_bytes - plan.lower_bound_bytes, "byte") + " between them: not proven optimal";
}

class PictureLines final : public PictureSink {
 public:
  explicit PictureLines(const LabelledProblem& problem) : problem_(problem), owners_(OwnersOf(problem)) {}
  bool Line(std::string_view line) override {
    text += "  " + std::string(line);
    if (count_ < problem_.labels.size()) {
      text += "  " + WhatItIs(problem_.labels[count_]);
      if (owners_[count_] && *owners_[count_] != count_) {
        text += ", with " + WhatItIs(problem_.labels[*owners_[count_]]);
      }
    }
    ++count_;
    text += "\n";
    return true;
  }
  std::string text;

 private:
  const LabelledProblem& problem_;
  const std::vector<std::optional<std::size_t>> owners_;
  std::size_t count_ = 0;
};

// A group is drawn as its owner, alive as long as any of it.
std::string NamedPicture(const LabelledProblem& problem, PlanOffsets offsets) {
  const std::vector<PlanBuffer> buffers = GroupedBuffers(problem);
  const std::vector<std::optional<std::size_t>> owners = OwnersOf(problem);
  std::vector<PlacedBuffer> placed;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlanBuffer& buffer = buffers[i];
    const bool drawable =
        buffer.gaps.empty() && buffer.lifetime.lower >= -1 && buffer.lifetime.upper <= kMostPictureSteps;
    if (!drawable || buffers.size() > kMostPictureBuffers) {
      return "no picture in text: it takes no gaps, at most " + std::to_string(kMostPictureBuffers) +
             " buffers and times from 0 to " + std::to_string(kMostPictureSteps) + "; --format=svg draws any plan\n";
    }
    const bool is_drawn = !owners[i] || *owners[i] == i;
    const bool alive = is_drawn && buffer.lifetime.lower < buffer.lifetime.upper;
    placed.push_back({static_cast<std::size_t>(*offsets[i]), static_cast<std::size_t>(problem.buffers[i].bytes),
                      alive ? static_cast<std::int32_t>(buffer.lifetime.lower) : -1,
                      alive ? static_cast<std::int32_t>(buffer.lifetime.upper) - 1 : -1, false, false});
  }
  PictureLines lines(problem);
  DrawPlan(placed, lines);
  return "its picture: time downwards, memory to the right\n" + lines.text;
}

PlanDrawing DrawingOf(const PlanOptions& options, const ReportedPlan& report) {
  const ModelView* const model = report.subject.model();
  const LabelledProblem& problem = report.subject.problem();
  PlanDrawing drawing{.title = NameInFiles(options),
                      .summary = SummaryText(options, report),
                      .problem = problem,
                      .offsets = report.plan.offsets,
                      .peak_bytes = report.plan.peak_bytes,
                      .lower_bound_bytes = report.plan.lower_bound_bytes,
                      .busiest = FindBusiestMoment(problem),
                      .busiest_text = {}};
  drawing.busiest_text = PeakText(model, problem, drawing.busiest, report.plan.peak_bytes);
  if (report.dilated != nullptr) {
    drawing.title += ", dilated";
    drawing.offsets = report.dilated->offsets;
    drawing.peak_bytes = report.dilated->head_bytes;
    drawing.redzone_bytes = static_cast<std::int64_t>(kClosedBytes);
    drawing.summary += "; here with " + std::to_string(kClosedBytes) + " closed bytes on each side of a buffer";
  }
  if (!problem.sharing.empty()) {
    drawing.summary += "; in the bytes of others, and of their colour: " +
                       Counted(static_cast<long long>(problem.sharing.size()), "tensor");
  }
  drawing.remarks = UnknownScratchText(report.subject.kernels());
  if (model == nullptr) return drawing;
  drawing.notes = OperatorsOfBuffers(*model, problem);
  for (const StepOperator& step : StepOperators(*model)) {
    if (!step.location.known()) {
      drawing.step_names.emplace_back("start");
    } else if (step.entered_subgraph >= 0) {
      drawing.step_names.push_back("into subgraph " + std::to_string(step.entered_subgraph));
    } else {
      drawing.step_names.push_back(std::to_string(step.location.operator_index) + " " +
                                   OperatorName(*model, step.location));
    }
  }
  return drawing;
}

}  // namespace

OrderedJson BufferLabelJson(const BufferLabel& label) {
  return {{"id", label.id},
          {"subgraph", label.subgraph},
          {"tensor", label.tensor},
          {"scratch", label.scratch},
          {"owner_operator", label.owner_operator},
          {"name", label.name}};
}

OrderedJson PeakJson(const ModelView* model, const LabelledProblem& problem, std::int64_t head_bytes) {
  const BusiestMoment peak = FindBusiestMoment(problem);
  OrderedJson ids = OrderedJson::array();
  for (const std::size_t i : peak.buffers) ids.push_back(problem.labels[i].id);
  StepOperator step;
  if (model != nullptr) {
    const std::vector<StepOperator> steps = StepOperators(*model);
    if (peak.time >= 0 && peak.time < static_cast<std::int64_t>(steps.size())) {
      step = steps[static_cast<std::size_t>(peak.time)];
    }
  }
  return {{"bytes", peak.bytes},
          {"time", peak.time},
          {"subgraph", step.location.subgraph},
          {"operator", step.location.operator_index},
          {"operator_name", step.location.known() ? OperatorName(*model, step.location) : std::string()},
          {"buffers", ids},
          {"sentence", PeakText(model, problem, peak, head_bytes)}};
}

OrderedJson MissingKernelsJson(const PlanningKernels& kernels) {
  OrderedJson list = OrderedJson::array();
  for (const UnservedOperator& unserved : kernels.unserved()) {
    list.push_back({{"subgraph", unserved.location.subgraph},
                    {"operator", unserved.location.operator_index},
                    {"operator_name", unserved.name},
                    {"types_refused", unserved.refusal},
                    {"scratch_known", unserved.scratch_is_known},
                    {"scratch_bytes", unserved.scratch_bytes}});
  }
  return list;
}

std::string BuffersTable(const LabelledProblem& problem, PlanOffsets offsets) {
  const bool gaps = std::any_of(problem.buffers.begin(), problem.buffers.end(),
                                [](const PlanBuffer& buffer) { return !buffer.gaps.empty(); });
  std::vector<std::string> heads = {">offset", ">bytes", ">alive from", ">before", "", "what"};
  if (gaps) heads.insert(heads.begin() + 4, "but not in");
  TextTable table(heads);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const PlanBuffer& buffer = problem.buffers[i];
    const bool alive = buffer.lifetime.lower < buffer.lifetime.upper;
    std::vector<std::string> row = {offsets[i] ? std::to_string(*offsets[i]) : "none",
                                    std::to_string(buffer.bytes),
                                    alive ? std::to_string(buffer.lifetime.lower) : "never",
                                    alive ? std::to_string(buffer.lifetime.upper) : "",
                                    buffer.offset ? "fixed" : "",
                                    WhatItIs(problem.labels[i])};
    if (gaps) row.insert(row.begin() + 4, GapsText(buffer));
    table.AddRow(row);
  }
  return table.Text(2);
}

std::string PlanReportText(const PlanOptions& options, const ReportedPlan& report) {
  const LabelledProblem& problem = report.subject.problem();
  std::string text = PlanCommandLine(options) + "\n\n" + SummaryText(options, report) +
                     (report.refusal.empty() ? " (" + SecondsText(report.plan.seconds) + ")" : "") + "\n" +
                     PeakText(report.subject.model(), problem, FindBusiestMoment(problem), report.plan.peak_bytes) +
                     "\n";
  for (const std::string& line : UnknownScratchText(report.subject.kernels())) text += line + "\n";
  if (!report.subject.knows_all_scratch()) text += std::string(kHeadIsLowerBound) + "\n";
  if (!report.plan.search_not_begun.empty()) text += report.plan.search_not_begun + "\n";
  text += OfflinePlanText(report.subject.planned().offline_plan);
  if (!options.embed.empty() && report.refusal.empty()) {
    text += options.strip ? "'" + Printable(options.embed) + "' is the model without a plan of its own\n"
                          : "'" + Printable(options.embed) + "' has this plan: after set-up its head has " +
                                Counted(report.plan.peak_bytes, "byte") + "\n";
  }
  for (const std::size_t i : report.left_open) {
    text += WhatItIs(problem.labels[i]) +
            " has no offset in it: the device places it, as its entry is read for a variable too\n";
  }
  text += "\n" + BuffersTable(problem, report.plan.offsets) + "\n";
  if (!problem.sharing.empty()) {
    text += SharingText(*report.subject.model(), report.subject.planned().plan, problem.sharing) + "\n";
  }
  return text + NamedPicture(problem, report.plan.offsets);
}

std::string PlanReportJson(const PlanOptions& options, const ReportedPlan& report) {
  const bool planned = report.refusal.empty();
  const LabelledProblem& problem = report.subject.problem();
  OrderedJson json = {{"command", "plan"}, {"model", options.path}, {"exit_status", planned ? 0 : 1}};
  if (!planned) {
    json["refusal"] = report.refusal;
    json["refused"] = RefusedJson(report.subject.refused());
  }
  json.update({{"planner", options.planner},
               {"no_sharing", options.no_sharing},
               {"trust_plan", options.trust_plan},
               {"strict_plan", options.strict_plan},
               {"peak_bytes", report.plan.peak_bytes},
               {"lower_bound_bytes", report.plan.lower_bound_bytes},
               {"proven_optimal", planned && report.plan.proven_optimal()},
               {"fixed_count", report.plan.fixed_count},
               {"free_lower_bound_bytes", report.plan.free_bound_bytes},
               {"seconds", report.plan.seconds},
               {"steps", report.plan.steps},
               {"peak", PeakJson(report.subject.model(), problem, report.plan.peak_bytes)},
               {"missing_kernels", MissingKernelsJson(report.subject.kernels())},
               {"head_is_lower_bound", !report.subject.knows_all_scratch()}});
  const OfflinePlanReport& offline_plan = report.subject.planned().offline_plan;
  if (!offline_plan.empty()) json["offline_plan"] = OfflinePlanJson(offline_plan);
  if (!report.plan.search_not_begun.empty()) json["search_not_begun"] = report.plan.search_not_begun;
  if (!options.embed.empty() && planned) json[options.strip ? "stripped_file" : "embedded_file"] = options.embed;
  if (!options.embed.empty() && planned && !options.strip) {
    json["left_open"] = OrderedJson::array();
    for (const std::size_t i : report.left_open) json["left_open"].push_back(problem.labels[i].id);
  }
  if (!problem.sharing.empty()) json["sharing"] = SharingJson(*report.subject.model(), problem.sharing);
  const std::vector<std::optional<std::size_t>> owners = OwnersOf(problem);
  json["buffers"] = OrderedJson::array();
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const PlanBuffer& buffer = problem.buffers[i];
    OrderedJson entry = BufferLabelJson(problem.labels[i]);
    entry["offset"] = *report.plan.offsets[i];
    entry["bytes"] = buffer.bytes;
    entry["alignment"] = buffer.alignment;
    entry["lower"] = buffer.lifetime.lower;
    entry["upper"] = buffer.lifetime.upper;
    entry["fixed"] = buffer.offset.has_value();
    for (const TimeInterval& gap : buffer.gaps) entry["gaps"].push_back({{"lower", gap.lower}, {"upper", gap.upper}});
    if (owners[i]) entry["group"] = problem.labels[*owners[i]].id;
    json["buffers"].push_back(std::move(entry));
  }
  return JsonReport(json);
}

std::string PlanReportSvg(const PlanOptions& options, const ReportedPlan& report) {
  return PlanSvg(DrawingOf(options, report));
}

std::string PlanReportHtml(const PlanOptions& options, const ReportedPlan& report) {
  return PlanHtml(DrawingOf(options, report));
}

std::string PlanReportC(const PlanOptions& options, const ReportedPlan& report) {
  const LabelledProblem& problem = report.subject.problem();
  PrecomputedSource source{.model = NameInFiles(options),
                           .planner = options.planner,
                           .head_bytes = static_cast<std::size_t>(report.plan.peak_bytes)};
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const TimeInterval& lifetime = problem.buffers[i].lifetime;
    const bool alive = lifetime.lower < lifetime.upper;
    source.buffers.push_back({.offset = *report.plan.offsets[i],
                              .bytes = static_cast<std::size_t>(problem.buffers[i].bytes),
                              .first = alive ? lifetime.lower : -1,
                              .last = alive ? lifetime.upper - 1 : -1,
                              .name = WhatItIs(problem.labels[i])});
  }
  return WritePrecomputedSource(source);
}

std::uint32_t ChildSecondsOf(const PlanOptions& options) {
  constexpr std::uint32_t kLongest = 86400, kForAllElse = 300;
  return options.work_limit ? kLongest : std::min(kLongest, options.time_limit_seconds + kForAllElse);
}

}  // namespace arenaproof

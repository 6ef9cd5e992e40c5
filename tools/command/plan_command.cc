#include "tools/command/plan_command.h"

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "tools/command/files_of_call.h"
#include "tools/command/plan_embedded.h"
#include "tools/command/report_delivery.h"
#include "tools/model/chosen_planner.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/plan_csv.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

PlanLimits LimitsOf(const PlanOptions& options) {
  PlanLimits limits;
  limits.threads = options.threads;
  if (options.work_limit) {
    limits.work_limit = *options.work_limit;
  } else {
    limits.time_limit = std::chrono::seconds(options.time_limit_seconds);
  }
  return limits;
}

// A flag that is about a model's file.
std::string NoModelFor(const PlanOptions& options) {
  if (options.layout == "dilated") {
    return "--layout=dilated is the layout in which a model is checked, and '" + options.path + "' is a CSV file";
  }
  const char* const flag = options.strip ? "--strip" : !options.embed.empty() ? "--embed" : "--ignore-plan";
  if (!options.strip && options.embed.empty() && !options.ignore_plan) return {};
  return std::string(flag) + " is about a model, and '" + options.path + "' is a CSV file";
}

// As in a set-up: where tensors lie is a violation, an offset that no tensor may have is unusable input.
ExitStatus StatusOf(PlanFault refused) {
  const bool unusable = refused == PlanFault::kMisaligned || refused == PlanFault::kEndOverflow;
  return unusable ? ExitStatus::kCouldNotRun : ExitStatus::kViolations;
}

// What the dilated layout is no plan for.
std::string NotDilated(const PlanOptions& options) {
  if (options.layout != "dilated") return {};
  if (options.format != "svg" && options.format != "html") {
    return "--layout=dilated draws the layout in which 'check' runs a model, so --format=svg or html goes with it";
  }
  if (options.embed.empty()) return {};
  return "--layout=dilated is a picture, and no plan that a model could have; --embed goes without it";
}

std::string FormattedPlan(const PlanOptions& options, const ReportedPlan& report) {
  if (options.format == "json") return PlanReportJson(options, report);
  if (options.format == "csv") return PlanCsv(report.subject.problem(), report.plan.offsets);
  if (options.format == "svg") return PlanReportSvg(options, report);
  if (options.format == "c") return PlanReportC(options, report);
  if (options.format == "html") return PlanReportHtml(options, report);
  return PlanReportText(options, report);
}

// The model may get its plan in place: all of it is read before.
std::string OverwrittenBy(const PlanOptions& options) {
  FilesOfCall files;
  files.ReadsPiped("MODEL", options.path, "--embed");
  files.ReadsPlanOf(options.planner);
  files.Writes("--embed", options.embed);
  return files.Overwritten();
}

// What the model's own plan, or what a CSV file fixes, says although it is refused. A device that links the C source
// would plan by it.
ExitStatus ReportRefusedPlan(const PlanOptions& options, const PlannedSubject& subject, const std::string& problem) {
  MadePlan plan;
  plan.problem = problem;
  plan.offsets = subject.planned().refused->offsets;
  plan.peak_bytes = static_cast<std::int64_t>(subject.planned().head_bytes);
  plan.lower_bound_bytes = plan.free_bound_bytes = FreeLoadBound(subject.problem());
  for (const PlanBuffer& buffer : subject.problem().buffers) plan.fixed_count += buffer.offset ? 1 : 0;
  const bool is_source = options.format == "c";
  Complain(PrintableSentence(
      is_source ? problem + "; no C source is written of a plan that is refused, --format=csv shows it" : problem));
  const std::string report = is_source ? std::string() : FormattedPlan(options, {subject, plan, {}, nullptr, problem});
  return Deliver(report, ExitStatus::kViolations);
}

}  // namespace

ExitStatus PlanCommand(const PlanOptions& options) {
  const bool json = options.format == "json";
  const auto refuse = [&](const std::string& problem, const RefusalFacts& refused,
                          ExitStatus status = ExitStatus::kCouldNotRun) {
    return ReportRefusal("plan", options.path, json, problem, refused, status);
  };
  if (const std::string problem = NotDilated(options); !problem.empty()) {
    return refuse(problem, RefusedWith(ToolRefusal::kPlannerProblem));
  }
  if (const std::string problem = OverwrittenBy(options); !problem.empty()) {
    return refuse(problem, RefusedWith(ToolRefusal::kOutputFiles));
  }
  const std::string given_path(PathOfGivenPlan(options.planner));
  std::vector<std::int64_t> given;
  if (!given_path.empty()) {
    if (const std::string problem = ReadGivenPlan(given_path, &given); !problem.empty()) {
      return refuse(problem, RefusedWith(ToolRefusal::kPlannerUnusable));
    }
  }
  const AskSharing of_given = given_path.empty() || options.no_sharing ? AskSharing::kNo : AskSharing::kYes;
  PlannedSubject subject;
  const bool ignores_plan = options.ignore_plan || options.strip;
  if (const std::string problem =
          subject.Load(options, ignores_plan ? OwnPlan::kIgnored : OwnPlan::kKept, CsvKind::kProblem,
                       options.planner == "arena" ? AskSharing::kArena : of_given);
      !problem.empty()) {
    const bool own = subject.refused().code.starts_with("offline_plan_");
    const std::string sentence = own ? problem + "; --ignore-plan plans anew" : problem;
    if (!subject.is_model() && subject.planned().refused) {
      if (const std::string flag = NoModelFor(options); !flag.empty()) {
        return refuse(flag, RefusedWith(ToolRefusal::kPlannerProblem));
      }
    }
    if (subject.planned().refused && subject.status() == ExitStatus::kViolations) {
      return ReportRefusedPlan(options, subject, sentence);
    }
    return refuse(sentence, subject.refused(), subject.status());
  }
  if (!subject.is_model()) {
    if (const std::string problem = NoModelFor(options); !problem.empty()) {
      return refuse(problem, RefusedWith(ToolRefusal::kPlannerProblem));
    }
  }
  if (!given_path.empty()) subject.KeepSharingOf(given);
  MadePlan plan = given_path.empty() ? MakePlan(options.planner, subject.problem(), LimitsOf(options))
                                     : MakeGivenPlan(given, subject.problem());
  if (!plan.certificate.ok()) {
    return refuse(InFile(given_path, plan.problem), RefusedWith(ToolRefusal::kPlanRefused),
                  StatusOf(plan.certificate.fault));
  }
  if (!plan.problem.empty()) {
    return refuse(InFile(given_path.empty() ? options.path : given_path, plan.problem),
                  RefusedWith(ToolRefusal::kPlannerProblem));
  }
  EmbeddedPlan embedded;
  if (!options.embed.empty()) {
    embedded = options.strip ? WriteWithoutPlan(subject, options.embed) : WriteWithPlan(subject, options.embed, plan);
    if (!embedded.problem.empty()) return refuse(InFile(options.path, embedded.problem), embedded.refused);
  }
  DilatedPlan dilated;
  if (options.layout == "dilated") {
    dilated = DilatePlan(subject.problem(), plan, options.planner);
    if (!dilated.problem.empty()) {
      return refuse(InFile(options.path, dilated.problem), RefusedWith(ToolRefusal::kPlannerProblem));
    }
  }
  const DilatedPlan* const drawn = options.layout == "dilated" ? &dilated : nullptr;
  return Deliver(FormattedPlan(options, {subject, plan, embedded.left_open, drawn}), ExitStatus::kClean);
}

ExitStatus VerifyCommand(const VerifyOptions& options) {
  VerifyResult result;
  VerifyPlan(options, result);
  if (!result.problem.empty()) {
    return ReportRefusal("verify", options.path, options.json, result.problem, result.refused, result.problem_status);
  }
  const ExitStatus status = result.certificate.ok() ? ExitStatus::kClean : ExitStatus::kViolations;
  if (!result.certificate.ok()) Complain(PrintableSentence(result.sentence));
  return Deliver(options.json ? VerifyReportJson(options, result) : VerifyReportText(options, result), status);
}

}  // namespace arenaproof

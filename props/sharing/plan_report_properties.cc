// What `plan` says of a model whose buffers share bytes: the plan, its groups and its picture are those of a run with
// the same planner, and `verify` takes what `plan` has written.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/harness/sharing/planned_run.h"
#include "props/reports/scratch_file.h"
#include "props/sharing/run_picture.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/plan.h"
#include "tools/command/verify.h"
#include "tools/plans/plan_csv.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

constexpr std::int32_t kMostPictureSteps = 1000;  // as the report itself says

std::string IdOf(const PlanEntry& buffer) {
  if (buffer.tensor < 0) return "s" + std::to_string(buffer.scratch);
  return (buffer.subgraph == 0 ? "" : std::to_string(buffer.subgraph) + ":") + std::to_string(buffer.tensor);
}

void RequireBuffers(const Json& reported, const PlannedRun& run) {
  const std::vector<std::optional<std::size_t>> owners = GroupsOf(run);
  Require(reported.size() == run.plan.size(), "each buffer is in the report");
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    const PlanEntry& buffer = run.plan[i];
    const Json& row = reported[i];
    RC_LOG() << row.dump() << "\n";
    Require(
        row["id"] == IdOf(buffer) && row["offset"] == buffer.offset && row["bytes"] == (buffer.bytes + 15) / 16 * 16,
        "a report has each buffer where a run has it");
    if (buffer.last >= 0) {
      Require(row["lower"] == buffer.first && row["upper"] == buffer.last + 1, "with its own lifetime");
    }
    Require(row.contains("group") == owners[i].has_value(), "those that share are of a group");
    if (owners[i]) Require(row["group"] == IdOf(run.plan[*owners[i]]), "a group is named by its owner");
  }
}

void RequireOwnPicture(const std::string& text, const PlannedRun& run) {
  const bool long_lived = std::any_of(run.plan.begin(), run.plan.end(),
                                      [](const PlanEntry& buffer) { return buffer.last >= kMostPictureSteps; });
  Require((text.find("its picture:") == std::string::npos) == long_lived,
          "there is a picture of what is no longer than it can be");
  if (!long_lived) RequirePicture(text, run);
}

// The header stays where it is.
std::string WithLinesInAnyOrder(const std::string& csv) {
  std::vector<std::string> lines;
  std::istringstream text(csv);
  for (std::string line; std::getline(text, line);) lines.push_back(line + "\n");
  for (std::size_t i = lines.size(); i > 2; --i) std::swap(lines[i - 1], lines[1 + Below(i - 1)]);
  std::string reordered;
  for (const std::string& line : lines) reordered += line;
  return reordered;
}

RC_GTEST_PROP(PlansOfThoseThatShare, AreReportedAsARunHasThem, ()) {
  const SharingCase subject = DrawSharingCase();
  const bool no_sharing = OneIn(4);
  const PlannedRun run = RunWithPlanner(*subject.model, "arena", no_sharing);
  Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
  static const ScratchFile model;
  model.Replace({reinterpret_cast<const char*>(subject.file->data()), subject.file->size()});
  PlanOptions options;
  options.path = model.path();
  options.planner = "arena";
  options.no_sharing = no_sharing;
  PlannedSubject planned;
  const std::string refused = planned.Load(options, OwnPlan::kKept, CsvKind::kProblem, AskSharing::kArena);
  Require(refused.empty(), "a sound model is planned: " + refused);
  const MadePlan plan = MakePlan("arena", planned.problem());
  Require(plan.problem.empty(), "a sound model has a plan: " + plan.problem);
  const ReportedPlan report{planned, plan};
  const Json json = Json::parse(PlanReportJson(options, report));
  Require(json["peak_bytes"] == run.head_bytes, "the peak of a plan is the head of a run");
  RequireBuffers(json["buffers"], run);
  RequireOwnPicture(PlanReportText(options, report), run);

  static const ScratchFile written;
  written.Replace(OneIn(2) ? PlanReportJson(options, report)
                           : WithLinesInAnyOrder(PlanCsv(planned.problem(), plan.offsets)));
  VerifyOptions verify;
  verify.path = model.path();
  verify.plan = written.path();
  VerifyResult verified;
  VerifyPlan(verify, verified);
  Require(verified.problem.empty() && verified.certificate.ok(),
          "what plan has written is certified: " + verified.problem + verified.sentence);
  Require(verified.verified.sharing.size() == run.sharing.size(), "with the sharing that it says");
  const Json verdict = Json::parse(VerifyReportJson(verify, verified));
  Require(verdict["peak_bytes"] == json["peak_bytes"] && verdict["lower_bound_bytes"] == json["free_lower_bound_bytes"],
          "a plan has the same peak, and the same bound of plans that share so, whoever reports it");
}

}  // namespace
}  // namespace arenaproof::testing

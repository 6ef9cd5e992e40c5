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

#include "engine/oracles/planner/reference_picture.h"
#include "props/reports/scratch_file.h"
#include "props/sharing/planned_run.h"
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

// Of each buffer its owner, itself for an owner of others; nothing where it shares with none.
std::vector<std::optional<std::size_t>> GroupsOf(const PlannedRun& run) {
  std::vector<std::optional<std::size_t>> owners(run.plan.size());
  for (const BufferAlias& alias : run.sharing) owners[alias.buffer] = owners[alias.owner] = alias.owner;
  return owners;
}

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

// A group is drawn as its owner, until the last of it dies.
void RequirePicture(const std::string& text, const PlannedRun& run) {
  const std::vector<std::optional<std::size_t>> owners = GroupsOf(run);
  std::vector<PlacedBuffer> drawn;
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    const PlanEntry& buffer = run.plan[i];
    std::int32_t first = buffer.first, last = buffer.last;
    for (std::size_t k = 0; k < run.plan.size(); ++k) {
      if (owners[i] == i && owners[k] == i) last = std::max(last, run.plan[k].last);
    }
    if (last < 0 || (owners[i] && owners[i] != i)) first = last = -1;
    drawn.push_back({buffer.offset, (buffer.bytes + 15) / 16 * 16, first, last, false, false});
  }
  std::size_t at = text.find("its picture:");
  const bool long_lived = std::any_of(drawn.begin(), drawn.end(),
                                      [](const PlacedBuffer& buffer) { return buffer.last >= kMostPictureSteps; });
  Require((at == std::string::npos) == long_lived, "there is a picture of what is no longer than it can be");
  if (long_lived) return;
  for (const std::string& line : ReferencePicture(drawn)) {
    at = text.find("\n  " + line, at);
    RC_LOG() << "picture line: " << line << "\n";
    Require(at != std::string::npos, "the picture is that of the plan, each group as long as any of it lives");
  }
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
  RequirePicture(PlanReportText(options, report), run);

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
}

}  // namespace
}  // namespace arenaproof::testing

// What `describe` and `size` say of buffers that share bytes: who lies where and in whose bytes is what a run has, and
// what is alive at each step, together and at its most, is counted here from the plan, bytes of a group once.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/harness/sharing/planned_run.h"
#include "kernels/reference/reference_kernels.h"
#include "props/reports/scratch_file.h"
#include "props/sharing/run_picture.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/describe.h"
#include "tools/command/size.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

struct Step {
  std::size_t bytes = 0;
  std::vector<std::size_t> buffers;     // alive, indices in the plan
  std::vector<std::string> with_bytes;  // the names of those that have any
};

std::string NameOf(const PlanEntry& buffer) {
  const std::string subgraph = buffer.subgraph == 0 ? "" : std::to_string(buffer.subgraph) + ":";
  return buffer.tensor >= 0 ? subgraph + std::to_string(buffer.tensor) : "s" + std::to_string(buffer.scratch);
}

bool IsAlive(const PlanEntry& buffer, std::int32_t step) {
  return buffer.last >= 0 && buffer.first <= step && step <= buffer.last;
}

// From the first step at which anything is alive on.
std::map<std::int32_t, Step> StepsOf(const PlannedRun& run) {
  std::vector<std::size_t> owner(run.plan.size());
  for (std::size_t i = 0; i < owner.size(); ++i) owner[i] = i;
  for (const BufferAlias& alias : run.sharing) owner[alias.buffer] = alias.owner;
  std::int32_t from = 0, until = -1;
  for (const PlanEntry& buffer : run.plan) {
    if (buffer.last >= 0) from = std::min(from, buffer.first);
    until = std::max(until, buffer.last);
  }
  std::map<std::int32_t, Step> steps;
  for (std::int32_t at = from; at <= until; ++at) {
    Step& step = steps[at];
    std::map<std::size_t, std::size_t> bytes_of_group;
    for (std::size_t i = 0; i < run.plan.size(); ++i) {
      if (!IsAlive(run.plan[i], at)) continue;
      step.buffers.push_back(i);
      if (run.plan[i].bytes > 0) step.with_bytes.push_back(NameOf(run.plan[i]));
      bytes_of_group[owner[i]] = (run.plan[owner[i]].bytes + 15) / 16 * 16;
    }
    for (const auto& [group, bytes] : bytes_of_group) step.bytes += bytes;
  }
  return steps;
}

void RequirePlan(const Json& reported, const PlannedRun& run) {
  Require(reported.size() == run.plan.size(), "a report has a row for each buffer of the plan");
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    const PlanEntry& buffer = run.plan[i];
    const Json& row = reported[i];
    Require(row["tensor"] == buffer.tensor && row["offset"] == buffer.offset && row["bytes"] == buffer.bytes &&
                row["first_step"] == buffer.first && row["last_step"] == buffer.last,
            "a report has the plan that a run with the same options has");
  }
}

void RequireSharing(const Json& report, const PlannedRun& run) {
  Require(report.contains("sharing") == !run.sharing.empty(), "who shares is listed where somebody does");
  if (run.sharing.empty()) return;
  Require(report["sharing"].size() == run.sharing.size(), "all that share in a run are listed");
  for (std::size_t i = 0; i < run.sharing.size(); ++i) {
    const BufferAlias& alias = run.sharing[i];
    const Json& row = report["sharing"][i];
    Require(row["buffer"] == alias.buffer && row["source"] == alias.source && row["owner"] == alias.owner &&
                row["modifies"] == alias.modifies && row["subgraph"] == alias.subgraph &&
                row["operator"] == alias.operator_index && row["input"] == alias.input,
            "who shares with whom is what a run with the same options has");
  }
}

// The lines about it name the tensors of each pair, in the order of the list.
void RequireSharingText(const std::string& text, const PlannedRun& run) {
  std::istringstream lines(text);
  std::string line;
  std::size_t found = 0;
  while (std::getline(lines, line)) {
    if (line.find(" lies in the bytes of ") == std::string::npos) continue;
    Require(found < run.sharing.size(), "the text lists nobody who does not share");
    const BufferAlias& alias = run.sharing[found++];
    const std::string first = "  tensor " + std::to_string(run.plan[alias.buffer].tensor) + " ";
    const std::string second = " bytes of tensor " + std::to_string(run.plan[alias.source].tensor) + " ";
    Require(line.starts_with(first) && line.find(second) != std::string::npos &&
                (line.find("works in place") != std::string::npos) == alias.modifies,
            "the text lists who shares with whom: " + line);
  }
  Require(found == run.sharing.size(), "the text lists all that share");
}

void RequirePeak(const Json& peak, const std::map<std::int32_t, Step>& steps) {
  std::int32_t busiest = 0;
  Step most;
  for (const auto& [at, step] : steps) {
    // Of as many bytes a step of an operator comes before the time that no operator has.
    const bool names_an_operator = busiest < 1 && at >= 1 && step.bytes == most.bytes;
    if (step.bytes < most.bytes || (step.bytes == most.bytes && !names_an_operator)) continue;
    busiest = at;
    most = step;
  }
  if (most.bytes == 0) return;
  RC_LOG() << "peak " << most.bytes << " at " << busiest << ", reported " << peak.dump() << "\n";
  Require(peak["bytes"] == most.bytes, "the peak is what is alive at the busiest step");
  Require(peak["time"] == busiest, "the peak is at the first of the busiest steps of operators");
  Require(peak["buffers"] == Json(most.with_bytes), "the peak names those that are alive then");
  const std::string figure = ", " + std::to_string(most.bytes) + " byte";
  Require(peak["sentence"].get<std::string>().find(figure) != std::string::npos, "the sentence has the same peak");
}

void RequireSteps(const Json& reported, const std::map<std::int32_t, Step>& steps) {
  std::size_t count = 0;
  for (const auto& [at, step] : steps) {
    if (at < 0) continue;  // the start has no row
    ++count;
    RC_ASSERT(static_cast<std::size_t>(at) < reported.size());
    const Json& row = reported[static_cast<std::size_t>(at)];
    RC_LOG() << "step " << at << " has " << step.bytes << " bytes, reported " << row.dump() << "\n";
    Require(row["live_bytes"] == step.bytes, "bytes that several tensors share count once, while one of them is alive");
    Require(row["buffers"] == Json(step.buffers), "those that are alive at a step are listed");
  }
  Require(reported.size() == count, "each step has a row");
}

// The row of each step in the text: its number, its bytes, a bar, the names of those alive.
void RequireStepsText(const std::string& text, const PlannedRun& run, const std::map<std::int32_t, Step>& steps) {
  std::istringstream lines(text.substr(text.find("use over time")));
  std::string line;
  std::getline(lines, line);  // what the table is about
  std::getline(lines, line);  // its headers
  for (const auto& [at, step] : steps) {
    if (at < 0) continue;
    RC_ASSERT(static_cast<bool>(std::getline(lines, line)));
    std::istringstream words(line);
    std::string number, bytes, bar, name;
    words >> number >> bytes >> bar;
    Require(number == std::to_string(at) && bytes == std::to_string(step.bytes), "the text has the same steps");
    for (const std::size_t buffer : step.buffers) {
      words >> name;
      const std::string scratch = run.plan[buffer].subgraph == 0 ? "" : std::to_string(run.plan[buffer].subgraph) + ":";
      const std::string expected = run.plan[buffer].tensor >= 0
                                       ? NameOf(run.plan[buffer])
                                       : scratch + "s" + std::to_string(run.plan[buffer].scratch);
      Require(name == expected, "the text names those that are alive at a step");
    }
    Require(!(words >> name), "the text names nobody else");
  }
}

SetUpOptions DrawSetUp() {
  SetUpOptions set_up;
  set_up.planner = OneIn(4) ? "greedy" : "arena";
  set_up.no_sharing = OneIn(3);
  RC_LOG() << WordsOf(set_up) << "\n";
  return set_up;
}

RC_GTEST_PROP(ReportsOfThoseThatShare, AreWhatARunHas, ()) {
  const SharingCase subject = DrawSharingCase();
  const SetUpOptions set_up = DrawSetUp();
  const PlannedRun run = RunWithPlanner(*subject.model, set_up.planner, set_up.no_sharing);
  Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
  const std::map<std::int32_t, Step> steps = StepsOf(run);
  CountReach("chains of three or more in a report",
             std::any_of(run.sharing.begin(), run.sharing.end(),
                         [](const BufferAlias& alias) { return alias.source != alias.owner; })
                 ? 1
                 : 0);

  static const ScratchFile scratch;
  scratch.Replace({reinterpret_cast<const char*>(subject.file->data()), subject.file->size()});
  ModelFile file;
  const std::string refused = file.Load(scratch.path(), nullptr);
  Require(refused.empty(), "a sound model is read: " + refused);
  DescribeOptions describe;
  static_cast<SetUpOptions&>(describe) = set_up;
  describe.model = "m.tflite";
  Description description;
  Describe(file, ReferenceKernels(), set_up, {}, description);
  Require(description.problem.empty(), "a sound model is described: " + description.problem);
  const Json described = Json::parse(DescribeReportJson(describe, file.view(), description));
  RequirePlan(described["plan"], run);
  RequireSharing(described, run);
  RequirePeak(described["peak"], steps);
  Require(described["head_bytes"] == run.head_bytes, "a description has the head of a run");
  const std::string described_text = DescribeReportText(describe, file.view(), description);
  RequireSharingText(described_text, run);
  RequirePicture(described_text, run);

  SizeOptions size;
  static_cast<SetUpOptions&>(size) = set_up;
  size.model = "m.tflite";
  const SizeResult measured = MeasureModel(size, *subject.model, ReferenceKernels());
  Require(measured.problem.empty(), "a sound model is measured: " + measured.problem);
  const Json sized = Json::parse(SizeReportJson(size, *subject.model, measured))["faithful"];
  RequirePlan(sized["plan"], run);
  RequireSharing(sized, run);
  RequirePeak(sized["peak"], steps);
  RequireSteps(sized["steps"], steps);
  const std::string text = SizeReportText(size, *subject.model, measured);
  RequireSharingText(text, run);
  RequireStepsText(text, run, steps);
  Require(sized["head_bytes"] == run.head_bytes, "the head that is measured is that of a run");
}

}  // namespace
}  // namespace arenaproof::testing

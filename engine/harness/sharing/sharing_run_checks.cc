#include "engine/harness/sharing/sharing_run_checks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/generators/reach_report.h"
#include "engine/oracles/model/graph_head.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "engine/unguided.h"
#include "kernels/reference/reference_kernels.h"
#include "tools/text/sentences.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {
namespace {

// A buffer that comes alive twice has one lifetime from the first time to the last; what modifies data may be refused
// then (core/planner/alias_groups.h).
bool MayBeTakenForRead(const SharingRules& rules, const std::vector<BufferAlias>& list, const Status& status) {
  return status.code == StatusCode::kPlanAliasStillRead &&
         std::any_of(list.begin(), list.end(), [&](const BufferAlias& alias) {
           return alias.buffer == status.detail[0] && alias.modifies &&
                  rules.WaysTo(static_cast<std::size_t>(alias.subgraph)) > 1;
         });
}

std::string NameText(const TensorName& tensor, std::int32_t source) {
  return ": tensor " + std::to_string(tensor.second) + " of subgraph " + std::to_string(tensor.first) + " in " +
         std::to_string(source);
}

}  // namespace

std::string WrongRun(const PlannedRun& expected, const PlannedRun& found, const std::string& planner) {
  if (!found.status.ok()) {
    return "a sound model is set up and runs with the planner " + planner + ": " + Sentence(found.status);
  }
  if (found.outputs != expected.outputs) return "the planner " + planner + " changes no output";
  const std::string wrong = WrongSharing(found);
  return wrong.empty() ? wrong : "with the planner " + planner + ": " + wrong;
}

std::string WrongRunApart(const PlannedRun& expected, const PlannedRun& found, const std::string& planner) {
  if (!found.sharing.empty()) return "A4: nothing shares bytes with " + planner;
  return WrongRun(expected, found, planner);
}

std::string WrongSharers(const PlannedRun& run, const SharingRules& rules) {
  std::map<TensorName, SharedWith> found;
  for (const BufferAlias& alias : run.sharing) {
    const PlanEntry& buffer = run.plan[alias.buffer];
    const PlanEntry& owner = run.plan[alias.owner];
    found[{static_cast<std::size_t>(buffer.subgraph), buffer.tensor}] = {run.plan[alias.source].tensor, owner.tensor};
    if (buffer.subgraph != owner.subgraph || buffer.offset != owner.offset || buffer.bytes != owner.bytes) {
      return "A11: a tensor that shares has exactly its owner's address";
    }
  }
  const std::map<TensorName, SharedWith> expected = rules.WhoShares();
  CountReach("tensors that share bytes", expected.size());
  for (const auto& [tensor, with] : found) {
    if (expected.contains(tensor)) continue;
    return "A11: sharing happens only under the listed conditions" + NameText(tensor, with.source);
  }
  for (const auto& [tensor, with] : expected) {
    const std::string name = NameText(tensor, with.source);
    if (!found.contains(tensor)) return "what the listed conditions let share does share" + name;
    if (found.at(tensor) != with) return "the first input that passes is shared, and chains have one owner" + name;
  }
  return {};
}

std::string WrongHead(const ValidatedModel& model, const PlannedRun& run, bool sharing) {
  const GraphHead expected = HeadOfGraphs(model, run.plan, ReferenceKernels(), sharing);
  CountReach("arenas in a head", expected.arenas);
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    if (run.plan[i].offset == expected.offsets[i]) continue;
    return "a head is what the arena planner makes of each subgraph alone: buffer " + std::to_string(i) + " lies at " +
           std::to_string(run.plan[i].offset) + ", its graph's planner says " + std::to_string(expected.offsets[i]);
  }
  return run.head_bytes == expected.bytes ? "" : "a head ends where its highest buffer does";
}

std::string WrongAnswer(const SharingRules& rules, const ChangedSharing& sharing, const PlannedRun& run,
                        const PlannedRun& apart) {
  if (MayBeTakenForRead(rules, sharing.list(), run.status)) return {};
  const SharingRules::Reasons wrong = rules.WhatIsWrong(sharing.buffer_of_tensor(), sharing.list());
  if (wrong.empty()) {
    if (!run.status.ok()) return "a list with which nothing is wrong is taken: " + Sentence(run.status);
    if (run.outputs != apart.outputs) return "A11: a sharing that is taken changes no output";
    return WrongSharing(run);
  }
  if (run.status.ok()) return "A11: a sharing that is wrong is not taken";
  const auto named = std::pair(run.status.code, static_cast<std::uint32_t>(run.status.detail[0]));
  if (wrong.contains(named)) return {};
  return "the reason for which a sharing is refused is true of the buffer that is named: " + Sentence(run.status);
}

std::string WrongGivenRun(const PlannedRun& planned, const PlannedRun& given, const std::string& what) {
  if (!given.status.ok()) return what + " is taken: " + Sentence(given.status);
  if (given.outputs != planned.outputs) return what + " gives the same outputs";
  if (const std::string wrong = WrongSharing(given); !wrong.empty()) return "of " + what + ": " + wrong;
  if (given.plan.size() != planned.plan.size()) return what + " has a place for each buffer";
  if (OffsetsOf(given) != OffsetsOf(planned)) return "P2: of " + what + " no offset moves";
  if (given.head_bytes != planned.head_bytes) return what + " needs as much head";
  const auto shared_by = [](const PlannedRun& run) {
    std::set<std::array<std::uint32_t, 3>> names;
    for (const BufferAlias& alias : run.sharing) names.insert({alias.buffer, alias.source, alias.owner});
    return names;
  };
  return shared_by(given) == shared_by(planned) ? "" : what + " shares where the planner did";
}

std::string WrongMovedRun(const PlannedRun& planned, const PlannedRun& given, std::span<const std::int64_t> offsets,
                          bool no_sharing) {
  if (given.status.ok()) {
    if (given.outputs != planned.outputs) return "a plan that is taken changes no output";
    if (const std::string wrong = WrongSharing(given); !wrong.empty()) return wrong;
    if (no_sharing && !given.sharing.empty()) return "nothing shares that is not to";
  }
  if (!no_sharing) return {};
  std::vector<PlacedBuffer> placed;
  std::size_t head_bytes = 0;
  for (std::size_t i = 0; i < planned.plan.size(); ++i) {
    const PlanEntry& entry = planned.plan[i];
    placed.push_back({static_cast<std::size_t>(offsets[i]), (entry.bytes + 15) / 16 * 16, entry.first, entry.last});
    head_bytes = std::max(head_bytes, placed[i].offset + placed[i].bytes);
  }
  if (QuadraticCertificate(placed, head_bytes, 16).ok()) {
    return given.status.ok() ? "" : "a plan with which nothing is wrong is taken: " + Sentence(given.status);
  }
  const auto named = [&](std::size_t detail) { return placed[static_cast<std::size_t>(given.status.detail[detail])]; };
  const bool right = given.status.code == StatusCode::kPlanSharedBytes && WronglyShareBytes(named(0), named(2));
  return right ? "" : "a plan in which two share bytes is refused for such a pair: " + Sentence(given.status);
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END

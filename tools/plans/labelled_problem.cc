#include "tools/plans/labelled_problem.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/alignment.h"
#include "core/model/offline_plan.h"
#include "tools/text/names.h"

namespace arenaproof {
namespace {

std::int64_t RoundedUpTo16(std::size_t bytes) {
  return static_cast<std::int64_t>((bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment);
}

BufferLabel LabelOf(const ModelView& model, const PlanEntry& entry) {
  BufferLabel label;
  label.subgraph = entry.subgraph;
  label.tensor = entry.tensor;
  label.scratch = entry.scratch;
  label.owner_operator = entry.owner_operator;
  label.asked_bytes = static_cast<std::int64_t>(entry.bytes);
  if (entry.tensor < 0) {
    label.id = "s" + std::to_string(entry.scratch);
    return label;
  }
  label.id = (entry.subgraph == 0 ? "" : std::to_string(entry.subgraph) + ":") + std::to_string(entry.tensor);
  label.name =
      std::string(model.tensor(static_cast<std::size_t>(entry.subgraph), static_cast<std::size_t>(entry.tensor)).name);
  return label;
}

std::optional<std::int64_t> OffsetInModel(const ModelView& model, const PlanEntry& entry) {
  if (entry.tensor < 0) return std::nullopt;
  std::int32_t offset = kPlannedAtRunTime;
  const Status status =
      OfflineOffsetOf(model, static_cast<std::size_t>(entry.subgraph), static_cast<std::size_t>(entry.tensor), &offset);
  if (!status.ok() || offset == kPlannedAtRunTime) return std::nullopt;
  return offset;
}

}  // namespace

bool IsAliveAt(const PlanBuffer& buffer, std::int64_t time) {
  for (const TimeInterval& piece : AliveIntervals(buffer)) {
    if (piece.lower <= time && time < piece.upper) return true;
  }
  return false;
}

LabelledProblem ProblemOfCsv(ProblemCsv csv) {
  LabelledProblem problem;
  for (std::size_t i = 0; i < csv.ids.size(); ++i) {
    BufferLabel& label = problem.labels.emplace_back();
    label.id = std::move(csv.ids[i]);
    label.asked_bytes = csv.buffers[i].bytes;
  }
  problem.buffers = std::move(csv.buffers);
  return problem;
}

LabelledProblem ProblemOfModel(const ModelView& model, std::span<const PlanEntry> planned, OwnPlan own_plan,
                               std::span<const BufferAlias> sharing) {
  LabelledProblem problem;
  problem.sharing.assign(sharing.begin(), sharing.end());
  problem.trusts_fixed = own_plan == OwnPlan::kTrusted;
  for (const PlanEntry& entry : planned) {
    PlanBuffer& buffer = problem.buffers.emplace_back();
    // Never alive: no interval of any length.
    if (entry.last >= 0) buffer.lifetime = {entry.first, std::int64_t{entry.last} + 1};
    buffer.bytes = RoundedUpTo16(entry.bytes);
    buffer.alignment = kTensorAlignment;
    if (own_plan != OwnPlan::kIgnored) buffer.offset = OffsetInModel(model, entry);
    problem.labels.push_back(LabelOf(model, entry));
  }
  return problem;
}

std::vector<PlanBuffer> GroupedBuffers(const LabelledProblem& problem) {
  std::vector<PlanBuffer> groups = problem.buffers;
  for (const BufferAlias& alias : problem.sharing) {
    TimeInterval& lifetime = groups[alias.owner].lifetime;
    lifetime.upper = std::max(lifetime.upper, problem.buffers[alias.buffer].lifetime.upper);
    groups[alias.buffer].bytes = 0;
  }
  return groups;
}

std::vector<PlanBuffer> DisjointBuffers(const LabelledProblem& problem) {
  std::vector<PlanBuffer> buffers = GroupedBuffers(problem);
  if (!problem.trusts_fixed) return buffers;
  std::vector<PlanBuffer> fixed;
  std::vector<std::int64_t> times;
  for (PlanBuffer& buffer : buffers) {
    if (!buffer.offset || buffer.bytes == 0) continue;
    fixed.push_back(buffer);
    buffer.bytes = 0;
    for (const TimeInterval& piece : AliveIntervals(fixed.back())) {
      times.push_back(piece.lower);
      times.push_back(piece.upper);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::sort(fixed.begin(), fixed.end(), [](const auto& a, const auto& b) { return *a.offset < *b.offset; });
  std::vector<PlanBuffer> last;  // of the time before
  for (std::size_t t = 0; t + 1 < times.size(); ++t) {
    std::vector<PlanBuffer> now;
    for (const PlanBuffer& buffer : fixed) {
      if (!IsAliveAt(buffer, times[t])) continue;
      const std::int64_t end = now.empty() ? -1 : *now.back().offset + now.back().bytes;
      if (*buffer.offset > end) {
        now.push_back({{times[t], times[t + 1]}, buffer.bytes, buffer.alignment, buffer.offset, {}});
      } else {
        now.back().bytes = std::max(end, *buffer.offset + buffer.bytes) - *now.back().offset;
      }
    }
    const auto same = [](const PlanBuffer& a, const PlanBuffer& b) {
      return a.offset == b.offset && a.bytes == b.bytes;
    };
    if (std::equal(now.begin(), now.end(), last.begin(), last.end(), same)) {
      for (PlanBuffer& buffer : last) buffer.lifetime.upper = times[t + 1];
      continue;
    }
    buffers.insert(buffers.end(), last.begin(), last.end());
    last = std::move(now);
  }
  buffers.insert(buffers.end(), last.begin(), last.end());
  return buffers;
}

std::string WhatItIs(const BufferLabel& label) {
  if (!label.is_of_model()) return "buffer '" + Printable(label.id) + "'";
  std::string what = label.tensor >= 0 ? "tensor " + std::to_string(label.tensor)
                                       : "scratch buffer " + std::to_string(label.scratch) + " of operator " +
                                             std::to_string(label.owner_operator);
  if (!label.name.empty()) what += " \"" + Printable(label.name) + "\"";
  return label.subgraph == 0 ? what : what + " of subgraph " + std::to_string(label.subgraph);
}

std::string AliveText(const PlanBuffer& buffer, const BufferLabel& label) {
  const auto [lower, upper] = buffer.lifetime;
  if (lower >= upper) return "never alive";
  if (!label.is_of_model()) return "alive in [" + std::to_string(lower) + ", " + std::to_string(upper) + ")";
  if (upper - lower == 1) return "alive in step " + std::to_string(lower);
  return "alive in steps " + std::to_string(lower) + " to " + std::to_string(upper - 1);
}

}  // namespace arenaproof

#include "tools/command/checked_plan_drawing.h"

#include <algorithm>
#include <cstdint>

#include "core/base/byte_size.h"

namespace arenaproof {
namespace {

// Beyond what any model has; below it nothing overflows.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;
constexpr std::int64_t kMostSteps = std::int64_t{1} << 24;

bool IsIn(std::int64_t number, std::int64_t least, std::int64_t most) { return number >= least && number <= most; }

bool CanBe(const PlannedBufferReport& buffer) {
  return IsIn(buffer.offset, 0, kMostBytes) && IsIn(buffer.bytes, 0, kMostBytes) && IsIn(buffer.first, 0, kMostSteps) &&
         IsIn(buffer.last, buffer.first, kMostSteps) && IsIn(buffer.subgraph, 0, INT32_MAX) &&
         IsIn(buffer.tensor, -1, INT32_MAX) && IsIn(buffer.scratch, -1, INT32_MAX) &&
         IsIn(buffer.owner_operator, -1, INT32_MAX);
}

BufferLabel LabelOf(const PlannedBufferReport& buffer) {
  const std::string in = buffer.subgraph == 0 ? "" : std::to_string(buffer.subgraph) + ":";
  return {.id = buffer.scratch >= 0 ? "s" + std::to_string(buffer.scratch) : in + std::to_string(buffer.tensor),
          .name = buffer.name,
          .subgraph = static_cast<std::int32_t>(buffer.subgraph),
          .tensor = static_cast<std::int32_t>(buffer.tensor),
          .scratch = static_cast<std::int32_t>(buffer.scratch),
          .owner_operator = static_cast<std::int32_t>(buffer.owner_operator),
          .asked_bytes = buffer.bytes};
}

// "start", then the operators; only without called subgraphs is each one step.
std::vector<std::string> StepNames(const WorkerReport& report) {
  std::vector<std::string> names = {"start"};
  for (const OperatorSeen& one : report.operators) {
    if (one.subgraph != 0) return {};
    names.push_back(std::to_string(one.index) + " " + one.name);
  }
  return names.size() == 1 ? std::vector<std::string>() : names;
}

}  // namespace

CheckedPlanDrawing::CheckedPlanDrawing(const WorkerReport& report)
    : drawing_{.title = {}, .summary = {}, .problem = problem_, .offsets = {}, .busiest = {}, .busiest_text = {}} {
  if (report.plan) Add(report.plan->buffers);
  if (report.refusal) Add(report.refusal->buffers);
  drawing_.offsets = offsets_;
  drawing_.busiest = FindBusiestMoment(problem_);
  drawing_.busiest_text = PeakText(nullptr, problem_, drawing_.busiest);
  // Tensors that share bytes on purpose make the sum of what is alive no bound.
  drawing_.lower_bound_bytes = std::min(drawing_.peak_bytes, drawing_.busiest.bytes);
  drawing_.step_names = StepNames(report);
}

// Buffers are drawn with the bytes that tensors have, beyond which an access is a violation; the peak is that of the
// planner, which rounds them up.
void CheckedPlanDrawing::Add(const std::vector<PlannedBufferReport>& buffers) {
  for (const PlannedBufferReport& buffer : buffers) {
    if (!CanBe(buffer)) continue;
    PlanBuffer& planned = problem_.buffers.emplace_back();
    planned.lifetime = {buffer.first, buffer.last + 1};
    planned.bytes = buffer.bytes;
    problem_.labels.push_back(LabelOf(buffer));
    offsets_.emplace_back(buffer.offset);
    std::size_t rounded = 0;
    if (RoundUp16(static_cast<std::size_t>(buffer.offset + buffer.bytes), &rounded).ok()) {
      drawing_.peak_bytes = std::max(drawing_.peak_bytes, static_cast<std::int64_t>(rounded));
    }
  }
}

bool CheckedPlanDrawing::MarkShared(const std::string& text) {
  if (problem_.buffers.size() != 2) return false;
  const PlanBuffer& a = problem_.buffers[0];
  const PlanBuffer& b = problem_.buffers[1];
  const std::int64_t lowest = std::max(*offsets_[0], *offsets_[1]);
  const std::int64_t end = std::min(*offsets_[0] + a.bytes, *offsets_[1] + b.bytes);
  if (lowest >= end) return false;
  drawing_.accesses.push_back(
      {.time = std::max(a.lifetime.lower, b.lifetime.lower), .lowest = lowest, .end = end, .text = text});
  return true;
}

void CheckedPlanDrawing::Name(const std::string& title, const std::string& summary) {
  drawing_.title = title;
  drawing_.summary = summary;
}

std::optional<std::int64_t> CheckedPlanDrawing::OffsetOf(const ViolationReport& violation) const {
  std::int64_t scratch_of_operator = 0;
  for (std::size_t i = 0; i < problem_.labels.size(); ++i) {
    const BufferLabel& label = problem_.labels[i];
    if (label.subgraph != violation.subgraph) continue;
    if (violation.operand_kind == "scratch") {
      if (label.scratch < 0 || label.owner_operator != violation.operator_index) continue;
      if (scratch_of_operator++ == violation.operand_index) return offsets_[i];
    } else if (violation.operand_kind == "input" || violation.operand_kind == "output") {
      if (label.tensor >= 0 && label.tensor == violation.operand_index) return offsets_[i];
    }
  }
  return std::nullopt;
}

bool CheckedPlanDrawing::Mark(const ViolationReport& violation, const std::string& text) {
  const std::optional<std::int64_t> offset = OffsetOf(violation);
  if (!offset || !IsIn(violation.step, 0, kMostSteps)) return false;
  if (!IsIn(violation.lowest_touched, -kMostBytes, kMostBytes)) return false;
  if (!IsIn(violation.highest_touched, violation.lowest_touched, kMostBytes)) return false;
  drawing_.accesses.push_back({.time = violation.step,
                               .lowest = *offset + violation.lowest_touched,
                               .end = *offset + violation.highest_touched + 1,
                               .text = text});
  return true;
}

}  // namespace arenaproof

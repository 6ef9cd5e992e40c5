// The picture of a plan that a worker reported: the arena of one part, and in it what was touched without right; of a
// refused plan the tensors for which it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/worker_report.h"
#include "tools/plans/plan_drawing.h"

namespace arenaproof {

// What a worker says is not trusted: buffers that no arena can have are left out.
class CheckedPlanDrawing {
 public:
  explicit CheckedPlanDrawing(const WorkerReport& report);
  CheckedPlanDrawing(const CheckedPlanDrawing&) = delete;
  CheckedPlanDrawing& operator=(const CheckedPlanDrawing&) = delete;

  // Marks what was touched, in the first step in which its operator runs. False when that is not in the picture: the
  // operand lies in the tail or in the model file, or has no place in this plan.
  bool Mark(const ViolationReport& violation, const std::string& text);

  // Marks what the two tensors of a refused plan share, from when on both are alive. False when the worker reports no
  // two that do.
  bool MarkShared(const std::string& text);

  // Title and the line below it.
  void Name(const std::string& title, const std::string& summary);

  bool empty() const { return problem_.buffers.empty(); }
  const PlanDrawing& drawing() const { return drawing_; }

 private:
  void Add(const std::vector<PlannedBufferReport>& buffers);
  std::optional<std::int64_t> OffsetOf(const ViolationReport& violation) const;

  LabelledProblem problem_;
  std::vector<std::optional<std::int64_t>> offsets_;
  PlanDrawing drawing_;
};

}  // namespace arenaproof

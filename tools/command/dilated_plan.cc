#include "tools/command/dilated_plan.h"

#include <cstddef>

#include "core/planner/placed_buffer.h"
#include "sanitizers/layout/dilated_layout.h"
#include "tools/plans/plan_groups.h"
#include "tools/text/sentences.h"

namespace arenaproof {

DilatedPlan DilatePlan(const LabelledProblem& problem, const MadePlan& plan, const std::string& planner) {
  const std::vector<PlanBuffer> buffers = GroupedBuffers(problem);
  const std::vector<std::optional<std::size_t>> owners = OwnersOf(problem);
  std::vector<PlacedBuffer> placed;
  std::vector<std::size_t> index_of;  // in the problem
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (owners[i].value_or(i) != i) continue;  // moves with its owner
    const auto [lower, upper] = buffers[i].lifetime;
    PlacedBuffer buffer;
    buffer.offset = static_cast<std::size_t>(*plan.offsets[i]);
    buffer.bytes = static_cast<std::size_t>(buffers[i].bytes);
    buffer.first = lower < upper ? static_cast<std::int32_t>(lower) : -1;
    buffer.last = lower < upper ? static_cast<std::int32_t>(upper - 1) : -1;
    buffer.trusted = problem.trusts_fixed && buffers[i].offset.has_value();
    // The linear planner keeps all tensors for the whole run.
    if (planner == "linear") buffer.first = buffer.last = 0;
    placed.push_back(buffer);
    index_of.push_back(i);
  }
  DilatedLayout layout;
  DilatedPlan dilated;
  if (const Status status = Dilate(placed, &layout); !status.ok()) {
    dilated.problem = Sentence(status);
    return dilated;
  }
  dilated.offsets = plan.offsets;
  for (std::size_t p = 0; p < placed.size(); ++p) {
    dilated.offsets[index_of[p]] = static_cast<std::int64_t>(layout.offsets[p]);
  }
  for (const BufferAlias& alias : problem.sharing) dilated.offsets[alias.buffer] = dilated.offsets[alias.owner];
  dilated.head_bytes = static_cast<std::int64_t>(layout.head_bytes);
  return dilated;
}

}  // namespace arenaproof

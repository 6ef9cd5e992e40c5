#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "engine/generators/offline_plan/changed_name.h"
#include "engine/generators/offline_plan/plan_model.h"
#include "engine/generators/offline_plan/planned_model_input.h"
#include "engine/harness/offline_plan/plan_run.h"
#include "faults/plain/certifier_left_out.h"
#include "faults/plain/heap_block.h"
#include "faults/plain/replay.h"

namespace arenaproof {
namespace {

constexpr std::uint8_t kPlanFollowsAsItIs = 128;

std::vector<std::byte> PlanOf(InputBytes input) {
  const auto rest = input.subspan(2);
  if ((input[0] & kPlanFollowsAsItIs) != 0) {
    const auto bytes = std::as_bytes(rest.first(std::min(rest.size(), kMostPlanBytes)));
    return {bytes.begin(), bytes.end()};
  }
  ByteReader reader(rest.data(), rest.size());
  return DrawPlan(reader, kPlanFuzzTensorCount, kPlanFuzzSubgraphCount, kMostPlanBytes);
}

}  // namespace

void ReplayOfflinePlan(InputBytes input) {
  if (input.size() < 2) return;
  const std::vector<std::byte> without = PlanFuzzModel(kMostPlanBytes);
  const std::vector<std::uint8_t> planned =
      WithOfflinePlan({reinterpret_cast<const std::uint8_t*>(without.data()), without.size()}, PlanOf(input));
  const HeapBlock file = AllocateBlock(kModelAlignment, planned.size());
  if (!planned.empty()) std::memcpy(file.get(), planned.data(), planned.size());
  ValidationReport report;
  const std::optional<ValidatedModel> model = ValidatedModel::Open({file.get(), planned.size()}, &report);
  if (!model) return;
  SetPlanIsFromFile(true);
  ChangeName({file.get(), planned.size()}, *model, input[1]);
  const HeapBlock arena = AllocateBlock(64, kMostPlanArenaBytes);
  const HeapBlock place = AllocateBlock(64, kPlanSetUpBytes);
  PlanSetUp* const set_up = AllocatorSetUp(*model, {arena.get(), kMostPlanArenaBytes}, {}, place.get());
  static_cast<void>(set_up->Allocate().ok());
  set_up->~PlanSetUp();
}

void ReplayPlannedModel(InputBytes input) {
  const std::vector<std::uint8_t> file = WithDrawnPlan(SplitPlannedModel(input));
  ReplayModel(file, ModelArena::kOfTheFuzzTargets);
}

}  // namespace arenaproof

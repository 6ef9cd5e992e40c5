#include "engine/generators/offline_plan/plan_recipe.h"

#include <algorithm>

#include "core/model/offline_plan.h"

namespace arenaproof {
namespace {

// Most are multiples of 16 near the others; now and then any number.
std::int32_t DrawOffset(ByteReader& reader) {
  const std::uint8_t code = reader.Byte();
  if (code < 64) return kPlannedAtRunTime;
  if (code < 240) return (code - 64) * 16;
  if (code < 244) return (code - 240) * 4096;
  if (code < 250) return static_cast<std::int32_t>(reader.Number(2));
  return static_cast<std::int32_t>(reader.Number(4));
}

}  // namespace

std::vector<std::byte> DrawPlan(ByteReader& reader, std::size_t tensor_count, std::size_t subgraph_count,
                                std::size_t most_bytes) {
  std::vector<std::int32_t> offsets(std::min(tensor_count, most_bytes / kOfflinePlanWordBytes));
  for (std::int32_t& offset : offsets) offset = DrawOffset(reader);
  const std::uint32_t version = offsets.empty() || offsets[0] % 2 == 0 ? 0 : 1;
  std::vector<std::byte> plan(OfflinePlanBytes(offsets.size()));
  EncodeOfflinePlan({.version = version, .subgraph_count = static_cast<std::uint32_t>(subgraph_count)}, offsets, plan);
  if (reader.left_bytes() % 2 == 1) plan.resize(reader.Byte());
  plan.resize(std::min(plan.size(), most_bytes));
  while (!reader.empty() && !plan.empty()) {
    const std::size_t position = reader.Below(plan.size());
    plan[position] = static_cast<std::byte>(reader.Byte());
  }
  return plan;
}

}  // namespace arenaproof

// A model and what an offline plan for it is drawn from, in one input:
//
//   front       a model file
//   then        what the plan is drawn from (plan_recipe.h)
//   last byte   bits 0 to 5: how many bytes that are; bit 6: trust; bit 7: the linear planner
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/model_view.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/mutator/plan_object.h"
#include "engine/generators/offline_plan/plan_recipe.h"

namespace arenaproof {

inline constexpr std::uint8_t kRecipeMask = 63;
inline constexpr std::size_t kMostFittedPlanBytes = 1024;

struct PlannedModelInput {
  std::span<const std::uint8_t> model;
  std::span<const std::uint8_t> recipe;
  std::uint8_t choice = 0;
};

inline PlannedModelInput SplitPlannedModel(std::span<const std::uint8_t> input) {
  if (input.empty()) return {};
  PlannedModelInput parts;
  parts.choice = input.back();
  input = input.first(input.size() - 1);
  const std::size_t recipe_bytes = std::min<std::size_t>(parts.choice & kRecipeMask, input.size());
  parts.recipe = input.last(recipe_bytes);
  parts.model = input.first(input.size() - recipe_bytes);
  return parts;
}

// The model with the plan, fitted to the model as it is; empty when it is no model.
inline std::vector<std::uint8_t> WithDrawnPlan(const PlannedModelInput& parts) {
  ModelView model;
  const std::vector<std::uint8_t> aligned(parts.model.begin(), parts.model.end());
  if (!ModelView::Open(std::as_bytes(std::span(aligned)), &model).ok()) return {};
  ByteReader reader(parts.recipe.data(), parts.recipe.size());
  return WithOfflinePlan(parts.model,
                         DrawPlan(reader, model.total_tensor_count(), model.subgraph_count(), kMostFittedPlanBytes));
}

}  // namespace arenaproof

// A plan's picture is read back: every rectangle, gap, line and mark is where the plan has it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof::testing {

struct DrawnPlan {
  std::span<const PlanBuffer> buffers;
  std::span<const std::optional<std::int64_t>> offsets;
  std::int64_t peak_bytes = 0;
  std::int64_t lower_bound_bytes = 0;
  std::int64_t redzone_bytes = 0;  // closed on both sides of each buffer that is alive and has bytes; 0: none
};

// The texts between quotes, after `name=`, anywhere in `text`.
std::vector<std::string> AttributesOf(const std::string& text, const std::string& name);

// `picture`: SVG, or HTML around it. Empty, or what is wrong. Along the time only as far as doubles tell it apart.
std::string WhatIsDrawnWrong(const std::string& picture, const DrawnPlan& plan);

// The rows of the table below a picture in HTML: offset, bytes, and when the buffer is alive.
std::string WhatIsTabledWrong(const std::string& html, const DrawnPlan& plan);

}  // namespace arenaproof::testing

// A list of buffers that share bytes, and the plan that lays them, with something wrong about one of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cases/shared_plan.h"
#include "engine/generators/random_source.h"

namespace arenaproof::testing {

inline void DisturbBuffer(RandomSource& random, SharedPlan& plan) {
  PlacedBuffer& buffer = random.Of(plan.buffers);
  switch (random.Below(8)) {
    case 0:
      buffer.offset = random.Of(plan.buffers).offset;
      break;
    case 1:
      buffer.offset += 8 * random.Below(8);
      break;
    case 2:
      buffer.bytes = 8 * random.Below(8);
      break;
    case 3:
      buffer.first = random.Between(-1, 8);
      break;
    case 4:
      buffer.last = random.Between(-1, 8);
      break;
    case 5:
      buffer.trusted = !buffer.trusted;
      break;
    case 6:
      buffer.variable = !buffer.variable;
      break;
    default:
      buffer.kept = static_cast<std::uint8_t>(random.Below(4));
  }
}

// Now and then a buffer that does not exist.
inline void DisturbAlias(RandomSource& random, SharedPlan& plan) {
  const auto any = [&] { return static_cast<std::uint32_t>(random.Below(plan.buffers.size() + 1)); };
  const auto at = random.Below(plan.aliases.size());
  BufferAlias& alias = plan.aliases[at];
  switch (random.Below(7)) {
    case 0:
      alias.buffer = any();
      break;
    case 1:
      alias.source = any();
      break;
    case 2:
      alias.owner = any();
      break;
    case 3:
      alias.modifies = !alias.modifies;
      break;
    case 4:
      plan.aliases.push_back(BufferAlias(alias));
      break;
    case 5:
      plan.aliases.erase(plan.aliases.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    default:
      alias.source = alias.owner = any();
  }
}

inline void DisturbSharedPlan(RandomSource& random, SharedPlan& plan) {
  const std::size_t what = random.Below(8);
  if (what == 0) {
    plan.head_bytes = 8 * random.Below(64);
  } else if (what < 4 || plan.aliases.empty()) {
    DisturbBuffer(random, plan);
  } else {
    DisturbAlias(random, plan);
  }
}

}  // namespace arenaproof::testing

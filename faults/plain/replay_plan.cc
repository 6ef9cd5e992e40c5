#include <cstring>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "engine/generators/bytes/buffer_request_reader.h"
#include "engine/oracles/planner/planned_requests.h"
#include "faults/plain/replay.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostHeadBytes = 1 << 24;

}  // namespace

void ReplayPlan(InputBytes input) {
  ByteReader reader(input.data(), input.size());
  const std::size_t shift_bytes = reader.Byte() % 64u;
  const std::vector<testing::BufferRequest> requests = DrawRequests(reader);
  GreedyPlanner planner;
  const auto plan = testing::Plan(planner, requests, shift_bytes);
  if (!plan.has_value() || plan->maximum_bytes > kMostHeadBytes) return;
  std::vector<std::byte> head(plan->maximum_bytes);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].bytes == 0) continue;
    std::memset(head.data() + plan->offsets[i], static_cast<int>(i), requests[i].bytes);
  }
}

}  // namespace arenaproof

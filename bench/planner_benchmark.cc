// Planning, certifying and dilating 10 to 1000 buffers of random sizes and lifetimes.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "sanitizers/dilating_planner.h"

namespace arenaproof {
namespace {

struct Request {
  std::size_t bytes;
  std::int32_t first, last;
};

std::vector<Request> RandomRequests(std::size_t count) {
  std::uint32_t state = 2463534242u;
  const auto next = [&state](std::uint32_t below) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
  };
  std::vector<Request> requests(count);
  for (Request& request : requests) {
    const auto first = static_cast<std::int32_t>(next(static_cast<std::uint32_t>(count)));
    request = {16u * (1 + next(4096)), first, first + static_cast<std::int32_t>(next(8))};
  }
  return requests;
}

bool Plan(MemoryPlanner& planner, const std::vector<Request>& requests, std::vector<std::byte>& workspace,
          std::size_t* maximum) {
  if (!planner.Init(workspace).ok()) return false;
  for (const Request& request : requests) {
    if (!planner.AddBuffer(request.bytes, request.first, request.last).ok()) return false;
  }
  return planner.MaximumBytes(maximum).ok();
}

void Greedy(benchmark::State& state) {
  const auto requests = RandomRequests(static_cast<std::size_t>(state.range(0)));
  GreedyPlanner planner;
  std::vector<std::byte> workspace(planner.WorkspaceBytes(requests.size()));
  std::size_t maximum = 0;
  for (auto _ : state) {
    if (!Plan(planner, requests, workspace, &maximum)) return state.SkipWithError("planning failed");
    benchmark::DoNotOptimize(maximum);
  }
}
BENCHMARK(Greedy)->Name("plan/greedy")->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);

// The plan, its certificate and the room between its buffers.
void DilatedGreedy(benchmark::State& state) {
  const auto requests = RandomRequests(static_cast<std::size_t>(state.range(0)));
  GreedyPlanner inner;
  DilatingPlanner planner(inner);
  std::vector<std::byte> workspace(planner.WorkspaceBytes(requests.size()));
  std::size_t maximum = 0;
  for (auto _ : state) {
    if (!Plan(planner, requests, workspace, &maximum)) return state.SkipWithError("planning failed");
    benchmark::DoNotOptimize(maximum);
  }
}
BENCHMARK(DilatedGreedy)->Name("plan/greedy_dilated")->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);

void CertifyGreedy(benchmark::State& state) {
  const auto requests = RandomRequests(static_cast<std::size_t>(state.range(0)));
  GreedyPlanner planner;
  std::vector<std::byte> workspace(planner.WorkspaceBytes(requests.size()));
  std::size_t maximum = 0;
  if (!Plan(planner, requests, workspace, &maximum)) return state.SkipWithError("planning failed");
  std::vector<PlacedBuffer> buffers;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    PlacedBuffer buffer{kUnplaced, requests[i].bytes, requests[i].first, requests[i].last, false};
    if (!planner.OffsetOf(i, &buffer.offset).ok()) return state.SkipWithError("planning failed");
    buffers.push_back(buffer);
  }
  std::vector<std::byte> certifier_workspace(CertifierWorkspaceBytes(buffers.size()));
  for (auto _ : state) {
    if (!Certify(buffers, maximum, 16, certifier_workspace).ok()) return state.SkipWithError("not certified");
  }
}
BENCHMARK(CertifyGreedy)->Name("certify")->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);

}  // namespace
}  // namespace arenaproof

// Planning, certifying and dilating 10 to 1000 buffers of random sizes and lifetimes. Few of them are alive together
// (up to 8 steps each, as in a chain of operators) or many (up to half of all steps).
#include <benchmark/benchmark.h>

#include <vector>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "sanitizers/layout/dilating_planner.h"

namespace arenaproof {
namespace {

struct Request {
  std::size_t bytes;
  std::int32_t first, last;
};

std::vector<Request> RandomRequests(const benchmark::State& run) {
  const auto count = static_cast<std::size_t>(run.range(0));
  const auto longest = run.range(1) != 0 ? static_cast<std::uint32_t>(count / 2) : 8u;
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
    request = {16u * (1 + next(4096)), first, first + static_cast<std::int32_t>(next(longest))};
  }
  return requests;
}

void EachCount(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"buffers", "long"})->ArgsProduct({{10, 30, 100, 300, 1000}, {0, 1}});
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
  const auto requests = RandomRequests(state);
  GreedyPlanner planner;
  std::vector<std::byte> workspace(planner.WorkspaceBytes(requests.size()));
  std::size_t maximum = 0;
  for (auto _ : state) {
    if (!Plan(planner, requests, workspace, &maximum)) return state.SkipWithError("planning failed");
    benchmark::DoNotOptimize(maximum);
  }
}
BENCHMARK(Greedy)->Name("plan/greedy")->Apply(EachCount);

// The plan, its certificate and the room between its buffers.
void DilatedGreedy(benchmark::State& state) {
  const auto requests = RandomRequests(state);
  GreedyPlanner inner;
  DilatingPlanner planner(inner);
  std::vector<std::byte> workspace(planner.WorkspaceBytes(requests.size()));
  std::size_t maximum = 0;
  for (auto _ : state) {
    if (!Plan(planner, requests, workspace, &maximum)) return state.SkipWithError("planning failed");
    benchmark::DoNotOptimize(maximum);
  }
}
BENCHMARK(DilatedGreedy)->Name("plan/greedy_dilated")->Apply(EachCount);

void CertifyGreedy(benchmark::State& state) {
  const auto requests = RandomRequests(state);
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
BENCHMARK(CertifyGreedy)->Name("certify")->Apply(EachCount);

}  // namespace
}  // namespace arenaproof

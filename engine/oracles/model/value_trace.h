// Does every read find its producer's value? Runs a model's schedule over a plan without computing anything: each write
// leaves the tensor's name on its bytes, each read asks whether the name is still there. Knows nothing of lifetimes: it
// checks lifetimes, planner and certifier together (I4, I1, I13).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace arenaproof::oracle {

// Where a tensor or a scratch buffer lies in the head; not planned: elsewhere (a constant, a variable in the tail) or
// nowhere.
struct Home {
  bool planned = false;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

struct ScratchHome {
  std::size_t subgraph = 0;
  std::size_t operator_index = 0;
  Home home;
};

// `tensors` by number over all subgraphs. Empty when every value lasts until its last reader; else who lost what to
// whom. Branches of IF run one after the other, bodies of WHILE twice. Looks at the first `kMostTraceSteps` steps only.
inline constexpr std::size_t kMostTraceSteps = 20000;
std::string TraceValues(std::span<const std::byte> file, std::span<const Home> tensors,
                        std::span<const ScratchHome> scratch);

}  // namespace arenaproof::oracle

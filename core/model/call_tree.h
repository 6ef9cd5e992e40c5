// Which subgraphs an operator calls, and how far calls may go.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "core/model/model_view.h"

namespace arenaproof {

// More subgraphs than this are refused: the checks keep a few bytes for each on the stack.
inline constexpr std::size_t kMaxSubgraphCount = 256;
// Subgraphs active at one time, the main one included.
inline constexpr std::size_t kMaxCallDepth = 16;
// Steps when every call is followed: operators run, tensor indices read, and CallWork() for each entry of a subgraph.
inline constexpr std::uint64_t kMaxCallWork = std::uint64_t{1} << 24;

struct CalledSubgraphs {
  std::array<std::int32_t, 2> subgraph{};  // in the order they run; -1: none is called there
  std::size_t count = 0;
};

// IF: then, else; WHILE: cond, body; CALL_ONCE: init; any other operator, or one whose options are missing: none.
CalledSubgraphs SubgraphsCalledBy(const OperatorView& view);

// Steps of entering and leaving a subgraph once, its operators not counted.
std::uint64_t CallWork(const ModelView& model, std::size_t subgraph);

// No subgraph reaches itself, every called subgraph exists, depth and work stay below the limits above.
// kModelSubgraphCount, kModelCalledSubgraph, kModelCallCycle, kModelCallDepth, kModelCallWork.
Status CheckCallTree(const ModelView& model);

}  // namespace arenaproof

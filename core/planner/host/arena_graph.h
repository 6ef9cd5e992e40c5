// The graph as the arena planner sees it. Whoever has a model writes an adapter; the planner holds no copy of sizes and
// pointers, so that sizes that become known while a graph is prepared are seen when they are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/in_place.h"

namespace arenaproof {

// Who gives a tensor its memory. The planner does so for the first two, which are one arena each.
enum class ArenaTensorKind : std::uint8_t { kArena, kPersistentArena, kConstant, kDynamic, kCustom };

struct ArenaTensor {
  std::size_t bytes = 0;
  ArenaTensorKind kind = ArenaTensorKind::kArena;
  std::byte* data = nullptr;  // written by the planner for tensors of its arenas
};

// Tensor indices, -1 for an operand that is left out.
struct ArenaNode {
  std::span<const std::int32_t> inputs{};
  std::span<const std::int32_t> outputs{};
  std::span<const std::int32_t> temporaries{};  // needed while this node runs; may be known late
  unsigned sharing = kSharesNothing;
};

class ArenaGraph {
 public:
  virtual std::size_t TensorCount() const = 0;
  virtual ArenaTensor& Tensor(std::size_t index) = 0;
  virtual std::size_t NodeCount() const = 0;  // in execution order
  virtual ArenaNode NodeAt(std::size_t index) const = 0;
  virtual std::span<const std::int32_t> Inputs() const = 0;
  virtual std::span<const std::int32_t> Outputs() const = 0;
  virtual std::span<const std::int32_t> Variables() const = 0;

 protected:
  ~ArenaGraph() = default;
};

}  // namespace arenaproof

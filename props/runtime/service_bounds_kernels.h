// Kernels that ask every service that takes an address, a size or a number at its edge, and compare each answer with
// plain intervals kept here. One interpreter at a time: kernels find their operator in `holders`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::testing::service_bounds {

constexpr std::size_t kArenaBytes = std::size_t{1} << 15;
alignas(64) inline std::byte arena[kArenaBytes];
alignas(64) inline std::byte other_arena[kArenaBytes];
constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kCapacity = 3;        // of resource variables
constexpr std::size_t kValueBytes = 8;      // of the first; the second has none
constexpr std::size_t kCalleeOperands = 2;  // inputs, and outputs
constexpr std::size_t kCallerInputs = 3;

struct Range {
  std::uintptr_t start = 0;
  std::size_t bytes = 0;
  bool Holds(Range inner) const {
    return inner.start >= start && inner.bytes <= bytes && inner.start - start <= bytes - inner.bytes;
  }
  bool Touches(Range other) const {
    if (bytes == 0 || other.bytes == 0) return false;
    return start < other.start ? other.start - start < bytes : start - other.start < other.bytes;
  }
};
inline Range RangeOf(const std::byte* data, std::size_t bytes) {
  return {reinterpret_cast<std::uintptr_t>(data), bytes};
}

// An operator of the main graph and what it was granted.
struct Holder {
  std::vector<Range> blocks;
  std::vector<Range> temporaries;  // that it has not given back
  std::byte* placed = nullptr;     // where its output has to lie
  std::size_t output_bytes = 0;
};
inline std::vector<Holder> holders;
inline std::size_t initialised_count = 0;
inline bool asks_for_too_much_scratch = false;
inline const ModelAllocator* allocator = nullptr;
inline std::string complaint;  // the first violation

inline void Require(StatusCode found, StatusCode expected, const std::string& what) {
  if (found == expected || !complaint.empty()) return;
  complaint = "at the edge of a kernel's request: " + what + ": status " + std::to_string(static_cast<int>(found)) +
              " instead of " + std::to_string(static_cast<int>(expected));
}

// What a block holds from its grant on.
inline std::byte PatternOf(const Range& block) { return static_cast<std::byte>(block.start / 16 * 7 + block.bytes); }

// A holder takes and gives back memory, and places its output.
Status InitHolder(PrepareContext& context);
Status PrepareHolder(PrepareContext& context);
Status InvokeHolder(const InvokeContext& context);

// The caller describes, copies and reads tensors of a called subgraph, and reads and assigns resource variables.
Status PrepareCaller(PrepareContext& context);
Status InvokeCaller(const InvokeContext& context);

}  // namespace arenaproof::testing::service_bounds

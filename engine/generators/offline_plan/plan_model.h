// The model of fuzz_offline_plan, and what its kernels would ask for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace arenaproof {

// More than the model's fourteen offsets need, so that plans that are too long can be tried.
inline constexpr std::size_t kMostPlanBytes = 96;

// A file whose plan has `plan_bytes` bytes of room.
std::vector<std::byte> PlanFuzzModel(std::size_t plan_bytes);

// Number of its tensors in all subgraphs.
inline constexpr std::size_t kPlanFuzzTensorCount = 14;
inline constexpr std::size_t kPlanFuzzSubgraphCount = 3;

// Index in the main subgraph of the tensor that a kernel gives memory.
inline constexpr std::size_t kSuppliedTensor = 9;

// The scratch buffers of an operator with so many inputs.
std::span<const std::size_t> PlanScratchBytes(std::size_t input_count);

}  // namespace arenaproof

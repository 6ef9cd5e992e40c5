// Tensors that the application serves from buffers of its own: a sensor writes one, another memory consumes one. The
// eval tensor points at the buffer before init and prepare of any operator, so every planner skips the tensor and its
// bytes leave the head (which shrinks only if the tensor took part in the busiest step). Its entry in an offline plan
// stays, and has to be -1.
//
// The table is the interpreter's, outside the arena: eval tensors do not exist when a tensor is registered, and come
// anew with each AllocateTensors. The application owns the buffers and keeps them alive; the runtime never writes them
// (operators that list the tensor do).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/limits.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

class PreallocatedTensors {
 public:
  // No buffer may share a byte with these: the arena, or both of them.
  void KeepClearOf(MemoryRegion arena);

  // Tensor `tensor` of `subgraph` is served by `buffer`, 16-aligned, `bytes` long, at least as long as the tensor. A
  // subgraph's input, output or any tensor between; not what a planner never places: constants (kPreallocatedConstant),
  // variables (kPreallocatedVariable), resource handles (kPreallocatedResource). Nor what an offline plan has a place
  // for (kPreallocatedOfflinePlanned); a plan that cannot be read (kOfflinePlan...) refuses too. Else
  // kPreallocatedSubgraph, ...Tensor, ...Twice, ...Null, ...Misaligned, ...TooShort, ...Wraps, ...OverlapsArena,
  // ...OverlapsModel, ...OverlapsBuffer, ...Limit, or kSizeOverflow. After a refusal nothing is registered.
  Status Register(const ModelView& model, std::int32_t subgraph, std::int32_t tensor, std::byte* buffer,
                  std::size_t bytes);

  // Gives the fresh eval tensors of the registered model their addresses.
  void Apply(const ModelAllocation& allocation) const;

  // In init and prepare an operator sees no data of a tensor that is no constant, and may not touch it.
  void Hide(std::size_t subgraph, std::span<Operand> operands) const;

  std::size_t count() const { return count_; }

 private:
  struct Registration {
    std::int32_t subgraph = 0;
    std::int32_t tensor = 0;
    std::byte* buffer = nullptr;
    std::size_t bytes = 0;
  };

  std::span<const Registration> all() const { return std::span(registrations_).first(count_); }
  Status CheckBuffer(const ModelView& model, const Registration& wanted, std::size_t needed_bytes) const;

  std::array<MemoryRegion, 2> arenas_{};
  std::array<Registration, kMaxPreallocatedTensors> registrations_{};
  std::size_t count_ = 0;
};

}  // namespace arenaproof

// A subgraph as the arena planner sees it, while a model is being planned: what has a place in the head is the
// planner's, everything else (constants, variables, what the application gives memory, what nothing ever touches) is
// not.
//
// What operators read or the subgraph hands out, and no operator writes, has its value from outside: it is an input,
// whether or not the file calls it one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/planner/host/arena_graph.h"
#include "core/planner/placed_buffer.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

class ModelArenaGraph final : public ArenaGraph {
 public:
  // `buffer_of_tensor`: of this subgraph's tensors, kNoBuffer for those that are not in the head. With `shares` false
  // no operator lets its output share. The arguments stay in place as long as this object.
  ModelArenaGraph(const SubgraphAllocation& subgraph, std::span<const PlacedBuffer> buffers,
                  std::span<const std::uint32_t> buffer_of_tensor, bool shares);

  // Once: each scratch buffer is a tensor behind the subgraph's own, and a temporary of the operator that asked for it.
  // `scratch_bytes` is of the whole model; its buffers are the last ones.
  void AddScratch(std::span<const PlacedBuffer> buffers, std::span<const std::size_t> scratch_bytes);

  // The buffer of a tensor, scratch or not; kNoBuffer for what the planner gives no place.
  std::uint32_t BufferOf(std::size_t tensor) const;

  std::size_t TensorCount() const override { return tensors_.size(); }
  ArenaTensor& Tensor(std::size_t index) override { return tensors_[index]; }
  std::size_t NodeCount() const override { return subgraph_.operators.size(); }
  ArenaNode NodeAt(std::size_t index) const override;
  std::span<const std::int32_t> Inputs() const override { return inputs_; }
  std::span<const std::int32_t> Outputs() const override { return subgraph_.outputs; }
  std::span<const std::int32_t> Variables() const override { return variables_; }

 private:
  void FindInputs();

  const SubgraphAllocation& subgraph_;
  const std::span<const std::uint32_t> buffer_of_tensor_;
  const bool shares_;
  std::vector<ArenaTensor> tensors_;
  std::vector<std::int32_t> inputs_;
  std::vector<std::int32_t> variables_;
  std::vector<std::uint32_t> scratch_buffers_;
  std::vector<std::int32_t> temporaries_;     // scratch tensors, operator by operator
  std::vector<std::size_t> first_temporary_;  // of each operator; empty: there are none
};

}  // namespace arenaproof

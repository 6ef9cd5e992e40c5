// The models of the reference's own allocator tests, built from their description, and an allocator in memory of a
// test. Sizes in the tests are made of our own structures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/arena/single_arena.h"
#include "core/model/validated_model.h"
#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

class UpstreamModel {
 public:
  // Finishes the description; `builder` is not needed any more.
  explicit UpstreamModel(const ModelBuilder& builder);
  explicit UpstreamModel(std::vector<std::byte> file);
  UpstreamModel(const UpstreamModel&) = delete;
  UpstreamModel& operator=(const UpstreamModel&) = delete;
  const ValidatedModel& view() const { return view_; }

 private:
  std::vector<std::byte> file_;
  ValidatedModel view_;
};

// One subgraph; int32 [1] input, int8 [1] weight of one byte (21), two int32 [1] outputs; two custom operators.
std::unique_ptr<UpstreamModel> SimpleModel();
// Ten tensors [1]: three variables, three weights, two between; three custom operators in a row.
std::unique_ptr<UpstreamModel> ComplexModel();

struct OfflineOperator {
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
};
// `tensor_count` float tensors of 48 bytes and the plan's words. Subgraph inputs are those of the first operator, the
// first `most_inputs` of them when that is not 0; outputs those of the last.
std::unique_ptr<UpstreamModel> OfflineModel(int tensor_count, const std::vector<std::int32_t>& words,
                                            const std::vector<OfflineOperator>& operators, std::size_t most_inputs = 0);
// Four int8 [1, 64]: input, unused subgraph input, output, unused.
std::unique_ptr<UpstreamModel> UnusedInputsModel();
std::unique_ptr<UpstreamModel> IfModel();
std::unique_ptr<UpstreamModel> IfWithInputOverlapModel();
// Two subgraphs of one int32 tensor of shape [0]; CALL_ONCE, and an operator without inputs or outputs.
std::unique_ptr<UpstreamModel> NullInputOutputModel();
// Stands for the int8 convolution network that the reference ships: 15 tensors, 7 operators (QUANTIZE, CONV_2D,
// MAX_POOL_2D, RESHAPE, FULLY_CONNECTED twice, DEQUANTIZE), fits in 12 KiB. Tensor 0 is its quantised input. The
// reference kernels run it.
std::unique_ptr<UpstreamModel> ConvModel();

// What allocating a model of one subgraph takes of the tail.
constexpr std::size_t TailBytes(std::size_t tensor_count, std::size_t operator_count) {
  return sizeof(SubgraphAllocation) + tensor_count * sizeof(EvalTensor) + operator_count * sizeof(OperatorRecord);
}
// The reference gives its simple model 1040 bytes, 520 of them for the structures in the tail (its advertised 248, four
// of 24, two of 88). Ours take the place of those.
constexpr std::size_t SimpleModelArenaBytes() {
  return 1040 - (248 + 4 * 24 + 2 * 88) + sizeof(SingleArena) + sizeof(GreedyPlanner) + sizeof(ModelAllocator) +
         TailBytes(4, 2);
}

// The eval tensors of the main graph.
inline std::span<EvalTensor> TensorsOf(const ModelAllocation& allocation) { return allocation.subgraphs[0].tensors; }

// A plain byte array and an allocator in it.
class AllocatorIn {
 public:
  explicit AllocatorIn(std::size_t bytes, const InterpreterOptions& options = {});
  // Two arrays of so many bytes.
  AllocatorIn(std::size_t persistent_bytes, std::size_t non_persistent_bytes);

  const Status& creation() const { return creation_; }
  ModelAllocator& operator*() const { return *allocator_; }
  ModelAllocator* operator->() const { return allocator_; }
  const std::byte* memory() const { return memory_.data(); }
  // Start and finish, without operators' prepare in between.
  Status Allocate(const UpstreamModel& model, ModelAllocation* allocation, const OfflinePlanPolicy& policy = {});
  // Persistent structs of these tensors of the main graph.
  Status PersistentStructs(const UpstreamModel& model, const ModelAllocation& allocation,
                           const std::vector<std::int32_t>& tensors, std::vector<const Operand*>* structs);

 private:
  std::vector<std::byte> memory_;
  std::vector<std::byte> other_memory_;
  ModelAllocator* allocator_ = nullptr;
  Status creation_;
};

}  // namespace arenaproof::testing

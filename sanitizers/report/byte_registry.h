// What lies at which byte of the checked memory, so that a report can name what an illegal access hit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {

// The operator that runs, as far as naming bytes needs it.
struct RunningOperator {
  std::span<const OperandRange> operands;
  std::int32_t scope = -1;  // of plan lifetimes; -1 while there is no plan to speak of
};

struct ByteOwner {
  ByteState state = ByteState::kGap;
  MemoryRegion range{};       // of the thing that lies there; empty for gaps and guards
  std::int32_t index = -1;    // of a tensor, scratch buffer or operand, according to the state
  std::int32_t subgraph = 0;  // of a constant or a quantisation list
  const PlanEntry* planned = nullptr;
  const OperandRange* operand = nullptr;
};

class ByteRegistry {
 public:
  // `persistent`: the second arena of a pair, which the tail is in.
  void SetArena(MemoryRegion arena, MemoryRegion persistent = {}) {
    arena_ = arena;
    persistent_arena_ = persistent;
  }
  // Closed bytes in front of the arena that its allocation begins with. What they contain is a statement about the
  // device, so it is checked only in the layout that a device would use: the dilated one puts closed bytes of its own
  // in front of every tensor, and nothing that a kernel reads ahead of one gets as far as the reserve.
  void SetReserve(MemoryRegion reserve, bool checked = true) {
    reserve_ = reserve;
    reserve_checked_ = checked;
  }
  MemoryRegion reserve() const { return reserve_; }
  void SetModel(MemoryRegion model) { model_ = model; }
  void SetPlan(const std::byte* head_start, std::span<const PlanEntry> plan);
  void AddTailBlock(MemoryRegion block, std::int32_t owner_operator);  // -1: the runtime's own
  void RemoveTailBlocksBelow(const std::byte* tail_begin);
  void AddTemporary(MemoryRegion block) { temporaries_.push_back(block); }
  void RemoveTemporary(const std::byte* address);
  void ClearTemporaries() { temporaries_.clear(); }
  // Where the data of a constant tensor is read from; several tensors may share it. Also learned from access lists.
  void AddConstant(std::int32_t tensor, MemoryRegion data, std::int32_t subgraph = 0);
  // A list of scales or zero points of the tensor, once.
  void AddQuantization(std::int32_t tensor, MemoryRegion list, std::int32_t subgraph = 0);
  void NameTensor(std::int32_t subgraph, std::int32_t tensor, std::string name);
  void ForgetPlan();

  bool InTailBlock(const std::byte* address) const;
  MemoryRegion arena() const { return arena_; }
  MemoryRegion persistent_arena() const { return persistent_arena_; }
  MemoryRegion model() const { return model_; }
  std::string TensorName(std::int32_t subgraph, std::int32_t tensor) const;  // empty when not known
  // The scope of an operator: its outputs' first one, else its index + 1; -1 when it has none and there are several
  // subgraphs, whose calls advance the clock too.
  std::int32_t ScopeOf(std::int32_t subgraph, std::int32_t operator_index,
                       std::span<const OperandRange> operands) const;

  ByteOwner OwnerOf(const std::byte* address, const RunningOperator& running) const;
  // The owner is the same in all bytes before this one.
  std::uintptr_t SameOwnerUntil(const std::byte* address, const RunningOperator& running) const;
  // What becomes of an access whose illegal bytes are [begin, end); kNoReserve when nothing is reserved, kNotChecked
  // in a layout in which that cannot be seen.
  ReserveVerdict CheckReserve(std::uintptr_t begin, std::uintptr_t end, const RunningOperator& running) const;
  // "dead tensor 3 'conv1' (lives in steps 1 to 2; now step 4)".
  std::string Describe(const ByteOwner& owner, const RunningOperator& running) const;
  // "arena+0x40", "persistent+0x40" (the second arena of a pair), "model file+0x40".
  std::string Place(const std::byte* address) const;

 private:
  struct TailBlock {
    MemoryRegion block;
    std::int32_t owner_operator;
  };
  bool InArena(const std::byte* address) const;
  std::string NamedTensor(std::int32_t subgraph, std::int32_t tensor) const;

  MemoryRegion arena_, persistent_arena_, model_, reserve_;
  bool reserve_checked_ = true;
  const std::byte* head_start_ = nullptr;
  std::vector<PlanEntry> plan_;
  std::vector<TailBlock> tail_;
  std::vector<MemoryRegion> temporaries_;
  struct Constant {
    MemoryRegion range;
    std::int32_t tensor;
    std::int32_t subgraph;
  };
  // Null: at none.
  static const Constant* At(const std::byte* address, const std::vector<Constant>& all);

  std::vector<Constant> constants_, quantization_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::string> names_;
};

inline bool Contains(MemoryRegion region, const std::byte* address) {
  return address >= region.data && address < region.data + region.bytes;
}

}  // namespace arenaproof

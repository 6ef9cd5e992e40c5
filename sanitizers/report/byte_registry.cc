#include "sanitizers/report/byte_registry.h"

#include <algorithm>
#include <cstdio>

namespace arenaproof {
namespace {

bool AliveIn(const PlanEntry& buffer, std::int32_t scope) {
  return scope >= 0 && buffer.first <= scope && scope <= buffer.last;
}

}  // namespace

void ByteRegistry::SetPlan(const std::byte* head_start, std::span<const PlanEntry> plan) {
  head_start_ = head_start;
  plan_.assign(plan.begin(), plan.end());
}

void ByteRegistry::AddTailBlock(MemoryRegion block, std::int32_t owner_operator) {
  tail_.push_back({block, owner_operator});
}

void ByteRegistry::RemoveTailBlocksBelow(const std::byte* tail_begin) {
  std::erase_if(tail_, [&](const TailBlock& tail) { return tail.block.data < tail_begin; });
}

bool ByteRegistry::InArena(const std::byte* address) const {
  return Contains(arena_, address) || Contains(persistent_arena_, address);
}

bool ByteRegistry::InTailBlock(const std::byte* address) const {
  return std::any_of(tail_.begin(), tail_.end(), [&](const TailBlock& tail) { return Contains(tail.block, address); });
}

void ByteRegistry::RemoveTemporary(const std::byte* address) {
  const auto found = std::find_if(temporaries_.rbegin(), temporaries_.rend(),
                                  [&](const MemoryRegion& t) { return t.data == address; });
  if (found != temporaries_.rend()) temporaries_.erase(std::next(found).base());
}

const ByteRegistry::Constant* ByteRegistry::At(const std::byte* address, const std::vector<Constant>& all) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Constant& one) { return Contains(one.range, address); });
  return found == all.end() ? nullptr : &*found;
}

void ByteRegistry::AddConstant(std::int32_t tensor, MemoryRegion data, std::int32_t subgraph) {
  for (const Constant& known : constants_) {
    if (known.range.data == data.data && known.range.bytes == data.bytes && known.tensor == tensor &&
        known.subgraph == subgraph) {
      return;
    }
  }
  constants_.push_back({data, tensor, subgraph});
}

void ByteRegistry::AddQuantization(std::int32_t tensor, MemoryRegion list, std::int32_t subgraph) {
  if (list.bytes > 0) quantization_.push_back({list, tensor, subgraph});
}

void ByteRegistry::NameTensor(std::int32_t subgraph, std::int32_t tensor, std::string name) {
  names_[{subgraph, tensor}] = std::move(name);
}

void ByteRegistry::ForgetPlan() {
  plan_.clear();
  tail_.clear();
  temporaries_.clear();
}

std::string ByteRegistry::TensorName(std::int32_t subgraph, std::int32_t tensor) const {
  const auto found = names_.find({subgraph, tensor});
  return found == names_.end() ? std::string() : found->second;
}

std::int32_t ByteRegistry::ScopeOf(std::int32_t subgraph, std::int32_t operator_index,
                                   std::span<const OperandRange> operands) const {
  std::int32_t scope = -1;
  for (const OperandRange& operand : operands) {
    if (operand.kind != OperandKind::kOutput) continue;
    for (const PlanEntry& buffer : plan_) {
      if (buffer.subgraph == subgraph && buffer.tensor == operand.index) scope = std::max(scope, buffer.first);
    }
  }
  if (scope > 0) return scope;
  const bool calls = std::any_of(plan_.begin(), plan_.end(), [](const PlanEntry& b) { return b.subgraph > 0; });
  return calls ? -1 : operator_index + 1;
}

ByteOwner ByteRegistry::OwnerOf(const std::byte* address, const RunningOperator& running) const {
  for (const OperandRange& operand : running.operands) {
    if (Contains({operand.data, operand.bytes}, address)) {
      return {.state = ByteState::kOwnOperand,
              .range = {operand.data, operand.bytes},
              .index = operand.index,
              .operand = &operand};
    }
  }
  const auto in_model = [](ByteState state, const Constant& one) {
    return ByteOwner{.state = state, .range = one.range, .index = one.tensor, .subgraph = one.subgraph};
  };
  if (const Constant* const one = At(address, constants_)) return in_model(ByteState::kConstant, *one);
  if (const Constant* const one = At(address, quantization_)) return in_model(ByteState::kQuantization, *one);
  if (InArena(address)) {
    for (const MemoryRegion& block : temporaries_) {
      if (Contains(block, address)) return {.state = ByteState::kTemporary, .range = block};
    }
    ByteOwner owner;
    for (const PlanEntry& buffer : plan_) {
      const MemoryRegion range{head_start_ + buffer.offset, buffer.bytes};
      if (!Contains(range, address)) continue;
      const bool alive = AliveIn(buffer, running.scope);
      if (owner.planned != nullptr && !alive) continue;
      owner.range = range;
      owner.planned = &buffer;
      owner.index = buffer.tensor >= 0 ? buffer.tensor : buffer.scratch;
      owner.state = buffer.tensor < 0 ? ByteState::kScratch : alive ? ByteState::kLiveTensor : ByteState::kDeadTensor;
      if (alive) break;
    }
    if (owner.planned != nullptr) return owner;
    for (const TailBlock& tail : tail_) {
      if (Contains(tail.block, address)) {
        return {.state = ByteState::kTail, .range = tail.block, .index = tail.owner_operator};
      }
    }
    return {};
  }
  if (Contains(model_, address)) return {.state = ByteState::kModelFile};
  if (Contains(reserve_, address)) return {.state = ByteState::kReserve, .range = reserve_};
  return {.state = ByteState::kGuard};
}

std::uintptr_t ByteRegistry::SameOwnerUntil(const std::byte* address, const RunningOperator& running) const {
  const auto from = reinterpret_cast<std::uintptr_t>(address);
  std::uintptr_t nearest = UINTPTR_MAX;
  const auto look = [&](MemoryRegion region) {
    const auto begin = reinterpret_cast<std::uintptr_t>(region.data);
    for (const std::uintptr_t edge : {begin, begin + region.bytes}) {
      if (edge > from) nearest = std::min(nearest, edge);
    }
  };
  for (const OperandRange& operand : running.operands) look({operand.data, operand.bytes});
  for (const Constant& constant : constants_) look(constant.range);
  for (const Constant& list : quantization_) look(list.range);
  for (const MemoryRegion& block : temporaries_) look(block);
  for (const PlanEntry& buffer : plan_) look({head_start_ + buffer.offset, buffer.bytes});
  for (const TailBlock& tail : tail_) look(tail.block);
  for (const MemoryRegion& region : {arena_, persistent_arena_, model_, reserve_}) look(region);
  return nearest;
}

ReserveVerdict ByteRegistry::CheckReserve(std::uintptr_t begin, std::uintptr_t end,
                                          const RunningOperator& running) const {
  if (reserve_.bytes == 0) return ReserveVerdict::kNoReserve;
  if (!reserve_checked_) return ReserveVerdict::kNotChecked;
  ReserveVerdict worst = ReserveVerdict::kContained;
  for (std::uintptr_t address = begin; address < end; ++address) {
    switch (OwnerOf(reinterpret_cast<const std::byte*>(address), running).state) {
      case ByteState::kReserve:
        break;
      case ByteState::kGuard:
        return ReserveVerdict::kLeavesAllocation;
      default:
        worst = ReserveVerdict::kReachesObject;
    }
  }
  return worst;
}

std::string ByteRegistry::NamedTensor(std::int32_t subgraph, std::int32_t tensor) const {
  const std::string name = TensorName(subgraph, tensor);
  const std::string place = subgraph == 0 ? "" : " of subgraph " + std::to_string(subgraph);
  return "tensor " + std::to_string(tensor) + (name.empty() ? "" : " '" + name + "'") + place;
}

std::string ByteRegistry::Describe(const ByteOwner& owner, const RunningOperator& running) const {
  const auto life = [&] {
    return " (lives in steps " + std::to_string(owner.planned->first) + " to " + std::to_string(owner.planned->last) +
           (running.scope < 0 ? ")" : "; now step " + std::to_string(running.scope) + ")");
  };
  switch (owner.state) {
    case ByteState::kGap:
      return "a gap of the arena that nothing owns";
    case ByteState::kDeadTensor:
      return "dead " + NamedTensor(owner.planned->subgraph, owner.index) + life();
    case ByteState::kLiveTensor:
      return "live " + NamedTensor(owner.planned->subgraph, owner.index) + " of other operators" + life();
    case ByteState::kOwnOperand:
      return std::string("its own ") + OperandKindName(owner.operand->kind) + " " + std::to_string(owner.index);
    case ByteState::kScratch:
      return "scratch buffer " + std::to_string(owner.index) + " of operator " +
             std::to_string(owner.planned->owner_operator) + life();
    case ByteState::kTail:
      return owner.index < 0 ? "the allocator's bookkeeping in the tail"
                             : "persistent memory of operator " + std::to_string(owner.index);
    case ByteState::kTemporary:
      return "a temporary of the runtime";
    case ByteState::kConstant:
      return "constant " + NamedTensor(owner.subgraph, owner.index);
    case ByteState::kQuantization:
      return "the quantisation of " + NamedTensor(owner.subgraph, owner.index);
    case ByteState::kGuard:
      return "a closed guard of the checker, outside of arena and model";
    case ByteState::kModelFile:
      return "another part of the model file";
    case ByteState::kReserve:
      return "the " + BytesText(owner.range.bytes) + " reserved in front of the head";
  }
  return "";
}

std::string ByteRegistry::Place(const std::byte* address) const {
  const auto offset = [&](const char* name, MemoryRegion region) {
    char text[48];
    const std::ptrdiff_t bytes = address - region.data;
    std::snprintf(text, sizeof text, "%s%s0x%04zx", name, bytes < 0 ? "-" : "+",
                  static_cast<std::size_t>(bytes < 0 ? -bytes : bytes));
    return std::string(text);
  };
  // In whole numbers: an address beside a region is no place of its array.
  constexpr std::uintptr_t kNear = 4096;
  const auto near = [&](MemoryRegion region) {
    const auto begin = reinterpret_cast<std::uintptr_t>(region.data);
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return begin != 0 && (at >= begin ? at - begin < region.bytes + kNear : begin - at <= kNear);
  };
  if (Contains(arena_, address)) return offset("arena", arena_);
  if (Contains(persistent_arena_, address)) return offset("persistent", persistent_arena_);
  if (Contains(model_, address)) return offset("model", model_);
  if (near(arena_)) return offset("arena", arena_);
  if (near(persistent_arena_)) return offset("persistent", persistent_arena_);
  if (near(model_)) return offset("model", model_);
  for (const Constant& constant : constants_) {
    if (near(constant.range)) return offset(("constant " + std::to_string(constant.tensor)).c_str(), constant.range);
  }
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address)));
  return text;
}

}  // namespace arenaproof

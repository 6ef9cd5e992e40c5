#include "engine/harness/lifecycle/lifecycle_call.h"

#include <iterator>
#include <utility>

#include "engine/harness/lifecycle/network_figures.h"
#include "engine/harness/lifecycle/tight_allocator.h"

namespace arenaproof {

std::size_t LifecycleWeightSum() {
  std::size_t sum = 0;
  for (const OperationWeight& each : kLifecycleWeights) sum += each.weight;
  return sum;
}

LifecycleOperation LifecycleOperationAt(std::size_t number) {
  for (const OperationWeight& each : kLifecycleWeights) {
    if (number < each.weight) return each.operation;
    number -= each.weight;
  }
  return LifecycleOperation::kInvoke;
}

std::size_t LifecycleCall::OperationIn(const LifecycleModel& model) const {
  return number % OperationCount(model.slots[slot].network);
}

std::size_t LifecycleCall::PrepareIn(const LifecycleModel& model) const {
  return number % LifecycleModel::OwnKernels(model.NetworkOf(slot)).size();
}

std::size_t LifecycleCall::SecondNetwork() const { return (network + number) % Networks().size(); }

// From none to what the second network would need alone.
std::size_t LifecycleCall::SpareBytes() const { return number * NeedBytes(SecondNetwork()) / kNumbers + seed + buffer; }

TensorKey LifecycleCall::TensorIn(const LifecycleModel& model) const {
  const auto& graphs = model.NetworkOf(slot).graphs;
  const std::size_t graph = number / 16 % graphs.size();
  return {graph, static_cast<std::int32_t>(number % (graphs[graph].tensors.size() + 1))};
}

TensorKey LifecycleCall::VariableIn(const LifecycleModel& model) const {
  const auto& variables = model.slots[slot].memory.variables;
  auto found = variables.begin();
  std::advance(found, static_cast<std::ptrdiff_t>(number % variables.size()));
  return found->first;
}

// Early enough that it happens: counted in an invoke that goes to its end.
Ending LifecycleCall::EndingIn(const LifecycleModel& model) const {
  if (operation != LifecycleOperation::kInvokeFailing && operation != LifecycleOperation::kInvokeCancelled) return {};
  Memory memory = model.slots[slot].memory;
  const InvokeResult whole = LifecycleModel::Invoke(model.NetworkOf(slot), memory, seed, {});
  if (operation == LifecycleOperation::kInvokeFailing) return {.fail_at_run = number % whole.runs};
  return {.cancel_at_ask = number % whole.asked.size()};
}

bool LifecycleCall::IsPossible(const LifecycleModel& model) const {
  const Slot& one = model.slots[slot];
  const bool ready = one.state == SlotState::kReady;
  const bool there = one.state != SlotState::kEmpty;
  const bool large = one.size == ArenaSize::kLarge;
  switch (operation) {
    case LifecycleOperation::kCreate:
      return true;
    case LifecycleOperation::kRegister:
      // A buffer outside changes how much arena is needed.
      return there && large;
    case LifecycleOperation::kAllocate:
      // An arena of the exact size serves one set-up: the tail of the first is lost.
      return there && (one.size != ArenaSize::kExact || one.allocation_count == 0);
    case LifecycleOperation::kAllocateRefused:
    case LifecycleOperation::kAllocateLeaking:
      return there && large;
    case LifecycleOperation::kInvoke:
    case LifecycleOperation::kInvokeFailing:
    case LifecycleOperation::kInvokeCancelled:
      return ready;
    case LifecycleOperation::kInvokeUnready:
      return one.state == SlotState::kFailed || (one.state == SlotState::kFresh && large);
    case LifecycleOperation::kDestroy:
    case LifecycleOperation::kReset:
    case LifecycleOperation::kDescribe:
      return there;
    case LifecycleOperation::kResetVariable:
      return ready && !one.memory.variables.empty();
    case LifecycleOperation::kSave:
    case LifecycleOperation::kMoveAwayAndBack:
      return ready;
    case LifecycleOperation::kRestore:
      return ready && one.saved.has_value();
    case LifecycleOperation::kReplace:
      // The slot's neighbour goes on in a shared arena.
      return ready && !Shares(model.world);
    case LifecycleOperation::kStartTwice:
      return Shares(model.world);
  }
  return false;
}

// The slot after an attempt to allocate.
void LifecycleCall::Renew(Slot& slot, SlotState state) {
  slot.state = state;
  ++slot.allocation_count;
  slot.memory = LifecycleModel::FreshMemory(Networks()[slot.network]);
}

void LifecycleCall::Apply(LifecycleModel& model) const {
  Slot& one = model.slots[slot];
  switch (operation) {
    case LifecycleOperation::kCreate:
      one = Slot();
      one.state = SlotState::kFresh;
      one.network = network;
      one.size = size;
      // The table of resources is the interpreter's, but lies in the arena.
      if (!LifecycleModel::FreshMemory(model.NetworkOf(slot)).resources.empty()) {
        ++model.arena_allocation_count(slot);
      }
      return;
    case LifecycleOperation::kDestroy:
      one = Slot();
      return;
    case LifecycleOperation::kRegister: {
      const TensorKey tensor = TensorIn(model);
      if (model.CheckOffer(slot, tensor, offer, buffer) == StatusCode::kOk) one.outside[tensor] = buffer;
      return;
    }
    case LifecycleOperation::kAllocate:
      if (one.size == ArenaSize::kOneByteShort) return Renew(one, SlotState::kFailed);
      ++model.arena_allocation_count(slot);
      return Renew(one, SlotState::kReady);
    case LifecycleOperation::kAllocateRefused:
    case LifecycleOperation::kAllocateLeaking:
      return Renew(one, SlotState::kFailed);
    case LifecycleOperation::kInvoke:
    case LifecycleOperation::kInvokeFailing:
    case LifecycleOperation::kInvokeCancelled:
      LifecycleModel::Invoke(model.NetworkOf(slot), one.memory, seed, EndingIn(model));
      return;
    case LifecycleOperation::kInvokeUnready: {
      if (one.state == SlotState::kFailed) return;
      ++model.arena_allocation_count(slot);
      Renew(one, SlotState::kReady);
      // Which way an IF went is unknown, but the reset has undone what it did; CALL_ONCE stays called.
      LifecycleModel::Invoke(model.NetworkOf(slot), one.memory, seed, {});
      LifecycleModel::Refill(model.NetworkOf(slot), one.memory);
      return;
    }
    case LifecycleOperation::kReset:
      if (one.state == SlotState::kReady) LifecycleModel::Refill(model.NetworkOf(slot), one.memory);
      return;
    case LifecycleOperation::kResetVariable: {
      const TensorKey key = VariableIn(model);
      one.memory.variables[key] = LifecycleModel::FreshMemory(model.NetworkOf(slot)).variables[key];
      return;
    }
    case LifecycleOperation::kSave:
      one.saved = Saved{model.arena_allocation_count(slot), {}};
      for (const Slot& each : model.slots) one.saved->memories.push_back(each.memory);
      return;
    case LifecycleOperation::kRestore:
      if (model.SavedIsStale(slot)) return;
      for (std::size_t i = 0; i < kSlotCount; ++i) {
        if (i == slot || Shares(model.world)) model.slots[i].memory = one.saved->memories[i];
      }
      return;
    case LifecycleOperation::kReplace: {
      const Slot before = std::exchange(one, Slot());
      one.network = before.network;
      one.size = before.size;
      ++model.arena_allocation_count(slot);
      return Renew(one, SlotState::kReady);
    }
    case LifecycleOperation::kMoveAwayAndBack:
    case LifecycleOperation::kDescribe:
    case LifecycleOperation::kStartTwice:
      return;
  }
}

std::string LifecycleCall::Perform(const LifecycleModel& model, LifecycleSystem& system) const {
  switch (operation) {
    case LifecycleOperation::kCreate:
      return system.Create(model, slot, network, size);
    case LifecycleOperation::kDestroy:
      return system.Destroy(slot);
    case LifecycleOperation::kRegister:
      return system.Register(model, slot, TensorIn(model), offer, buffer);
    case LifecycleOperation::kAllocate:
      return system.Allocate(model, slot);
    case LifecycleOperation::kAllocateRefused:
      return system.AllocateRefused(model, slot, OperationIn(model));
    case LifecycleOperation::kAllocateLeaking:
      return system.AllocateLeaking(model, slot, PrepareIn(model));
    case LifecycleOperation::kInvoke:
    case LifecycleOperation::kInvokeFailing:
    case LifecycleOperation::kInvokeCancelled:
      return system.Invoke(model, slot, seed, EndingIn(model));
    case LifecycleOperation::kInvokeUnready:
      return system.InvokeUnready(model, slot);
    case LifecycleOperation::kReset:
      return system.Reset(model, slot);
    case LifecycleOperation::kResetVariable:
      return system.ResetVariable(model, slot, VariableIn(model));
    case LifecycleOperation::kSave:
      return system.Save(slot);
    case LifecycleOperation::kMoveAwayAndBack:
      return system.MoveAwayAndBack(slot);
    case LifecycleOperation::kRestore:
      return system.Restore(model, slot);
    case LifecycleOperation::kReplace:
      return system.Replace(model, slot);
    case LifecycleOperation::kDescribe:
      return system.Describe(model, slot, TensorIn(model));
    case LifecycleOperation::kStartTwice: {
      const std::string wrong = system.StartTwice(network);
      return wrong.empty() ? SetUpTightly(network, SecondNetwork(), SpareBytes()) : wrong;
    }
  }
  return "a call that nobody makes";
}

std::string LifecycleCall::Run(const LifecycleModel& model, LifecycleSystem& system) const {
  const std::string wrong = Perform(model, system);
  if (!wrong.empty()) return wrong;
  LifecycleModel after = model;
  Apply(after);
  return system.CheckInvariants(after);
}

std::string LifecycleCall::Words() const {
  static constexpr const char* kSizes[] = {"a large arena", "exactly what it needs", "one byte less than it needs"};
  static constexpr const char* kOffers[] = {
      "buffer", "null", "misaligned buffer", "no bytes of buffer", "the arena's start", "buffer"};
  const std::string prefix = "slot " + std::to_string(slot) + ": ";
  switch (operation) {
    case LifecycleOperation::kCreate:
      return prefix + "create '" + Networks()[network].name + "' with " + kSizes[static_cast<int>(size)];
    case LifecycleOperation::kDestroy:
      return prefix + "destroy";
    case LifecycleOperation::kRegister:
      return prefix + "register tensor #" + std::to_string(number) + " with " + kOffers[static_cast<int>(offer)] + " " +
             std::to_string(buffer);
    case LifecycleOperation::kAllocate:
      return prefix + "allocate";
    case LifecycleOperation::kAllocateRefused:
      return prefix + "allocate, operation #" + std::to_string(number) + " of the arena is refused";
    case LifecycleOperation::kAllocateLeaking:
      return prefix + "allocate, kernel #" + std::to_string(number) + " leaks a temporary";
    case LifecycleOperation::kInvoke:
      return prefix + "invoke with inputs " + std::to_string(seed);
    case LifecycleOperation::kInvokeFailing:
      return prefix + "invoke with inputs " + std::to_string(seed) + ", operator #" + std::to_string(number) + " fails";
    case LifecycleOperation::kInvokeCancelled:
      return prefix + "invoke with inputs " + std::to_string(seed) + ", cancelled at question #" +
             std::to_string(number);
    case LifecycleOperation::kInvokeUnready:
      return prefix + "invoke before or after an allocation";
    case LifecycleOperation::kReset:
      return prefix + "reset";
    case LifecycleOperation::kResetVariable:
      return prefix + "reset variable #" + std::to_string(number);
    case LifecycleOperation::kSave:
      return prefix + "save";
    case LifecycleOperation::kMoveAwayAndBack:
      return prefix + "move the arena away and back";
    case LifecycleOperation::kRestore:
      return prefix + "restore what was saved";
    case LifecycleOperation::kReplace:
      return prefix + "save, make another interpreter and set it up, restore";
    case LifecycleOperation::kDescribe:
      return prefix + "describe tensor #" + std::to_string(number);
    case LifecycleOperation::kStartTwice:
      return prefix + "start '" + Networks()[network].name +
             "' twice on the shared allocator, then abort; in an arena of " + std::to_string(SpareBytes()) +
             " bytes more than it needs, '" + Networks()[SecondNetwork()].name + "' after it";
  }
  return prefix + "nothing";
}

}  // namespace arenaproof

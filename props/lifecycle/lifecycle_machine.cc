// The whole life of interpreters as a state machine under random sequences of calls: made, registered, allocated (with
// memory that is refused and kernels that leak), invoked (to the end, failing, cancelled), reset, saved, moved,
// restored, destroyed, two of them side by side or on one allocator. Compared with a simple model after each call and
// checked by the lifecycle's invariants, L1 to L18 by name. Failing sequences are shrunk to readable ones.
//
// One translation unit on purpose: RapidCheck's headers are slow to compile.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <cstdint>
#include <ostream>

#include "props/lifecycle/lifecycle_model.h"
#include "props/lifecycle/lifecycle_system.h"
#include "props/lifecycle/network_figures.h"
#include "props/support/draws.h"

namespace arenaproof {
namespace {

enum class Call : std::uint8_t {
  kCreate,
  kDestroy,
  kRegister,
  kAllocate,
  kAllocateRefused,
  kAllocateLeaking,
  kInvoke,
  kInvokeFailing,
  kInvokeCancelled,
  kInvokeUnready,
  kReset,
  kResetVariable,
  kSave,
  kMoveAwayAndBack,
  kRestore,
  kReplace,
  kDescribe,
  kStartTwice
};

struct CallWeight {
  Call call;
  std::size_t weight;
};
constexpr CallWeight kWeights[] = {{Call::kCreate, 4},        {Call::kDestroy, 1},         {Call::kRegister, 5},
                                   {Call::kAllocate, 5},      {Call::kAllocateRefused, 4}, {Call::kAllocateLeaking, 2},
                                   {Call::kInvoke, 9},        {Call::kInvokeFailing, 5},   {Call::kInvokeCancelled, 3},
                                   {Call::kInvokeUnready, 1}, {Call::kReset, 3},           {Call::kResetVariable, 2},
                                   {Call::kSave, 2},          {Call::kMoveAwayAndBack, 1}, {Call::kRestore, 2},
                                   {Call::kReplace, 2},       {Call::kDescribe, 3},        {Call::kStartTwice, 2}};

Call DrawCall() {
  std::size_t sum = 0;
  for (const CallWeight& each : kWeights) sum += each.weight;
  std::size_t left = *rc::gen::noShrink(rc::gen::inRange<std::size_t>(0, sum));
  for (const CallWeight& each : kWeights) {
    if (left < each.weight) return each.call;
    left -= each.weight;
  }
  return Call::kInvoke;
}

// One generated call. What numbers mean depends on the slot's network at that moment, so that a call keeps its sense
// while the sequence before it shrinks.
class LifecycleCommand : public rc::state::Command<LifecycleModel, LifecycleSystem> {
 public:
  // Draws the call; only inside a RapidCheck generator.
  explicit LifecycleCommand(const LifecycleModel& model);

  void checkPreconditions(const LifecycleModel& model) const override;
  void apply(LifecycleModel& model) const override;
  void run(const LifecycleModel& model, LifecycleSystem& system) const override;
  void show(std::ostream& stream) const override;

 private:
  static void Renew(Slot& slot, SlotState state);
  Ending EndingIn(const LifecycleModel& model) const;
  // A tensor of any graph; sometimes none.
  TensorKey TensorIn(const LifecycleModel& model) const;
  std::size_t OperationIn(const LifecycleModel& model) const {
    return number_ % OperationCount(model.slots[slot_].network);
  }
  std::size_t PrepareIn(const LifecycleModel& model) const {
    return number_ % LifecycleModel::OwnKernels(model.NetworkOf(slot_)).size();
  }
  TensorKey VariableIn(const LifecycleModel& model) const;
  std::string Perform(const LifecycleModel& model, LifecycleSystem& system) const;

  Call call_;
  std::size_t slot_;
  std::size_t network_ = 0;
  ArenaSize size_ = ArenaSize::kLarge;
  Offer offer_ = Offer::kSound;
  std::size_t buffer_ = 0;
  std::uint32_t seed_ = 0;
  std::size_t number_ = 0;
};

LifecycleCommand::LifecycleCommand(const LifecycleModel& model)
    : call_(DrawCall()), slot_(*rc::gen::inRange<std::size_t>(0, kSlotCount)) {
  network_ = *rc::gen::inRange<std::size_t>(0, Networks().size());
  if (model.world == World::kOneArenaEach) {
    size_ = *rc::gen::weightedElement<ArenaSize>(
        {{6, ArenaSize::kLarge}, {1, ArenaSize::kExact}, {1, ArenaSize::kOneByteShort}});
  }
  offer_ = *rc::gen::weightedElement<Offer>({{6, Offer::kSound},
                                             {1, Offer::kNull},
                                             {1, Offer::kMisaligned},
                                             {1, Offer::kTooShort},
                                             {1, Offer::kInTheArena},
                                             {2, Offer::kOfAnother}});
  buffer_ = *rc::gen::inRange<std::size_t>(0, kBuffersPerSlot);
  seed_ = *rc::gen::inRange<std::uint32_t>(1, 50);
  number_ = *rc::gen::inRange<std::size_t>(0, 400);
}

TensorKey LifecycleCommand::TensorIn(const LifecycleModel& model) const {
  const auto& graphs = model.NetworkOf(slot_).graphs;
  const std::size_t graph = number_ / 16 % graphs.size();
  return {graph, static_cast<std::int32_t>(number_ % (graphs[graph].tensors.size() + 1))};
}

TensorKey LifecycleCommand::VariableIn(const LifecycleModel& model) const {
  const auto& variables = model.slots[slot_].memory.variables;
  auto found = variables.begin();
  std::advance(found, static_cast<std::ptrdiff_t>(number_ % variables.size()));
  return found->first;
}

// Early enough that it happens: counted in an invoke that goes to its end.
Ending LifecycleCommand::EndingIn(const LifecycleModel& model) const {
  if (call_ != Call::kInvokeFailing && call_ != Call::kInvokeCancelled) return {};
  Memory memory = model.slots[slot_].memory;
  const InvokeResult whole = LifecycleModel::Invoke(model.NetworkOf(slot_), memory, seed_, {});
  if (call_ == Call::kInvokeFailing) return {.fail_at_run = number_ % whole.runs};
  return {.cancel_at_ask = number_ % whole.asked.size()};
}

void LifecycleCommand::checkPreconditions(const LifecycleModel& model) const {
  const Slot& slot = model.slots[slot_];
  const bool ready = slot.state == SlotState::kReady;
  const bool there = slot.state != SlotState::kEmpty;
  const bool large = slot.size == ArenaSize::kLarge;
  switch (call_) {
    case Call::kCreate:
      return;
    case Call::kRegister:
      // A buffer outside changes how much arena is needed.
      return RC_PRE(there && large);
    case Call::kAllocate:
      // An arena of the exact size serves one set-up: the tail of the first is lost.
      return RC_PRE(there && (slot.size != ArenaSize::kExact || slot.allocation_count == 0));
    case Call::kAllocateRefused:
    case Call::kAllocateLeaking:
      return RC_PRE(there && large);
    case Call::kInvoke:
    case Call::kInvokeFailing:
    case Call::kInvokeCancelled:
      return RC_PRE(ready);
    case Call::kInvokeUnready:
      return RC_PRE(slot.state == SlotState::kFailed || (slot.state == SlotState::kFresh && large));
    case Call::kDestroy:
    case Call::kReset:
    case Call::kDescribe:
      return RC_PRE(there);
    case Call::kResetVariable:
      return RC_PRE(ready && !slot.memory.variables.empty());
    case Call::kSave:
    case Call::kMoveAwayAndBack:
      return RC_PRE(ready);
    case Call::kRestore:
      return RC_PRE(ready && slot.saved.has_value());
    case Call::kReplace:
      // The slot's neighbour goes on in a shared arena.
      return RC_PRE(ready && !Shares(model.world));
    case Call::kStartTwice:
      return RC_PRE(Shares(model.world));
  }
}

// The slot after an attempt to allocate.
void LifecycleCommand::Renew(Slot& slot, SlotState state) {
  slot.state = state;
  ++slot.allocation_count;
  slot.memory = LifecycleModel::FreshMemory(Networks()[slot.network]);
}

void LifecycleCommand::apply(LifecycleModel& model) const {
  Slot& slot = model.slots[slot_];
  switch (call_) {
    case Call::kCreate:
      slot = Slot();
      slot.state = SlotState::kFresh;
      slot.network = network_;
      slot.size = size_;
      // The table of resources is the interpreter's, but lies in the arena.
      if (!LifecycleModel::FreshMemory(model.NetworkOf(slot_)).resources.empty()) {
        ++model.arena_allocation_count(slot_);
      }
      return;
    case Call::kDestroy:
      slot = Slot();
      return;
    case Call::kRegister: {
      const TensorKey tensor = TensorIn(model);
      if (model.CheckOffer(slot_, tensor, offer_, buffer_) == StatusCode::kOk) slot.outside[tensor] = buffer_;
      return;
    }
    case Call::kAllocate:
      if (slot.size == ArenaSize::kOneByteShort) return Renew(slot, SlotState::kFailed);
      ++model.arena_allocation_count(slot_);
      return Renew(slot, SlotState::kReady);
    case Call::kAllocateRefused:
    case Call::kAllocateLeaking:
      return Renew(slot, SlotState::kFailed);
    case Call::kInvoke:
    case Call::kInvokeFailing:
    case Call::kInvokeCancelled:
      LifecycleModel::Invoke(model.NetworkOf(slot_), slot.memory, seed_, EndingIn(model));
      return;
    case Call::kInvokeUnready: {
      if (slot.state == SlotState::kFailed) return;
      ++model.arena_allocation_count(slot_);
      Renew(slot, SlotState::kReady);
      // Which way an IF went is unknown, but the reset has undone what it did; CALL_ONCE stays called.
      LifecycleModel::Invoke(model.NetworkOf(slot_), slot.memory, seed_, {});
      LifecycleModel::Refill(model.NetworkOf(slot_), slot.memory);
      return;
    }
    case Call::kReset:
      if (slot.state == SlotState::kReady) LifecycleModel::Refill(model.NetworkOf(slot_), slot.memory);
      return;
    case Call::kResetVariable: {
      const TensorKey key = VariableIn(model);
      slot.memory.variables[key] = LifecycleModel::FreshMemory(model.NetworkOf(slot_)).variables[key];
      return;
    }
    case Call::kSave:
      slot.saved = Saved{model.arena_allocation_count(slot_), {}};
      for (const Slot& each : model.slots) slot.saved->memories.push_back(each.memory);
      return;
    case Call::kRestore:
      if (model.SavedIsStale(slot_)) return;
      for (std::size_t i = 0; i < kSlotCount; ++i) {
        if (i == slot_ || Shares(model.world)) model.slots[i].memory = slot.saved->memories[i];
      }
      return;
    case Call::kReplace: {
      const std::size_t network = slot.network;
      const ArenaSize size = slot.size;
      slot = Slot();
      slot.network = network;
      slot.size = size;
      ++model.arena_allocation_count(slot_);
      return Renew(slot, SlotState::kReady);
    }
    case Call::kMoveAwayAndBack:
    case Call::kDescribe:
    case Call::kStartTwice:
      return;
  }
}

std::string LifecycleCommand::Perform(const LifecycleModel& model, LifecycleSystem& system) const {
  switch (call_) {
    case Call::kCreate:
      return system.Create(model, slot_, network_, size_);
    case Call::kDestroy:
      return system.Destroy(slot_);
    case Call::kRegister:
      return system.Register(model, slot_, TensorIn(model), offer_, buffer_);
    case Call::kAllocate:
      return system.Allocate(model, slot_);
    case Call::kAllocateRefused:
      return system.AllocateRefused(model, slot_, OperationIn(model));
    case Call::kAllocateLeaking:
      return system.AllocateLeaking(model, slot_, PrepareIn(model));
    case Call::kInvoke:
    case Call::kInvokeFailing:
    case Call::kInvokeCancelled:
      return system.Invoke(model, slot_, seed_, EndingIn(model));
    case Call::kInvokeUnready:
      return system.InvokeUnready(model, slot_);
    case Call::kReset:
      return system.Reset(model, slot_);
    case Call::kResetVariable:
      return system.ResetVariable(model, slot_, VariableIn(model));
    case Call::kSave:
      return system.Save(slot_);
    case Call::kMoveAwayAndBack:
      return system.MoveAwayAndBack(slot_);
    case Call::kRestore:
      return system.Restore(model, slot_);
    case Call::kReplace:
      return system.Replace(model, slot_);
    case Call::kDescribe:
      return system.Describe(model, slot_, TensorIn(model));
    case Call::kStartTwice:
      return system.StartTwice(network_);
  }
  return "a call that nobody makes";
}

void LifecycleCommand::run(const LifecycleModel& model, LifecycleSystem& system) const {
  std::string wrong = Perform(model, system);
  if (wrong.empty()) {
    LifecycleModel after = model;
    apply(after);
    wrong = system.CheckInvariants(after);
  }
  if (!wrong.empty()) RC_FAIL(wrong);
}

void LifecycleCommand::show(std::ostream& stream) const {
  static constexpr const char* kSizes[] = {"a large arena", "exactly what it needs", "one byte less than it needs"};
  static constexpr const char* kOffers[] = {
      "buffer", "null", "misaligned buffer", "no bytes of buffer", "the arena's start", "buffer"};
  stream << "slot " << slot_ << ": ";
  switch (call_) {
    case Call::kCreate:
      stream << "create '" << Networks()[network_].name << "' with " << kSizes[static_cast<int>(size_)];
      return;
    case Call::kDestroy:
      stream << "destroy";
      return;
    case Call::kRegister:
      stream << "register tensor #" << number_ << " with " << kOffers[static_cast<int>(offer_)] << " " << buffer_;
      return;
    case Call::kAllocate:
      stream << "allocate";
      return;
    case Call::kAllocateRefused:
      stream << "allocate, operation #" << number_ << " of the arena is refused";
      return;
    case Call::kAllocateLeaking:
      stream << "allocate, kernel #" << number_ << " leaks a temporary";
      return;
    case Call::kInvoke:
      stream << "invoke with inputs " << seed_;
      return;
    case Call::kInvokeFailing:
      stream << "invoke with inputs " << seed_ << ", operator #" << number_ << " fails";
      return;
    case Call::kInvokeCancelled:
      stream << "invoke with inputs " << seed_ << ", cancelled at question #" << number_;
      return;
    case Call::kInvokeUnready:
      stream << "invoke before or after an allocation";
      return;
    case Call::kReset:
      stream << "reset";
      return;
    case Call::kResetVariable:
      stream << "reset variable #" << number_;
      return;
    case Call::kSave:
      stream << "save";
      return;
    case Call::kMoveAwayAndBack:
      stream << "move the arena away and back";
      return;
    case Call::kRestore:
      stream << "restore what was saved";
      return;
    case Call::kReplace:
      stream << "save, make another interpreter and set it up, restore";
      return;
    case Call::kDescribe:
      stream << "describe tensor #" << number_;
      return;
    case Call::kStartTwice:
      stream << "start '" << Networks()[network_].name << "' twice on the shared allocator, then abort";
      return;
  }
}

// The first arena gives a few bytes away, for tails accumulate in it; the other one up to half of its bytes.
ArenaCuts DrawCuts() {
  return {{{testing::Below<std::size_t>(64), testing::Below<std::size_t>(200)},
           {testing::Below<std::size_t>(kArenaBytes / 4), testing::Below<std::size_t>(kArenaBytes / 4)}}};
}

void CheckMachine(World world) {
  LifecycleSystem system(world, DrawCuts());
  const LifecycleModel model(world);
  rc::state::check(model, system, [](const LifecycleModel& state) {
    return rc::state::gen::execOneOfWithArgs<LifecycleCommand>()(state);
  });
}

RC_GTEST_PROP(LifecycleMachine, KeepsItsInvariantsWithAnArenaEach, ()) { CheckMachine(World::kOneArenaEach); }
RC_GTEST_PROP(LifecycleMachine, KeepsItsInvariantsWithTwoArenasEach, ()) { CheckMachine(World::kTwoArenasEach); }
RC_GTEST_PROP(LifecycleMachine, KeepsItsInvariantsOnASharedAllocator, ()) { CheckMachine(World::kOneAllocator); }
RC_GTEST_PROP(LifecycleMachine, KeepsItsInvariantsOnASharedAllocatorOfTwoArenas, ()) {
  CheckMachine(World::kOneAllocatorOfTwoArenas);
}

}  // namespace
}  // namespace arenaproof

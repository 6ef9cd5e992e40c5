// One call of the lifecycle state machine: what it needs, what it does to the simple model, and the same asked of the
// production runtime. Who draws its numbers, a generator of properties or a fuzzer's bytes, is no matter here.
//
// What numbers mean depends on the slot's network at that moment, so that a call keeps its sense while the sequence
// before it shrinks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/harness/lifecycle/lifecycle_model.h"
#include "engine/harness/lifecycle/lifecycle_system.h"

namespace arenaproof {

enum class LifecycleOperation : std::uint8_t {
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

struct OperationWeight {
  LifecycleOperation operation;
  std::size_t weight;
};
// How often each is drawn.
inline constexpr OperationWeight kLifecycleWeights[] = {{LifecycleOperation::kCreate, 4},
                                                        {LifecycleOperation::kDestroy, 1},
                                                        {LifecycleOperation::kRegister, 5},
                                                        {LifecycleOperation::kAllocate, 5},
                                                        {LifecycleOperation::kAllocateRefused, 4},
                                                        {LifecycleOperation::kAllocateLeaking, 2},
                                                        {LifecycleOperation::kInvoke, 9},
                                                        {LifecycleOperation::kInvokeFailing, 5},
                                                        {LifecycleOperation::kInvokeCancelled, 3},
                                                        {LifecycleOperation::kInvokeUnready, 1},
                                                        {LifecycleOperation::kReset, 3},
                                                        {LifecycleOperation::kResetVariable, 2},
                                                        {LifecycleOperation::kSave, 2},
                                                        {LifecycleOperation::kMoveAwayAndBack, 1},
                                                        {LifecycleOperation::kRestore, 2},
                                                        {LifecycleOperation::kReplace, 2},
                                                        {LifecycleOperation::kDescribe, 3},
                                                        {LifecycleOperation::kStartTwice, 2}};

// The operation that a number below LifecycleWeightSum() stands for.
LifecycleOperation LifecycleOperationAt(std::size_t number);
std::size_t LifecycleWeightSum();

struct LifecycleCall {
  static constexpr std::uint32_t kSeeds = 50;  // of an invoke's inputs: 1 to 49
  static constexpr std::size_t kNumbers = 400;

  LifecycleOperation operation = LifecycleOperation::kInvoke;
  std::size_t slot = 0;
  std::size_t network = 0;
  ArenaSize size = ArenaSize::kLarge;  // another one only where each slot has one arena
  Offer offer = Offer::kSound;
  std::size_t buffer = 0;
  std::uint32_t seed = 1;
  std::size_t number = 0;

  bool IsPossible(const LifecycleModel& model) const;
  void Apply(LifecycleModel& model) const;
  // A sentence, empty when all is well; the invariants behind it are asked too. Precondition: IsPossible(model).
  std::string Run(const LifecycleModel& model, LifecycleSystem& system) const;
  std::string Words() const;

 private:
  static void Renew(Slot& slot, SlotState state);
  Ending EndingIn(const LifecycleModel& model) const;
  // A tensor of any graph; sometimes none.
  TensorKey TensorIn(const LifecycleModel& model) const;
  std::size_t OperationIn(const LifecycleModel& model) const;
  std::size_t PrepareIn(const LifecycleModel& model) const;
  TensorKey VariableIn(const LifecycleModel& model) const;
  // Of two in a tight arena.
  std::size_t SecondNetwork() const;
  std::size_t SpareBytes() const;
  std::string Perform(const LifecycleModel& model, LifecycleSystem& system) const;
};

}  // namespace arenaproof

// The production runtime under the machine: each command goes to real interpreters and is compared with what the simple
// model says; after each, every invariant that holds between commands is looked at. Answers are sentences, empty when
// all is well.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/harness/lifecycle/lifecycle_memory.h"
#include "engine/harness/lifecycle/lifecycle_model.h"
#include "engine/harness/lifecycle/run_log.h"

namespace arenaproof {

class LifecycleSystem {
 public:
  LifecycleSystem(World world, const ArenaCuts& cuts);

  std::string Create(const LifecycleModel& model, std::size_t slot, std::size_t network, ArenaSize size);
  std::string Destroy(std::size_t slot);
  std::string Register(const LifecycleModel& model, std::size_t slot, TensorKey tensor, Offer offer,
                       std::size_t buffer);
  std::string Allocate(const LifecycleModel& model, std::size_t slot);
  std::string AllocateRefused(const LifecycleModel& model, std::size_t slot, std::size_t operation);
  std::string AllocateLeaking(const LifecycleModel& model, std::size_t slot, std::size_t prepare);
  std::string Invoke(const LifecycleModel& model, std::size_t slot, std::uint32_t seed, const Ending& ending);
  std::string InvokeUnready(const LifecycleModel& model, std::size_t slot);
  std::string Reset(const LifecycleModel& model, std::size_t slot);
  std::string ResetVariable(const LifecycleModel& model, std::size_t slot, TensorKey variable);
  std::string Save(std::size_t slot);
  // Suspended; everything away, garbage in its place, half of it back (which has to be noticed), then all. Refused in a
  // shared arena.
  std::string MoveAwayAndBack(std::size_t slot);
  // Another interpreter of the same network in the same memory, set up; an image of the one before is refused.
  std::string Replace(const LifecycleModel& model, std::size_t slot);
  // Refused when it would take back what was allocated since.
  std::string Restore(const LifecycleModel& model, std::size_t slot);
  // A temporary struct of the tensor: right, or refused; while it is held nothing is allocated and no image saved.
  std::string Describe(const LifecycleModel& model, std::size_t slot, TensorKey tensor);
  // And what the shared allocator refuses before a start.
  std::string StartTwice(std::size_t network);

  // What holds between any two commands; `model` is the state that the last one led to.
  std::string CheckInvariants(const LifecycleModel& model);

 private:
  struct InPlace {
    void operator()(Interpreter* interpreter) const { std::destroy_at(interpreter); }
  };
  struct RealSlot {
    // Two places in turn, so that an interpreter is never where the one before it was.
    alignas(Interpreter) std::byte places[2][sizeof(Interpreter)];
    std::size_t place = 0;
    std::unique_ptr<Interpreter, InPlace> interpreter;
    RunLog log;
    std::vector<std::byte> saved;
    std::size_t arena_bytes = 0;
    std::vector<PlanEntry> committed;  // what its last set-up committed to
  };

  Status SetUp(std::size_t slot);
  void RememberPlan(std::size_t slot) { slots_[slot].committed = ObserverOf(slot).plan(); }
  // Who receives the events of the slot's arena.
  RunLog& ObserverOf(std::size_t slot) { return Shares(world_) ? shared_log_ : slots_[slot].log; }
  // What was shown of an invoke.
  std::string CheckRun(const Network& network, const InvokeResult& expected, std::size_t slot);
  // `what` has just failed at that operator, or at none.
  std::string CheckFailed(const std::string& what, OperatorPlace expected, OperatorPhase phase, std::size_t slot) const;
  std::string SaveInTheArena(std::size_t slot);
  std::string RestoreElsewhere(std::size_t slot) const;
  Status RestoreSaved(std::size_t slot) const;
  std::string CheckOffsets(const Network& network, std::size_t slot) const;
  std::string CheckQueries(const LifecycleModel& model, std::size_t slot) const;
  std::string CheckUnreadySlot(std::size_t slot) const;
  std::string CheckReadySlot(const LifecycleModel& model, std::size_t slot);
  // The arena has no byte that its owner was not given.
  std::string CheckGivenMemory(const Arena& arena) const;
  std::string CheckPlan(const std::vector<PlanEntry>& plan, std::size_t head_bytes) const;

  World world_;
  LifecycleMemory memory_;
  ModelAllocator* shared_ = nullptr;
  RunLog shared_log_;
  RealSlot slots_[kSlotCount];
  // L13: the same model set up the same way always has the same offsets.
  std::map<std::pair<std::size_t, std::set<TensorKey>>, std::vector<std::size_t>> offsets_;
  std::vector<std::vector<std::byte>> files_;  // as they were
};

}  // namespace arenaproof

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

#include "engine/harness/lifecycle/lifecycle_call.h"
#include "engine/harness/lifecycle/lifecycle_model.h"
#include "engine/harness/lifecycle/lifecycle_system.h"
#include "props/support/draws.h"

namespace arenaproof {
namespace {

class LifecycleCommand : public rc::state::Command<LifecycleModel, LifecycleSystem> {
 public:
  // Draws the call; only inside a RapidCheck generator.
  explicit LifecycleCommand(const LifecycleModel& model);

  void checkPreconditions(const LifecycleModel& model) const override { RC_PRE(call_.IsPossible(model)); }
  void apply(LifecycleModel& model) const override { call_.Apply(model); }
  void run(const LifecycleModel& model, LifecycleSystem& system) const override {
    if (const std::string wrong = call_.Run(model, system); !wrong.empty()) RC_FAIL(wrong);
  }
  void show(std::ostream& stream) const override { stream << call_.Words(); }

 private:
  LifecycleCall call_;
};

LifecycleCommand::LifecycleCommand(const LifecycleModel& model) {
  call_.operation = LifecycleOperationAt(*rc::gen::noShrink(rc::gen::inRange<std::size_t>(0, LifecycleWeightSum())));
  call_.slot = *rc::gen::inRange<std::size_t>(0, kSlotCount);
  call_.network = *rc::gen::inRange<std::size_t>(0, Networks().size());
  if (model.world == World::kOneArenaEach) {
    call_.size = *rc::gen::weightedElement<ArenaSize>(
        {{6, ArenaSize::kLarge}, {1, ArenaSize::kExact}, {1, ArenaSize::kOneByteShort}});
  }
  call_.offer = *rc::gen::weightedElement<Offer>({{6, Offer::kSound},
                                                  {1, Offer::kNull},
                                                  {1, Offer::kMisaligned},
                                                  {1, Offer::kTooShort},
                                                  {1, Offer::kInTheArena},
                                                  {2, Offer::kOfAnother}});
  call_.buffer = *rc::gen::inRange<std::size_t>(0, kBuffersPerSlot);
  call_.seed = *rc::gen::inRange<std::uint32_t>(1, LifecycleCall::kSeeds);
  call_.number = *rc::gen::inRange<std::size_t>(0, LifecycleCall::kNumbers);
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

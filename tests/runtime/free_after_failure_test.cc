// What free gets of a set-up that failed: each operator once, in their order, with what its init or prepare had set,
// also the one that failed.
#include <gmock/gmock.h>

#include <array>
#include <cstring>

#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

std::array<char, 8> op_data_places;
std::vector<int> freed_places;  // -1 of null
OperatorLocation failing_place;

// op_data of an operator is the place of its output's index, from init or from prepare on.
template <OperatorPhase kPhase>
Status SetAndFail(PrepareContext& context) {
  const std::int32_t index = context.outputs[0].tensor_index - 1;
  const bool sets_in_init = index % 2 == 0;
  if (sets_in_init == (kPhase == OperatorPhase::kInit)) {
    EXPECT_EQ(context.op_data, nullptr);
    context.op_data = &op_data_places[static_cast<std::size_t>(index)];
  }
  return failing_place.phase == kPhase && failing_place.operator_index == index ? Failure(StatusCode::kKernelRank)
                                                                                : Ok();
}

const Kernel kFailing{
    .op = BuiltinOperator::kAbs,
    .name = "failing",
    .init = SetAndFail<OperatorPhase::kInit>,
    .prepare = SetAndFail<OperatorPhase::kPrepare>,
    .invoke = [](const InvokeContext&) { return Ok(); },
    .free =
        [](void* op_data) {
          freed_places.push_back(
              op_data == nullptr ? -1 : static_cast<int>(static_cast<char*>(op_data) - &op_data_places[0]));
        }};
const KernelSet kFailingSet{"failing", {&kFailing, 1}, nullptr};

TEST(FreeAfterAFailure, GetsWhatEachOperatorHadSet) {
  const SmallModel model(Chain(4, 16));
  const TestArena arena(8192);
  Interpreter interpreter(model.view(), kFailingSet, arena.start(), arena.bytes());
  const auto freed_when = [&](OperatorPhase phase, std::int32_t index) {
    freed_places.clear();
    failing_place = {0, index, phase};
    EXPECT_EQ(interpreter.AllocateTensors().code, StatusCode::kKernelRank);
    return freed_places;
  };
  EXPECT_THAT(freed_when(OperatorPhase::kInit, 0), ElementsAre(0, -1, -1, -1));
  EXPECT_THAT(freed_when(OperatorPhase::kInit, 2), ElementsAre(0, -1, 2, -1));
  EXPECT_THAT(freed_when(OperatorPhase::kPrepare, 0), ElementsAre(0, -1, 2, -1));
  EXPECT_THAT(freed_when(OperatorPhase::kPrepare, 1), ElementsAre(0, 1, 2, -1));
  EXPECT_THAT(freed_when(OperatorPhase::kPrepare, 3), ElementsAre(0, 1, 2, 3));
  freed_places.clear();
  failing_place = {};
  EXPECT_EQ(interpreter.AllocateTensors(), Ok());
  EXPECT_THAT(freed_places, ElementsAre()) << "nothing was left to free";
}

// Overwrites what a failed set-up gives back.
class Scribbler final : public EventLog {
 public:
  void OnTailRewound(const std::byte* tail_begin) override {
    EXPECT_THAT(freed_places, ElementsAre(0, -1));
    for (const MemoryRegion& block : tail_blocks) {
      if (block.data < tail_begin) std::memset(const_cast<std::byte*>(block.data), 0x5a, block.bytes);
    }
    ++rewound_count;
  }
  int rewound_count = 0;
};

// Free finds its operators by records in the tail.
TEST(FreeAfterAFailure, ComesBeforeTheTailGoesBack) {
  const SmallModel model(Chain(2, 16));
  const TestArena arena(8192);
  Scribbler observer;
  Interpreter interpreter(model.view(), kFailingSet, arena.start(), arena.bytes(), {.observer = &observer});
  freed_places.clear();
  failing_place = {0, 0, OperatorPhase::kPrepare};
  EXPECT_EQ(interpreter.AllocateTensors().code, StatusCode::kKernelRank);
  EXPECT_EQ(observer.rewound_count, 1);
  EXPECT_THAT(freed_places, ElementsAre(0, -1)) << "and not again";
  failing_place = {};
}

PrepareServices* kept_services = nullptr;
Status answer_to_free;
const Kernel kAsksInFree{.op = BuiltinOperator::kAbs,
                         .name = "asks in free",
                         .prepare = [](PrepareContext& context) -> Status {
                           kept_services = context.services;
                           return Failure(StatusCode::kKernelRank);
                         },
                         .invoke = [](const InvokeContext&) { return Ok(); },
                         .free =
                             [](void*) {
                               std::byte* block = nullptr;
                               answer_to_free = kept_services->AllocatePersistent(8, &block);
                             }};
const KernelSet kAsksInFreeSet{"asks in free", {&kAsksInFree, 1}, nullptr};

// It runs while the state is still the one of prepare, and no operator does.
TEST(FreeAfterAFailure, IsGrantedNothing) {
  const SmallModel model(Chain(1, 16));
  const TestArena arena(8192);
  EventLog log;
  Interpreter interpreter(model.view(), kAsksInFreeSet, arena.start(), arena.bytes(), {.observer = &log});
  EXPECT_EQ(interpreter.AllocateTensors().code, StatusCode::kKernelRank);
  EXPECT_EQ(answer_to_free.code, StatusCode::kRuntimeState);
  EXPECT_THAT(log.bracketed_tail_blocks, ElementsAre());
}

}  // namespace
}  // namespace arenaproof::testing

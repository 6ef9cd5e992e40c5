// The computed need against real set-ups of every model that runs: need passes, one byte less asks for more, at any
// base address need + 15 passes, whoever observes; in both layouts, with one arena and with two.
#include "tools/memory/memory_need.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <string>
#include <tuple>

#include "core/model/offline_plan.h"
#include "core/planner/greedy_planner.h"
#include "core/planner/linear_planner.h"
#include "core/runtime/interpreter/interpreter.h"
#include "engine/oracles/memory/arena_need_by_bisection.h"
#include "kernels/kernel_sets.h"
#include "sanitizers/layout/dilating_planner.h"
#include "tests/memory/memory_models_support.h"
#include "tests/support/shared_files.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/model_arena_planner.h"
#include "tools/model/plan_recorder.h"

namespace arenaproof::testing {
namespace {

struct Tried {
  std::size_t bytes, persistent_bytes;
  std::size_t misalignment = 0;
  bool observed = false;
};

// A real set-up and two invokes.
class RealArenas {
 public:
  explicit RealArenas(const MemoryQuestion& question) : question_(question) {}

  Status Try(const ValidatedModel& model, const Tried& tried) {
    if (!memory_.Grow(tried.bytes + 64) || !persistent_memory_.Grow(tried.persistent_bytes + 64)) {
      return Failure(StatusCode::kLayoutMemory);
    }
    GreedyPlanner greedy;
    DilatingPlanner dilating(greedy);
    PlanRecorder recorder;
    const InterpreterOptions options =
        MeasuredOptions(model, question_, dilating, tried.observed ? &recorder : nullptr);
    const KernelSet& kernels = *FindKernelSet("reference");
    std::byte* const start = memory_.start() + tried.misalignment;
    const ArenaBuffers buffers{persistent_memory_.start() + tried.misalignment, tried.persistent_bytes, start,
                               tried.bytes};
    const auto interpreter = question_.two_arenas
                                 ? std::make_unique<Interpreter>(model, kernels, buffers, options)
                                 : std::make_unique<Interpreter>(model, kernels, start, tried.bytes, options);
    ARENAPROOF_RETURN_IF_ERROR(interpreter->AllocateTensors());
    head_bytes = interpreter->head_bytes();
    tail_bytes = interpreter->tail_bytes();
    for (const Operand& input : interpreter->inputs()) std::fill_n(input.data, input.bytes, std::byte{1});
    ARENAPROOF_RETURN_IF_ERROR(interpreter->Invoke());
    return interpreter->Invoke();
  }

  std::size_t head_bytes = 0, tail_bytes = 0;

 private:
  MemoryQuestion question_;
  ArenaMemory memory_, persistent_memory_;
};

class MemoryNeedOf : public ::testing::TestWithParam<std::tuple<Layout, bool>> {
 protected:
  MemoryQuestion Question() const { return {std::get<0>(GetParam()), std::get<1>(GetParam()), kOwnWordSize}; }
};

TEST_P(MemoryNeedOf, EveryModelIsExactToTheByteForWhoeverObserves) {
  const MemoryQuestion question = Question();
  ForEachRunnableModel([&](const ValidatedModel& model) {
    const MemoryNeed need = MeasureMemory(model, *FindKernelSet("reference"), question);
    ASSERT_TRUE(need.status.ok());
    RealArenas arenas(question);
    for (const bool observed : {false, true}) {
      const Tried exact{need.need_bytes, need.persistent_need_bytes, 0, observed};
      EXPECT_EQ(arenas.Try(model, exact), Ok());
      EXPECT_EQ(arenas.head_bytes, need.head_bytes);
      EXPECT_EQ(arenas.tail_bytes, need.tail_bytes);
      Tried less = exact;
      --less.bytes;
      const Status refused = arenas.Try(model, less);
      EXPECT_TRUE(!refused.ok() && AsksForALargerArena(refused)) << static_cast<int>(refused.code);
      if (!question.two_arenas) continue;
      less = exact;
      --less.persistent_bytes;
      const Status persistent_refused = arenas.Try(model, less);
      EXPECT_TRUE(!persistent_refused.ok() && AsksForALargerArena(persistent_refused));
    }
  });
}

TEST_P(MemoryNeedOf, EveryModelPlusFifteenBytesPassesAtEveryAddress) {
  const MemoryQuestion question = Question();
  ForEachRunnableModel([&](const ValidatedModel& model) {
    const MemoryNeed need = MeasureMemory(model, *FindKernelSet("reference"), question);
    RealArenas arenas(question);
    for (std::size_t misalignment = 0; misalignment < 16; ++misalignment) {
      const std::size_t persistent_bytes = question.two_arenas ? need.persistent_need_bytes + 15 : 0;
      EXPECT_EQ(arenas.Try(model, {need.need_bytes + 15, persistent_bytes, misalignment}), Ok())
          << "at " << misalignment << " behind a multiple of 16";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Layouts, MemoryNeedOf,
                         ::testing::Combine(::testing::Values(Layout::kFaithful, Layout::kDilated), ::testing::Bool()),
                         [](const auto& parameter) {
                           return std::string(LayoutName(std::get<0>(parameter.param))) +
                                  (std::get<1>(parameter.param) ? "InTwoArenas" : "InOneArena");
                         });

TEST(MemoryNeed, WithATrustedPlanIsExactToTheByteToo) {
  int plan_count = 0;
  for (const bool two_arenas : {false, true}) {
    ForEachRunnableModel([&](const ValidatedModel& model) {
      OfflinePlanEntry entry;
      ASSERT_TRUE(LocateOfflinePlan(model, &entry).ok());
      if (entry.bytes.empty()) return;
      ++plan_count;
      const MemoryQuestion question{Layout::kFaithful, two_arenas, kOwnWordSize, {.offline_plan = {.trust = true}}};
      const MemoryNeed need = MeasureMemory(model, *FindKernelSet("reference"), question);
      ASSERT_TRUE(need.status.ok());
      RealArenas arenas(question);
      const Tried exact{need.need_bytes, need.persistent_need_bytes};
      EXPECT_EQ(arenas.Try(model, exact), Ok());
      Tried less = exact;
      --less.bytes;
      EXPECT_TRUE(AsksForALargerArena(arenas.Try(model, less)));
      if (!two_arenas) return;
      less = exact;
      --less.persistent_bytes;
      EXPECT_TRUE(AsksForALargerArena(arenas.Try(model, less)));
    });
  }
  EXPECT_EQ(plan_count, SharedFile("models") ? 2 * 4 : 2 * 1);
}

// The same sizes, or the same refusal at the same operator.
void CompareWithBisection(const ValidatedModel& model, const InterpreterOptions& options, bool two_arenas) {
  const KernelSet& kernels = *FindKernelSet("reference");
  const MemoryNeed need = MeasureMemory(model, kernels, {.two_arenas = two_arenas, .set_up = options});
  const ArenaNeed found = FindArenaNeed(model, kernels, options, two_arenas);
  EXPECT_EQ(need.status, found.status);
  EXPECT_EQ(need.need_bytes, found.bytes);
  EXPECT_EQ(need.persistent_need_bytes, found.persistent_bytes);
  if (found.status.ok()) return;
  EXPECT_EQ(need.location.subgraph, found.location.subgraph);
  EXPECT_EQ(need.location.operator_index, found.location.operator_index);
}

TEST(MemoryNeed, IsWhatBisectionOverRealSetUpsFindsWhateverIsChosen) {
  ModelArenaPlanner arena(true), arena_apart(false);
  LinearPlanner linear;
  const InterpreterOptions every[] = {{},
                                      {.record_memory = true},
                                      {.offline_plan = {.trust = true}},
                                      {.preserve_all_tensors = true},
                                      {.preserve_all_tensors = true, .record_memory = true},
                                      {.planner = &arena, .sharing = &arena},
                                      {.planner = &arena_apart, .sharing = &arena_apart},
                                      {.planner = &arena, .sharing = &arena, .record_memory = true},
                                      {.planner = &linear, .preserve_all_tensors = true},
                                      {.persistent_spacing_bytes = 64},
                                      {.persistent_spacing_bytes = 32}};
  ForEachRunnableModel([&](const ValidatedModel& model) {
    for (std::size_t i = 0; i < std::size(every); ++i) {
      SCOPED_TRACE("options " + std::to_string(i));
      for (const bool two_arenas : {false, true}) CompareWithBisection(model, every[i], two_arenas);
    }
  });
}

TEST(MemoryNeed, CategoriesAddUpToTheTail) {
  for (const WordSize word : {WordSize::k32, WordSize::k64}) {
    for (const bool two_arenas : {false, true}) {
      ForEachRunnableModel([&](const ValidatedModel& model) {
        const MemoryNeed need =
            MeasureMemory(model, *FindKernelSet("reference"), {Layout::kFaithful, two_arenas, word});
        std::size_t used_bytes = 0;
        for (const TailCategory& category : need.categories) {
          EXPECT_LE(category.requested_bytes, category.used_bytes) << category.name;
          used_bytes += category.used_bytes;
        }
        EXPECT_EQ(used_bytes, need.tail_bytes);
      });
    }
  }
}

// The copy of its plan that a set-up makes is no operator's.
TEST(MemoryNeed, ChargesNoOperatorWithTemporariesThatItDidNotTake) {
  ForEachRunnableModel([](const ValidatedModel& model) {
    const MemoryNeed need = MeasureMemory(model, *FindKernelSet("reference"), {});
    for (const OperatorMemory& memory : need.operators) EXPECT_EQ(memory.temporary_peak_bytes, 0u);
  });
}

}  // namespace
}  // namespace arenaproof::testing

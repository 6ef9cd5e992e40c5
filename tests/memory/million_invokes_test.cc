// However often a model is invoked, no cursor of its arena moves and no byte of the tail changes that is not a
// variable's.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/arena/silent_observer.h"
#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tests/memory/memory_models_support.h"
#include "tests/support/runnable_models.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_need.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"

namespace arenaproof::testing {
namespace {

// A million of the smallest model and of one with state; of others as many as take no longer than that. Instrumented
// builds are slower.
#if defined(ARENAPROOF_ASAN)
constexpr std::uint64_t kMostInvokes = 20000;
constexpr auto kLongest = std::chrono::milliseconds(500);
#else
constexpr std::uint64_t kMostInvokes = 1000000;
constexpr auto kLongest = std::chrono::milliseconds(300);
#endif
constexpr std::uint64_t kBetweenLooks = 1000;

struct Cursors {
  std::size_t head, tail, used;
  friend bool operator==(const Cursors&, const Cursors&) = default;
};

Cursors CursorsOf(const Interpreter& interpreter) {
  return {interpreter.head_bytes(), interpreter.tail_bytes(), interpreter.arena_used_bytes()};
}

// The values of resource variables, blocks of the tail that no tensor names: all plain bytes that the runtime takes
// there without announcing them.
class ResourceValues final : public SilentObserver {
 public:
  const std::vector<MemoryRegion>& regions() const { return regions_; }
  void OnShape(const StructureBytes&, std::size_t) override { shaped_ = true; }
  void OnOperation(Operation, std::size_t, std::size_t) override { shaped_ = false; }
  ArenaObserver* DuringBookkeeping() override { return &bookkeeping_observer_; }

 private:
  class BookkeepingObserver final : public SilentObserver {
   public:
    explicit BookkeepingObserver(ResourceValues& values) : values_(values) {}
    void OnShape(const StructureBytes&, std::size_t) override { values_.shaped_ = true; }
    void OnOperation(Operation, std::size_t, std::size_t) override { plain_ = !std::exchange(values_.shaped_, false); }
    void OnTailAllocated(MemoryRegion block) override {
      if (plain_) values_.regions_.push_back(block);
    }

   private:
    ResourceValues& values_;
    bool plain_ = false;
  };
  BookkeepingObserver bookkeeping_observer_{*this};
  std::vector<MemoryRegion> regions_;
  bool shaped_ = false;
};

// Which bytes of the arena variables own.
std::vector<bool> VariableBytes(const ValidatedModel& model, const Interpreter& interpreter,
                                const ResourceValues& values, const std::byte* arena, std::size_t arena_bytes) {
  std::vector<bool> owned(arena_bytes, false);
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (!model.tensor(s, i).is_variable) continue;
      std::span<std::byte> bytes;
      EXPECT_TRUE(interpreter.TensorBytes(static_cast<std::int32_t>(i), &bytes, static_cast<std::int32_t>(s)).ok());
      const auto first = static_cast<std::size_t>(bytes.data() - arena);
      for (std::size_t k = 0; k < bytes.size() && first + k < arena_bytes; ++k) owned[first + k] = true;
    }
  }
  for (const MemoryRegion& value : values.regions()) {
    const auto first = static_cast<std::size_t>(value.data - arena);
    for (std::size_t k = 0; k < value.bytes; ++k) owned[first + k] = true;
  }
  return owned;
}

// The number of invokes made; whether a byte of a variable in the tail is another than before.
std::uint64_t Invoke(const ValidatedModel& model, std::uint64_t most_count, std::chrono::milliseconds longest,
                     bool* state_changed = nullptr) {
  const KernelSet& kernels = *FindKernelSet("reference");
  const std::size_t arena_bytes = MeasureMemory(model, kernels, {}).need_bytes;
  ArenaMemory memory;
  EXPECT_TRUE(memory.Grow(arena_bytes));
  ResourceValues values;
  const auto interpreter = std::make_unique<Interpreter>(model, kernels, memory.start(), arena_bytes,
                                                         ForModel(model, {.observer = &values}));
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
  InputGenerator generator(1);
  for (const Operand& input : interpreter->inputs()) generator.Fill(input.type, {input.data, input.bytes});
  // What set-up leaves for the first invoke to do (CALL_ONCE) is done.
  EXPECT_TRUE(interpreter->Invoke().ok());
  const Cursors cursors = CursorsOf(*interpreter);
  const std::size_t tail_begin = arena_bytes - interpreter->tail_bytes();
  const std::vector<std::byte> before(memory.start() + tail_begin, memory.start() + arena_bytes);
  const std::vector<bool> variable = VariableBytes(model, *interpreter, values, memory.start(), arena_bytes);
  EXPECT_EQ(values.regions().size(), CountResourceVariables(model)) << "values of resource variables are not seen";
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t count = 0;
  while (count < most_count && (count == 0 || std::chrono::steady_clock::now() - start < longest)) {
    for (std::uint64_t i = 0; i < kBetweenLooks && count < most_count; ++i, ++count) {
      if (!interpreter->Invoke().ok()) {
        ADD_FAILURE() << "invoke " << count << " failed";
        return count;
      }
      if (i % 16 == 0 && std::chrono::steady_clock::now() - start >= longest) break;
    }
    EXPECT_EQ(CursorsOf(*interpreter), cursors) << "after " << count << " invokes";
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (variable[tail_begin + i] || memory.start()[tail_begin + i] == before[i]) continue;
      ADD_FAILURE() << "byte " << i << " of the tail changed within " << count << " invokes";
      return count;
    }
  }
  for (std::size_t i = 0; state_changed != nullptr && i < before.size(); ++i) {
    *state_changed |= variable[tail_begin + i] && memory.start()[tail_begin + i] != before[i];
  }
  return count;
}

// It keeps its state in resource variables.
TEST(ManyInvokes, AMillionOfAModelWithStateMoveNothingAndChangeVariablesOnly) {
  WithSeedModel("control_variables_float", [](const ValidatedModel& model) {
    ASSERT_GT(CountResourceVariables(model), 0u);
    bool state_changed = false;
    EXPECT_EQ(Invoke(model, kMostInvokes, std::chrono::minutes(10), &state_changed), kMostInvokes);
    EXPECT_TRUE(state_changed) << "no variable has another value than before the million";
  });
}

TEST(ManyInvokes, AMillionOfTheSmallestSeedModelMoveNothingAndChangeNoByteOfTheTail) {
  const std::string smallest = "sine_regressor_float";
  const auto need_bytes = [](const std::string& name) {
    std::size_t bytes = 0;
    WithSeedModel(name, [&](const ValidatedModel& model) {
      bytes = MeasureMemory(model, *FindKernelSet("reference"), {}).need_bytes;
    });
    return bytes;
  };
  for (const auto& path : SeedModelFiles()) EXPECT_LE(need_bytes(smallest), need_bytes(path.stem().string())) << path;
  WithSeedModel(smallest, [](const ValidatedModel& model) {
    EXPECT_EQ(Invoke(model, kMostInvokes, std::chrono::minutes(10)), kMostInvokes);
  });
}

TEST(ManyInvokes, OfEveryModelMoveNothingAndChangeVariablesOnly) {
  ForEachRunnableModel([&](const ValidatedModel& model) { EXPECT_GE(Invoke(model, kMostInvokes, kLongest), 1u); });
}

}  // namespace
}  // namespace arenaproof::testing

// Every arena size either fails cleanly or works; once it works, every larger size does.
#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <string>

#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

// Sweeps sizes at one distance from a 64-aligned address; memory outside the given bytes must not change.
void SweepOneArena(std::size_t misalignment) {
  const MockScope mock;
  BehaveLikeARichKernel();
  SmallSubgraph graph = Chain(3, 100);
  graph.tensors.push_back({.shape = {30}, .variable = true});
  graph.operators[1].inputs.push_back(4);
  const SmallModel model(graph);
  constexpr std::size_t kLargest = 16384;
  std::vector<std::byte> memory(kLargest + 64 + 256);
  std::byte* start = memory.data() + 64;
  while (reinterpret_cast<std::uintptr_t>(start) % 64 != misalignment) ++start;

  std::size_t need_bytes = 0;
  for (std::size_t bytes = 0; need_bytes == 0 || bytes <= need_bytes + 64; ++bytes) {
    ASSERT_LT(bytes, kLargest);
    std::memset(memory.data(), 0x5A, memory.size());
    const auto interpreter =
        std::make_unique<Interpreter>(model.view(), MockKernels(), start, bytes, InterpreterOptions());
    const Status status = interpreter->AllocateTensors();
    if (need_bytes == 0 && status.ok()) need_bytes = bytes;
    EXPECT_EQ(status.ok(), need_bytes != 0) << "at " << bytes << " bytes: status " << static_cast<int>(status.code);
    if (status.ok()) {
      std::memset(interpreter->inputs()[0].data, 9, 100);
      EXPECT_TRUE(interpreter->Invoke().ok());
      for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(interpreter->outputs()[0].data[i], std::byte{9});
    } else {
      EXPECT_FALSE(interpreter->Invoke().ok());
    }
    for (const std::byte* p = memory.data(); p < start; ++p) ASSERT_EQ(*p, std::byte{0x5A});
    for (const std::byte* p = start + bytes; p < memory.data() + memory.size(); ++p) ASSERT_EQ(*p, std::byte{0x5A});
  }
}

TEST(ArenaSize, EverySizeFailsCleanlyOrWorksOnAnAlignedBase) { SweepOneArena(0); }
TEST(ArenaSize, EverySizeFailsCleanlyOrWorksOnAnOddBase) { SweepOneArena(7); }

TEST(ArenaSize, ANullArenaIsRefused) {
  const SmallModel model(Chain(1, 16));
  const auto interpreter =
      std::make_unique<Interpreter>(model.view(), MockKernels(), nullptr, std::size_t{4096}, InterpreterOptions());
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kArenaNullBuffer);
  EXPECT_EQ(interpreter->Invoke().code, StatusCode::kRuntimeState);
  EXPECT_EQ(interpreter->arena_used_bytes(), 0u);
}

TEST(ArenaSize, AnObserverOrTheAddressChangesNoOffset) {
  const MockScope mock;
  BehaveLikeARichKernel();
  const SmallModel model(Chain(3, 100));
  const TestArena here(16384);
  const auto unobserved = MakeInterpreter(model, here);
  ASSERT_TRUE(unobserved->AllocateTensors().ok());
  for (const std::size_t misalignment : std::initializer_list<std::size_t>{0, 1, 7, 8, 15, 16, 33, 63}) {
    for (const bool observed : {false, true}) {
      SCOPED_TRACE(std::to_string(misalignment) + (observed ? ", observed" : ""));
      // Its end is as aligned as the other's: what is used of the tail depends on that.
      const TestArena there(16384 - misalignment, misalignment);
      EventLog log;
      const auto interpreter = MakeInterpreter(model, there, {.observer = observed ? &log : nullptr});
      ASSERT_TRUE(interpreter->AllocateTensors().ok());
      EXPECT_EQ(log.lines.empty(), !observed);
      EXPECT_EQ(interpreter->arena_used_bytes(), unobserved->arena_used_bytes());
      for (std::int32_t tensor = 0; tensor < 4; ++tensor) {
        std::size_t offset = 0, expected = 0;
        ASSERT_TRUE(interpreter->TensorOffset(tensor, &offset).ok());
        ASSERT_TRUE(unobserved->TensorOffset(tensor, &expected).ok());
        EXPECT_EQ(offset, expected);
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing

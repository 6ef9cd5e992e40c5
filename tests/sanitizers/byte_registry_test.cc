#include "sanitizers/report/byte_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace arenaproof {
namespace {

alignas(64) std::array<std::byte, 2048> memory;

std::byte* At(std::size_t offset) { return memory.data() + offset; }

bool Same(const ByteOwner& one, const ByteOwner& other) {
  return one.state == other.state && one.range.data == other.range.data && one.index == other.index &&
         one.subgraph == other.subgraph && one.planned == other.planned && one.operand == other.operand;
}

// Everything that may own a byte, some in each other and some side by side.
TEST(ByteRegistry, FindsNoOtherOwnerBeforeTheEndOfAStretch) {
  ByteRegistry registry;
  registry.SetArena({At(128), 768}, {At(1024), 128});
  registry.SetReserve({At(112), 16});
  registry.SetModel({At(1280), 512});
  registry.AddConstant(3, {At(1300), 21});
  registry.AddConstant(4, {At(1321), 40});
  registry.AddQuantization(3, {At(1310), 4});
  registry.SetPlan(At(128), std::array<PlanEntry, 4>{{{.tensor = 0, .offset = 0, .bytes = 30, .first = 0, .last = 1},
                                                      {.tensor = 1, .offset = 20, .bytes = 30, .first = 1, .last = 2},
                                                      {.tensor = 2, .offset = 0, .bytes = 200, .first = 4, .last = 5},
                                                      {.scratch = 0, .owner_operator = 0, .offset = 300, .bytes = 7}}});
  registry.AddTemporary({At(500), 30});
  registry.AddTailBlock({At(800), 96}, -1);
  registry.AddTailBlock({At(1100), 52}, 2);
  const OperandRange operands[] = {{At(140), 9, AccessRight::kRead, OperandKind::kInput, 0},
                                   {At(1330), 8, AccessRight::kRead, OperandKind::kConstant, 4}};
  for (const std::int32_t scope : {-1, 1, 4}) {
    const RunningOperator running{operands, scope};
    std::size_t stretch_count = 0;
    for (std::size_t at = 0; at < memory.size(); ++stretch_count) {
      const ByteOwner owner = registry.OwnerOf(At(at), running);
      const std::uintptr_t until = registry.SameOwnerUntil(At(at), running);
      ASSERT_GT(until, reinterpret_cast<std::uintptr_t>(At(at)));
      const std::size_t end = std::min(until - reinterpret_cast<std::uintptr_t>(At(0)), memory.size());
      for (; at < end; ++at) ASSERT_TRUE(Same(registry.OwnerOf(At(at), running), owner)) << at << " " << scope;
    }
    EXPECT_GT(stretch_count, 20u);
    EXPECT_LT(stretch_count, 50u);  // asking of each byte would be right as well, and of no use
  }
}

}  // namespace
}  // namespace arenaproof

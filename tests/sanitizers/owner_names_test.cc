// What lies at a byte when several things could, and the step of the plan at which an operator is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sanitizers/report/byte_registry.h"

namespace arenaproof {
namespace {

const std::byte* Named(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

// Constants and lists of one address may be of several tensors: each is kept that has bytes of its own.
TEST(OwnerNames, OfConstantsAtOneAddressAreThoseOfTheirBytes) {
  ByteRegistry registry;
  registry.SetModel({Named(0x1000), 0x1000});
  registry.AddConstant(1, {Named(0x1100), 8}, 3);
  registry.AddConstant(2, {Named(0x1100), 32});
  registry.AddConstant(1, {Named(0x1200), 8}, 3);
  registry.AddQuantization(4, {Named(0x1300), 8}, 2);
  registry.AddQuantization(5, {Named(0x1100), 64});
  const auto words = [&](std::uintptr_t address) {
    return registry.Describe(registry.OwnerOf(Named(address), {}), {});
  };
  EXPECT_EQ(words(0x1107), "constant tensor 1 of subgraph 3") << "the one that was registered first";
  EXPECT_EQ(words(0x1108), "constant tensor 2");
  EXPECT_EQ(words(0x111f), "constant tensor 2");
  EXPECT_EQ(words(0x1120), "the quantisation of tensor 5");
  EXPECT_EQ(words(0x1207), "constant tensor 1 of subgraph 3");
  EXPECT_EQ(words(0x1300), "the quantisation of tensor 4 of subgraph 2");
}

// A tensor that lives hides the scratch buffers and tensors that do not, wherever they stand in the plan.
TEST(OwnerNames, AreOfWhatLivesBeforeWhatDoesNot) {
  ByteRegistry registry;
  registry.SetArena({Named(0x1000), 0x1000});
  registry.AddTailBlock({Named(0x1000), 0x100}, 7);
  std::array<PlanEntry, 3> plan{{{.scratch = 0, .owner_operator = 9, .offset = 0, .bytes = 16, .first = 5, .last = 5},
                                 {.tensor = 1, .offset = 0, .bytes = 16, .first = 1, .last = 2},
                                 {.tensor = 2, .offset = 0, .bytes = 16, .first = 3, .last = 4}}};
  for (int turn = 0; turn < 3; ++turn) {
    std::rotate(plan.begin(), plan.begin() + 1, plan.end());
    registry.SetPlan(Named(0x1000), plan);
    const auto owner = [&](std::int32_t scope) { return registry.OwnerOf(Named(0x1008), {{}, scope}); };
    EXPECT_EQ(owner(2).index, 1) << turn;
    EXPECT_EQ(owner(2).state, ByteState::kLiveTensor) << turn;
    EXPECT_EQ(owner(3).index, 2) << turn;
    EXPECT_EQ(owner(5).state, ByteState::kScratch) << turn;
    EXPECT_EQ(owner(5).planned->owner_operator, 9) << turn;
    EXPECT_EQ(owner(7).planned->tensor, plan[0].tensor) << "the first of those that do not";
  }
  EXPECT_EQ(registry.OwnerOf(Named(0x1010), {}).state, ByteState::kTail) << "behind the buffers";
}

// Numbers begin with 0: the first operator is one.
TEST(OwnerNames, OfTheTailTellOperatorsFromTheRuntime) {
  ByteRegistry registry;
  registry.SetArena({Named(0x1000), 0x1000});
  registry.AddTailBlock({Named(0x1f00), 16}, -1);
  registry.AddTailBlock({Named(0x1e00), 16}, 0);
  const auto words = [&](std::uintptr_t address) {
    return registry.Describe(registry.OwnerOf(Named(address), {}), {});
  };
  EXPECT_EQ(words(0x1f00), "the allocator's bookkeeping in the tail");
  EXPECT_EQ(words(0x1e00), "persistent memory of operator 0");
}

// Of several outputs the latest one's first step, in whatever order they are listed and planned.
TEST(OwnerNames, AreOfTheStepOfTheLatestOutput) {
  ByteRegistry registry;
  std::vector<PlanEntry> plan = {{.tensor = 3, .bytes = 8, .first = 4, .last = 5},
                                 {.tensor = 6, .bytes = 8, .first = 2, .last = 5},
                                 {.subgraph = 1, .tensor = 3, .bytes = 8, .first = 9, .last = 9},
                                 {.scratch = 3, .bytes = 8, .first = 8, .last = 8}};
  std::vector<OperandRange> outputs;
  for (const std::int32_t tensor : {3, 6}) {
    outputs.push_back({Named(0x1000), 8, AccessRight::kWrite, OperandKind::kOutput, tensor});
  }
  for (int turn = 0; turn < 4; ++turn) {
    if (turn % 2 == 1) std::swap(outputs[0], outputs[1]);
    if (turn == 2) std::swap(plan[0], plan[1]);
    registry.SetPlan(Named(0x1000), plan);
    EXPECT_EQ(registry.ScopeOf(0, 0, outputs), 4) << turn;
    EXPECT_EQ(registry.ScopeOf(1, 0, outputs), 9) << turn;
    EXPECT_EQ(registry.ScopeOf(2, 0, outputs), -1) << turn;
  }
}

}  // namespace
}  // namespace arenaproof

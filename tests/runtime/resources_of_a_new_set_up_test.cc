// Values of resource variables lie in the tail of their own set-up: what an earlier one had there may be gone.
#include <gtest/gtest.h>

#include "control_run_support.h"
#include "kernels/reference/reference_kernels.h"
#include "work_log_support.h"

namespace arenaproof::testing {
namespace {

using enum BuiltinOperator;

bool fails_after_the_variable = false;
const Kernel kFailsWhenTold{
    .op = kAbs,
    .name = "told",
    .prepare = [](PrepareContext&) { return fails_after_the_variable ? Failure(StatusCode::kKernelRank) : Ok(); },
    .invoke = [](const InvokeContext&) { return Ok(); }};

TEST(ResourcesOfANewSetUp, HaveMemoryOfIt) {
  ControlModel model;
  model.Subgraph();
  const auto x = model.Value(5), y = model.Value(2), z = model.Value(2), handle = model.Handle("v");
  model.Apply(kAssignVariable, {handle, x}, {}).Apply(kAbs, {y}, {z}).Bounds({x, y}, {z});
  const KernelSet kernels{"told", {&kFailsWhenTold, 1}, &ReferenceKernels()};
  WorkLog log;
  const ControlRun run(model, kernels, {.observer = &log, .resource_variable_count = 1}, 16384);
  // Where the value lies that set-up fills last.
  const auto value = [&]() -> MemoryRegion {
    if (!run.interpreter->AllocateTensors().ok()) return {};
    const OperandRange filled = log.Of(RuntimeWork::kVariableFill).back().operands.at(0);
    return {filled.data, filled.bytes};
  };
  fails_after_the_variable = true;
  EXPECT_EQ(value().data, nullptr);
  EXPECT_EQ(run.interpreter->resource_variable_count(), 1U) << "it came so far";
  fails_after_the_variable = false;
  const std::byte* lowest = run.arena.start() + run.arena.bytes();
  for (int set_up = 0; set_up < 3; ++set_up) {
    const MemoryRegion found = value();
    EXPECT_EQ(found.bytes, 20U);
    EXPECT_LE(found.data + found.bytes, lowest) << "below all of the set-up before: " << set_up;
    EXPECT_EQ(run.interpreter->resource_variable_count(), 1U);
    lowest = run.arena.start() + run.arena.bytes() - run.interpreter->tail_bytes();
    EXPECT_GE(found.data, lowest);
  }
}

}  // namespace
}  // namespace arenaproof::testing

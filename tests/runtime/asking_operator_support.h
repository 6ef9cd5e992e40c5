// An operator that calls a subgraph, and asks the runtime what a test says.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "control_run_support.h"

namespace arenaproof::testing {

inline std::function<Status(RuntimeServices&)> asks_in_prepare, asks_in_invoke;

// An IF that asks what a test says; ABS is a mock's.
inline const Kernel kAsking{
    .op = BuiltinOperator::kIf,
    .name = "asking",
    .prepare = [](PrepareContext& context) { return asks_in_prepare ? asks_in_prepare(*context.runtime) : Ok(); },
    .invoke = [](const InvokeContext& context) { return asks_in_invoke ? asks_in_invoke(*context.runtime) : Ok(); }};
inline const KernelSet& AskingKernels() {
  static const KernelSet set{"asking", {&kAsking, 1}, &MockKernels()};
  return set;
}

// Condition and x to y, of two floats; the branch takes two floats and gives three and two.
class AskingOperator : public ::testing::Test {
 protected:
  AskingOperator() {
    asks_in_prepare = asks_in_invoke = nullptr;
    model_.Subgraph();
    const auto condition = model_.Bool(), x = model_.Value(2), y = model_.Value(2);
    model_.Apply(BuiltinOperator::kIf, {condition, x}, {y}, IfOptions{1, 1}).Bounds({condition, x}, {y});
    model_.Subgraph();
    const auto a = model_.Value(2), b = model_.Value(3), c = model_.Value(2);
    model_.Apply(BuiltinOperator::kAbs, {a}, {b}).Apply(BuiltinOperator::kAbs, {a}, {c}).Bounds({a}, {b, c});
  }
  ~AskingOperator() override { asks_in_prepare = asks_in_invoke = nullptr; }

  std::span<std::byte> Bytes(ControlRun& run, std::int32_t tensor, std::int32_t subgraph) {
    std::span<std::byte> bytes;
    EXPECT_TRUE(run.interpreter->TensorBytes(tensor, &bytes, subgraph).ok());
    return bytes;
  }

  const MockScope mock_;
  ControlModel model_;
};

}  // namespace arenaproof::testing

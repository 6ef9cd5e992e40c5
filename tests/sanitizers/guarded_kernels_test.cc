// Which kernels of a set go through the guard, and that each of them is the one that it was.
#include "sanitizers/instrument/guard/guarded_kernels.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

namespace arenaproof::testing {
namespace {

Status SucceedUnguarded(const InvokeContext&) { return Ok(); }

class NamingGuard final : public GuardedInvoke {
 public:
  Status Invoke(const Kernel& kernel, const InvokeContext&) override {
    invoked.push_back(&kernel);
    return Failure(StatusCode::kKernelFailed, 7);
  }
  std::vector<const Kernel*> invoked;
};

TEST(GuardedKernels, AreThoseThatTheRuntimeInvokesOfEverySet) {
  const Kernel of_fallback[] = {{.op = BuiltinOperator::kAdd, .name = "last", .invoke = SucceedUnguarded}};
  const KernelSet fallback{.name = "fallback", .kernels = of_fallback};
  const Kernel kernels[] = {{.op = BuiltinOperator::kRelu, .name = "first", .invoke = SucceedUnguarded},
                            {.op = BuiltinOperator::kWhile, .name = "runtime's", .invoke = SucceedUnguarded},
                            {.op = BuiltinOperator::kAssignVariable, .name = "runtime's", .invoke = SucceedUnguarded},
                            {.op = BuiltinOperator::kMul, .name = "nothing"},
                            {.op = BuiltinOperator::kAdd, .name = "second", .invoke = SucceedUnguarded}};
  const KernelSet set{.name = "set", .kernels = kernels, .fallback = &fallback};
  NamingGuard guard;
  const GuardedKernels guarded(set, guard);
  ASSERT_EQ(guarded.set().kernels.size(), 5u);
  EXPECT_EQ(guarded.set().kernels[3].invoke, nullptr);
  ASSERT_NE(guarded.set().fallback, nullptr);
  ASSERT_NE(guarded.set().fallback, &fallback);
  for (std::size_t i : {0u, 1u, 2u, 4u}) {
    const bool of_runtime = i == 1 || i == 2;
    EXPECT_EQ(guarded.set().kernels[i].invoke({}).ok(), of_runtime) << i;
    EXPECT_EQ(guarded.set().kernels[i].name, kernels[i].name);
  }
  EXPECT_FALSE(guarded.set().fallback->kernels[0].invoke({}).ok());
  EXPECT_THAT(guard.invoked, ::testing::ElementsAre(&kernels[0], &kernels[4], &of_fallback[0]));
}

TEST(GuardedKernels, AreNoMoreThanThereIsRoomForAndBeginAnew) {
  const std::vector<Kernel> kernels(GuardedKernels::kMostKernels + 1,
                                    {.op = BuiltinOperator::kRelu, .name = "many", .invoke = SucceedUnguarded});
  const KernelSet set{.name = "set", .kernels = kernels};
  for (int time = 0; time < 2; ++time) {
    NamingGuard guard;
    const GuardedKernels guarded(set, guard);
    EXPECT_FALSE(guarded.set().kernels[GuardedKernels::kMostKernels - 1].invoke({}).ok());
    EXPECT_TRUE(guarded.set().kernels.back().invoke({}).ok());
    EXPECT_THAT(guard.invoked, ::testing::ElementsAre(&kernels[GuardedKernels::kMostKernels - 1]));
  }
}

TEST(GuardedKernelsDeathTest, AreOfOneGuardAtATime) {
  const KernelSet set{.name = "set", .kernels = {}};
  NamingGuard guard;
  const GuardedKernels guarded(set, guard);
  EXPECT_DEATH(std::make_unique<GuardedKernels>(set, guard), "");
}

}  // namespace
}  // namespace arenaproof::testing

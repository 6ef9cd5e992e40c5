#include "mock_kernels_support.h"

#include <array>

namespace arenaproof::testing {
namespace {

Status Init(PrepareContext& context) { return Mock().init ? Mock().init(context) : Ok(); }
Status Prepare(PrepareContext& context) { return Mock().prepare ? Mock().prepare(context) : Ok(); }
Status Run(const InvokeContext& context) { return Mock().invoke ? Mock().invoke(context) : Ok(); }

constexpr Kernel MockOf(BuiltinOperator op) { return {op, "mock", nullptr, Init, Prepare, Run}; }

}  // namespace

MockBehavior& Mock() {
  static MockBehavior behavior;
  return behavior;
}

const KernelSet& MockKernels() {
  static constexpr std::array kKernels = {MockOf(BuiltinOperator::kAbs), MockOf(BuiltinOperator::kAdd),
                                          MockOf(BuiltinOperator::kConcatenation)};
  static const KernelSet set{"mock", kKernels, nullptr};
  return set;
}

}  // namespace arenaproof::testing

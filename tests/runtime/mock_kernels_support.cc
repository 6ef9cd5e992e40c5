#include "mock_kernels_support.h"

#include <array>
#include <cstring>

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

void BehaveLikeARichKernel() {
  Mock().init = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(20, &block));
    std::memset(block, 1, 20);
    context.op_data = block;
    return Ok();
  };
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::byte* temporary = nullptr;
    std::byte* block = nullptr;
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocateTemporary(200, 16, &temporary));
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(33, &block));
    std::memset(temporary, 2, 200);
    std::memset(block, 3, 33);
    for (int i = 0; i < 15; ++i) ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(7));
    return context.services->FreeTemporary(temporary);
  };
  Mock().invoke = [](const InvokeContext& context) {
    for (std::byte* const scratch : context.scratch) std::memset(scratch, 4, 7);
    std::memcpy(context.outputs[0].data, context.inputs[0].data, context.outputs[0].bytes);
    return Ok();
  };
}

const KernelSet& MockKernels() {
  static constexpr std::array kKernels = {MockOf(BuiltinOperator::kAbs), MockOf(BuiltinOperator::kAdd),
                                          MockOf(BuiltinOperator::kConcatenation)};
  static const KernelSet set{"mock", kKernels, nullptr};
  return set;
}

}  // namespace arenaproof::testing

#include "props/reports/over_allocating_kernels.h"

#include <algorithm>
#include <array>

#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

const Kernel& Original(BuiltinOperator op) {
  const std::span<const Kernel> kernels = ReferenceKernels().kernels;
  return *std::find_if(kernels.begin(), kernels.end(), [op](const Kernel& kernel) { return kernel.op == op; });
}

template <BuiltinOperator kOp>
Status PrepareHungrily(PrepareContext& context) {
  PrepareServices& services = *context.services;
  const std::int32_t output = context.outputs[0].tensor_index;
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(services.AllocatePersistent(AdditionalPersistentBytes(output), &block));
  if (TemporaryBytes(output) == 0) return Original(kOp).prepare(context);
  std::byte* first = nullptr;
  std::byte* second = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(services.AllocateTemporary(TemporaryBytes(output) - 32, 16, &first));
  ARENAPROOF_RETURN_IF_ERROR(services.AllocateTemporary(32, 16, &second));
  ARENAPROOF_RETURN_IF_ERROR(services.FreeTemporary(first));
  ARENAPROOF_RETURN_IF_ERROR(services.FreeTemporary(second));
  return Original(kOp).prepare(context);
}

template <BuiltinOperator kOp>
Kernel OverAllocating() {
  Kernel kernel = Original(kOp);
  kernel.prepare = PrepareHungrily<kOp>;
  return kernel;
}

}  // namespace

const KernelSet& OverAllocatingKernels() {
  using enum BuiltinOperator;
  static const std::array kernels = {
      OverAllocating<kSvdf>(),    OverAllocating<kMean>(),           OverAllocating<kAdd>(),
      OverAllocating<kSoftmax>(), OverAllocating<kFullyConnected>(), OverAllocating<kIf>()};
  static const KernelSet set{.name = "reference", .kernels = kernels, .fallback = &ReferenceKernels()};
  return set;
}

}  // namespace arenaproof::testing

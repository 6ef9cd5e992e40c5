#include "kernels/reference/reference_kernels.h"

#include "kernels/reference/families.h"

namespace arenaproof {
namespace {

using PrepareFunction = Status (*)(PrepareContext&);
using InvokeFunction = Status (*)(const InvokeContext&);

constexpr Kernel Reference(BuiltinOperator op, PrepareFunction prepare, InvokeFunction invoke) {
  return Kernel{.op = op, .name = "reference", .prepare = prepare, .invoke = invoke};
}

constexpr Kernel kKernels[] = {
    Reference(BuiltinOperator::kAveragePool2d, reference::PrepareAveragePool2d, reference::InvokeAveragePool2d),
    Reference(BuiltinOperator::kConv2d, reference::PrepareConv2d, reference::InvokeConv2d),
    Reference(BuiltinOperator::kDepthwiseConv2d, reference::PrepareDepthwiseConv2d, reference::InvokeDepthwiseConv2d),
    Reference(BuiltinOperator::kFullyConnected, reference::PrepareFullyConnected, reference::InvokeFullyConnected),
    Reference(BuiltinOperator::kMaxPool2d, reference::PrepareMaxPool2d, reference::InvokeMaxPool2d),
    Reference(BuiltinOperator::kReshape, reference::PrepareReshape, reference::InvokeReshape),
    Reference(BuiltinOperator::kSoftmax, reference::PrepareSoftmax, reference::InvokeSoftmax),
};

constexpr KernelSet kSet{.name = "reference", .kernels = kKernels};

}  // namespace

const KernelSet& ReferenceKernels() { return kSet; }

}  // namespace arenaproof

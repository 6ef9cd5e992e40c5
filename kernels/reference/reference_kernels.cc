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
    Reference(BuiltinOperator::kAdd, reference::PrepareAdd, reference::InvokeAdd),
    Reference(BuiltinOperator::kAssignVariable, reference::PrepareAssignVariable, reference::InvokeAssignVariable),
    Reference(BuiltinOperator::kAveragePool2d, reference::PrepareAveragePool2d, reference::InvokeAveragePool2d),
    Reference(BuiltinOperator::kBatchMatmul, reference::PrepareBatchMatmul, reference::InvokeBatchMatmul),
    Reference(BuiltinOperator::kCallOnce, reference::PrepareCallOnce, reference::InvokeCallOnce),
    Reference(BuiltinOperator::kConcatenation, reference::PrepareConcatenation, reference::InvokeConcatenation),
    Reference(BuiltinOperator::kConv2d, reference::PrepareConv2d, reference::InvokeConv2d),
    Reference(BuiltinOperator::kDepthwiseConv2d, reference::PrepareDepthwiseConv2d, reference::InvokeDepthwiseConv2d),
    Reference(BuiltinOperator::kDequantize, reference::PrepareDequantize, reference::InvokeDequantize),
    Reference(BuiltinOperator::kEqual, reference::PrepareEquality, reference::InvokeEqual),
    Reference(BuiltinOperator::kFullyConnected, reference::PrepareFullyConnected, reference::InvokeFullyConnected),
    Reference(BuiltinOperator::kGreater, reference::PrepareOrdering, reference::InvokeGreater),
    Reference(BuiltinOperator::kGreaterEqual, reference::PrepareOrdering, reference::InvokeGreaterEqual),
    Reference(BuiltinOperator::kIf, reference::PrepareIf, reference::InvokeIf),
    Reference(BuiltinOperator::kLess, reference::PrepareOrdering, reference::InvokeLess),
    Reference(BuiltinOperator::kLessEqual, reference::PrepareOrdering, reference::InvokeLessEqual),
    Reference(BuiltinOperator::kLogistic, reference::PrepareLogistic, reference::InvokeLogistic),
    Reference(BuiltinOperator::kMaxPool2d, reference::PrepareMaxPool2d, reference::InvokeMaxPool2d),
    Reference(BuiltinOperator::kMean, reference::PrepareMean, reference::InvokeMean),
    Reference(BuiltinOperator::kMul, reference::PrepareMul, reference::InvokeMul),
    Reference(BuiltinOperator::kNotEqual, reference::PrepareEquality, reference::InvokeNotEqual),
    Reference(BuiltinOperator::kPad, reference::PreparePad, reference::InvokePad),
    Reference(BuiltinOperator::kPadv2, reference::PreparePadV2, reference::InvokePad),
    Reference(BuiltinOperator::kQuantize, reference::PrepareQuantize, reference::InvokeQuantize),
    Reference(BuiltinOperator::kReadVariable, reference::PrepareReadVariable, reference::InvokeReadVariable),
    Reference(BuiltinOperator::kRelu, reference::PrepareRelu, reference::InvokeRelu),
    Reference(BuiltinOperator::kRelu6, reference::PrepareRelu6, reference::InvokeRelu6),
    Reference(BuiltinOperator::kReshape, reference::PrepareReshape, reference::InvokeReshape),
    Reference(BuiltinOperator::kSoftmax, reference::PrepareSoftmax, reference::InvokeSoftmax),
    Reference(BuiltinOperator::kSub, reference::PrepareSub, reference::InvokeSub),
    Reference(BuiltinOperator::kSvdf, reference::PrepareSvdf, reference::InvokeSvdf),
    Reference(BuiltinOperator::kTanh, reference::PrepareTanh, reference::InvokeTanh),
    Reference(BuiltinOperator::kTransposeConv, reference::PrepareTransposeConv, reference::InvokeTransposeConv),
    Reference(BuiltinOperator::kVarHandle, reference::PrepareVarHandle, reference::InvokeVarHandle),
    Reference(BuiltinOperator::kWhile, reference::PrepareWhile, reference::InvokeWhile),
};

constexpr KernelSet kSet{.name = "reference", .kernels = kKernels};

}  // namespace

const KernelSet& ReferenceKernels() { return kSet; }

}  // namespace arenaproof

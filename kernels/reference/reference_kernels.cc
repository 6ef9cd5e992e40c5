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
    Reference(BuiltinOperator::kAbs, reference::PrepareAbs, reference::InvokeAbs),
    Reference(BuiltinOperator::kAdd, reference::PrepareAdd, reference::InvokeAdd),
    Reference(BuiltinOperator::kAddN, reference::PrepareAddN, reference::InvokeAddN),
    Reference(BuiltinOperator::kArgMax, reference::PrepareArgMax, reference::InvokeArgMax),
    Reference(BuiltinOperator::kArgMin, reference::PrepareArgMax, reference::InvokeArgMin),
    Reference(BuiltinOperator::kAssignVariable, reference::PrepareAssignVariable, reference::InvokeAssignVariable),
    Reference(BuiltinOperator::kAveragePool2d, reference::PrepareAveragePool2d, reference::InvokeAveragePool2d),
    Reference(BuiltinOperator::kBatchMatmul, reference::PrepareBatchMatmul, reference::InvokeBatchMatmul),
    Reference(BuiltinOperator::kCallOnce, reference::PrepareCallOnce, reference::InvokeCallOnce),
    Reference(BuiltinOperator::kCast, reference::PrepareCast, reference::InvokeCast),
    Reference(BuiltinOperator::kCeil, reference::PrepareElementwise, reference::InvokeCeil),
    Reference(BuiltinOperator::kConcatenation, reference::PrepareConcatenation, reference::InvokeConcatenation),
    Reference(BuiltinOperator::kConv2d, reference::PrepareConv2d, reference::InvokeConv2d),
    Reference(BuiltinOperator::kCos, reference::PrepareElementwise, reference::InvokeCos),
    Reference(BuiltinOperator::kCumsum, reference::PrepareCumsum, reference::InvokeCumsum),
    Reference(BuiltinOperator::kDepthwiseConv2d, reference::PrepareDepthwiseConv2d, reference::InvokeDepthwiseConv2d),
    Reference(BuiltinOperator::kDequantize, reference::PrepareDequantize, reference::InvokeDequantize),
    Reference(BuiltinOperator::kDiv, reference::PrepareDiv, reference::InvokeDiv),
    Reference(BuiltinOperator::kElu, reference::PrepareElu, reference::InvokeElu),
    Reference(BuiltinOperator::kEqual, reference::PrepareEquality, reference::InvokeEqual),
    Reference(BuiltinOperator::kExp, reference::PrepareElementwise, reference::InvokeExp),
    Reference(BuiltinOperator::kFloor, reference::PrepareElementwise, reference::InvokeFloor),
    Reference(BuiltinOperator::kFloorDiv, reference::PrepareFloorDiv, reference::InvokeFloorDiv),
    Reference(BuiltinOperator::kFloorMod, reference::PrepareFloorDiv, reference::InvokeFloorMod),
    Reference(BuiltinOperator::kFullyConnected, reference::PrepareFullyConnected, reference::InvokeFullyConnected),
    Reference(BuiltinOperator::kGreater, reference::PrepareOrdering, reference::InvokeGreater),
    Reference(BuiltinOperator::kGreaterEqual, reference::PrepareOrdering, reference::InvokeGreaterEqual),
    Reference(BuiltinOperator::kHardSwish, reference::PrepareHardSwish, reference::InvokeHardSwish),
    Reference(BuiltinOperator::kIf, reference::PrepareIf, reference::InvokeIf),
    Reference(BuiltinOperator::kL2Normalization, reference::PrepareL2Normalization, reference::InvokeL2Normalization),
    Reference(BuiltinOperator::kL2Pool2d, reference::PrepareL2Pool2d, reference::InvokeL2Pool2d),
    Reference(BuiltinOperator::kLeakyRelu, reference::PrepareLeakyRelu, reference::InvokeLeakyRelu),
    Reference(BuiltinOperator::kLess, reference::PrepareOrdering, reference::InvokeLess),
    Reference(BuiltinOperator::kLessEqual, reference::PrepareOrdering, reference::InvokeLessEqual),
    Reference(BuiltinOperator::kLog, reference::PrepareElementwise, reference::InvokeLog),
    Reference(BuiltinOperator::kLogicalAnd, reference::PrepareLogical, reference::InvokeLogicalAnd),
    Reference(BuiltinOperator::kLogicalNot, reference::PrepareLogicalNot, reference::InvokeLogicalNot),
    Reference(BuiltinOperator::kLogicalOr, reference::PrepareLogical, reference::InvokeLogicalOr),
    Reference(BuiltinOperator::kLogistic, reference::PrepareLogistic, reference::InvokeLogistic),
    Reference(BuiltinOperator::kLogSoftmax, reference::PrepareLogSoftmax, reference::InvokeLogSoftmax),
    Reference(BuiltinOperator::kMaximum, reference::PrepareMaximum, reference::InvokeMaximum),
    Reference(BuiltinOperator::kMaxPool2d, reference::PrepareMaxPool2d, reference::InvokeMaxPool2d),
    Reference(BuiltinOperator::kMean, reference::PrepareMean, reference::InvokeMean),
    Reference(BuiltinOperator::kMinimum, reference::PrepareMaximum, reference::InvokeMinimum),
    Reference(BuiltinOperator::kMul, reference::PrepareMul, reference::InvokeMul),
    Reference(BuiltinOperator::kNeg, reference::PrepareElementwise, reference::InvokeNeg),
    Reference(BuiltinOperator::kNotEqual, reference::PrepareEquality, reference::InvokeNotEqual),
    Reference(BuiltinOperator::kPad, reference::PreparePad, reference::InvokePad),
    Reference(BuiltinOperator::kPadv2, reference::PreparePadV2, reference::InvokePad),
    Reference(BuiltinOperator::kPrelu, reference::PreparePrelu, reference::InvokePrelu),
    Reference(BuiltinOperator::kQuantize, reference::PrepareQuantize, reference::InvokeQuantize),
    Reference(BuiltinOperator::kReadVariable, reference::PrepareReadVariable, reference::InvokeReadVariable),
    Reference(BuiltinOperator::kReduceAll, reference::PrepareReduceAll, reference::InvokeReduceAll),
    Reference(BuiltinOperator::kReduceMax, reference::PrepareReduceMax, reference::InvokeReduceMax),
    Reference(BuiltinOperator::kReduceMin, reference::PrepareReduceMax, reference::InvokeReduceMin),
    Reference(BuiltinOperator::kRelu, reference::PrepareRelu, reference::InvokeRelu),
    Reference(BuiltinOperator::kRelu6, reference::PrepareRelu6, reference::InvokeRelu6),
    Reference(BuiltinOperator::kReshape, reference::PrepareReshape, reference::InvokeReshape),
    Reference(BuiltinOperator::kRound, reference::PrepareElementwise, reference::InvokeRound),
    Reference(BuiltinOperator::kRsqrt, reference::PrepareRsqrt, reference::InvokeRsqrt),
    Reference(BuiltinOperator::kSelectV2, reference::PrepareSelectV2, reference::InvokeSelectV2),
    Reference(BuiltinOperator::kSin, reference::PrepareElementwise, reference::InvokeSin),
    Reference(BuiltinOperator::kSoftmax, reference::PrepareSoftmax, reference::InvokeSoftmax),
    Reference(BuiltinOperator::kSqrt, reference::PrepareElementwise, reference::InvokeSqrt),
    Reference(BuiltinOperator::kSquare, reference::PrepareElementwise, reference::InvokeSquare),
    Reference(BuiltinOperator::kSquaredDifference, reference::PrepareSquaredDifference,
              reference::InvokeSquaredDifference),
    Reference(BuiltinOperator::kSub, reference::PrepareSub, reference::InvokeSub),
    Reference(BuiltinOperator::kSum, reference::PrepareSum, reference::InvokeSum),
    Reference(BuiltinOperator::kSvdf, reference::PrepareSvdf, reference::InvokeSvdf),
    Reference(BuiltinOperator::kTanh, reference::PrepareTanh, reference::InvokeTanh),
    Reference(BuiltinOperator::kTransposeConv, reference::PrepareTransposeConv, reference::InvokeTransposeConv),
    Reference(BuiltinOperator::kUnidirectionalSequenceLstm, reference::PrepareUnidirectionalSequenceLstm,
              reference::InvokeUnidirectionalSequenceLstm),
    Reference(BuiltinOperator::kVarHandle, reference::PrepareVarHandle, reference::InvokeVarHandle),
    Reference(BuiltinOperator::kWhile, reference::PrepareWhile, reference::InvokeWhile),
};

constexpr KernelSet kSet{.name = "reference", .kernels = kKernels};

}  // namespace

const KernelSet& ReferenceKernels() { return kSet; }

}  // namespace arenaproof

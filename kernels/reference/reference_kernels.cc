#include "kernels/reference/reference_kernels.h"

#include "core/base/in_place.h"
#include "kernels/reference/families.h"

namespace arenaproof {
namespace {

using PrepareFunction = Status (*)(PrepareContext&);
using InvokeFunction = Status (*)(const InvokeContext&);

// Element by element: each is read before it is written, and not again (core/base/in_place.h). An input with as many
// bytes as the output has as many elements, too, and is not repeated: so not where types of other widths meet shapes
// that are broadcast, as in comparisons.
constexpr unsigned kUnary = kSharesInput0;
constexpr unsigned kBinary = kSharesInput0 | kSharesInput1;
constexpr unsigned kFirstThree = kBinary | kSharesInput2;
constexpr unsigned kValues = kSharesInput1 | kSharesInput2;  // of a selection, whose first input is the condition
constexpr unsigned kSameBytes = kSharesInput0 | kLeavesDataUnmodified;

constexpr Kernel Reference(BuiltinOperator op, PrepareFunction prepare, InvokeFunction invoke,
                           unsigned sharing = kSharesNothing) {
  return Kernel{.op = op, .name = "reference", .prepare = prepare, .invoke = invoke, .sharing = sharing};
}

constexpr Kernel kKernels[] = {
    Reference(BuiltinOperator::kAbs, reference::PrepareAbs, reference::InvokeAbs, kUnary),
    Reference(BuiltinOperator::kAdd, reference::PrepareAdd, reference::InvokeAdd, kBinary),
    Reference(BuiltinOperator::kAddN, reference::PrepareAddN, reference::InvokeAddN, kFirstThree),
    Reference(BuiltinOperator::kArgMax, reference::PrepareArgMax, reference::InvokeArgMax),
    Reference(BuiltinOperator::kArgMin, reference::PrepareArgMax, reference::InvokeArgMin),
    Reference(BuiltinOperator::kAssignVariable, reference::PrepareAssignVariable, reference::InvokeAssignVariable),
    Reference(BuiltinOperator::kAveragePool2d, reference::PrepareAveragePool2d, reference::InvokeAveragePool2d),
    Reference(BuiltinOperator::kBatchMatmul, reference::PrepareBatchMatmul, reference::InvokeBatchMatmul),
    Reference(BuiltinOperator::kBatchToSpaceNd, reference::PrepareBatchToSpaceNd, reference::InvokeBatchToSpaceNd),
    Reference(BuiltinOperator::kBroadcastArgs, reference::PrepareBroadcastArgs, reference::InvokeBroadcastArgs),
    Reference(BuiltinOperator::kBroadcastTo, reference::PrepareBroadcastTo, reference::InvokeBroadcastTo),
    Reference(BuiltinOperator::kCallOnce, reference::PrepareCallOnce, reference::InvokeCallOnce),
    Reference(BuiltinOperator::kCast, reference::PrepareCast, reference::InvokeCast, kUnary),
    Reference(BuiltinOperator::kCeil, reference::PrepareElementwise, reference::InvokeCeil, kUnary),
    Reference(BuiltinOperator::kConcatenation, reference::PrepareConcatenation, reference::InvokeConcatenation),
    Reference(BuiltinOperator::kConv2d, reference::PrepareConv2d, reference::InvokeConv2d),
    Reference(BuiltinOperator::kCos, reference::PrepareElementwise, reference::InvokeCos, kUnary),
    Reference(BuiltinOperator::kCumsum, reference::PrepareCumsum, reference::InvokeCumsum),
    Reference(BuiltinOperator::kDepthToSpace, reference::PrepareDepthToSpace, reference::InvokeDepthToSpace),
    Reference(BuiltinOperator::kDepthwiseConv2d, reference::PrepareDepthwiseConv2d, reference::InvokeDepthwiseConv2d),
    Reference(BuiltinOperator::kDequantize, reference::PrepareDequantize, reference::InvokeDequantize),
    Reference(BuiltinOperator::kDiv, reference::PrepareDiv, reference::InvokeDiv, kBinary),
    Reference(BuiltinOperator::kDynamicUpdateSlice, reference::PrepareDynamicUpdateSlice,
              reference::InvokeDynamicUpdateSlice, kUnary),
    Reference(BuiltinOperator::kElu, reference::PrepareElu, reference::InvokeElu, kUnary),
    Reference(BuiltinOperator::kEmbeddingLookup, reference::PrepareEmbeddingLookup, reference::InvokeEmbeddingLookup),
    Reference(BuiltinOperator::kEqual, reference::PrepareEquality, reference::InvokeEqual),
    Reference(BuiltinOperator::kExp, reference::PrepareElementwise, reference::InvokeExp, kUnary),
    Reference(BuiltinOperator::kExpandDims, reference::PrepareExpandDims, reference::InvokeReshape, kSameBytes),
    Reference(BuiltinOperator::kFill, reference::PrepareFill, reference::InvokeFill),
    Reference(BuiltinOperator::kFloor, reference::PrepareElementwise, reference::InvokeFloor, kUnary),
    Reference(BuiltinOperator::kFloorDiv, reference::PrepareFloorDiv, reference::InvokeFloorDiv, kBinary),
    Reference(BuiltinOperator::kFloorMod, reference::PrepareFloorDiv, reference::InvokeFloorMod, kBinary),
    Reference(BuiltinOperator::kFullyConnected, reference::PrepareFullyConnected, reference::InvokeFullyConnected),
    Reference(BuiltinOperator::kGather, reference::PrepareGather, reference::InvokeGather),
    Reference(BuiltinOperator::kGatherNd, reference::PrepareGatherNd, reference::InvokeGatherNd),
    Reference(BuiltinOperator::kGreater, reference::PrepareOrdering, reference::InvokeGreater),
    Reference(BuiltinOperator::kGreaterEqual, reference::PrepareOrdering, reference::InvokeGreaterEqual),
    Reference(BuiltinOperator::kHardSwish, reference::PrepareHardSwish, reference::InvokeHardSwish, kUnary),
    Reference(BuiltinOperator::kIf, reference::PrepareIf, reference::InvokeIf),
    Reference(BuiltinOperator::kL2Normalization, reference::PrepareL2Normalization, reference::InvokeL2Normalization),
    Reference(BuiltinOperator::kL2Pool2d, reference::PrepareL2Pool2d, reference::InvokeL2Pool2d),
    Reference(BuiltinOperator::kLeakyRelu, reference::PrepareLeakyRelu, reference::InvokeLeakyRelu, kUnary),
    Reference(BuiltinOperator::kLess, reference::PrepareOrdering, reference::InvokeLess),
    Reference(BuiltinOperator::kLessEqual, reference::PrepareOrdering, reference::InvokeLessEqual),
    Reference(BuiltinOperator::kLog, reference::PrepareElementwise, reference::InvokeLog, kUnary),
    Reference(BuiltinOperator::kLogicalAnd, reference::PrepareLogical, reference::InvokeLogicalAnd, kBinary),
    Reference(BuiltinOperator::kLogicalNot, reference::PrepareLogicalNot, reference::InvokeLogicalNot, kUnary),
    Reference(BuiltinOperator::kLogicalOr, reference::PrepareLogical, reference::InvokeLogicalOr, kBinary),
    Reference(BuiltinOperator::kLogistic, reference::PrepareLogistic, reference::InvokeLogistic, kUnary),
    Reference(BuiltinOperator::kLogSoftmax, reference::PrepareLogSoftmax, reference::InvokeLogSoftmax),
    Reference(BuiltinOperator::kMaximum, reference::PrepareMaximum, reference::InvokeMaximum, kBinary),
    Reference(BuiltinOperator::kMaxPool2d, reference::PrepareMaxPool2d, reference::InvokeMaxPool2d),
    Reference(BuiltinOperator::kMean, reference::PrepareMean, reference::InvokeMean),
    Reference(BuiltinOperator::kMinimum, reference::PrepareMaximum, reference::InvokeMinimum, kBinary),
    Reference(BuiltinOperator::kMirrorPad, reference::PrepareMirrorPad, reference::InvokeMirrorPad),
    Reference(BuiltinOperator::kMul, reference::PrepareMul, reference::InvokeMul, kBinary),
    Reference(BuiltinOperator::kNeg, reference::PrepareElementwise, reference::InvokeNeg, kUnary),
    Reference(BuiltinOperator::kNotEqual, reference::PrepareEquality, reference::InvokeNotEqual),
    Reference(BuiltinOperator::kPack, reference::PreparePack, reference::InvokePack),
    Reference(BuiltinOperator::kPad, reference::PreparePad, reference::InvokePad),
    Reference(BuiltinOperator::kPadv2, reference::PreparePadV2, reference::InvokePad),
    Reference(BuiltinOperator::kPrelu, reference::PreparePrelu, reference::InvokePrelu, kBinary),
    Reference(BuiltinOperator::kQuantize, reference::PrepareQuantize, reference::InvokeQuantize, kUnary),
    Reference(BuiltinOperator::kReadVariable, reference::PrepareReadVariable, reference::InvokeReadVariable),
    Reference(BuiltinOperator::kReduceAll, reference::PrepareReduceAll, reference::InvokeReduceAll),
    Reference(BuiltinOperator::kReduceMax, reference::PrepareReduceMax, reference::InvokeReduceMax),
    Reference(BuiltinOperator::kReduceMin, reference::PrepareReduceMax, reference::InvokeReduceMin),
    Reference(BuiltinOperator::kRelu, reference::PrepareRelu, reference::InvokeRelu, kUnary),
    Reference(BuiltinOperator::kRelu6, reference::PrepareRelu6, reference::InvokeRelu6, kUnary),
    Reference(BuiltinOperator::kReshape, reference::PrepareReshape, reference::InvokeReshape, kSameBytes),
    Reference(BuiltinOperator::kResizeBilinear, reference::PrepareResizeBilinear, reference::InvokeResizeBilinear),
    Reference(BuiltinOperator::kResizeNearestNeighbor, reference::PrepareResizeNearestNeighbor,
              reference::InvokeResizeNearestNeighbor),
    Reference(BuiltinOperator::kReverseV2, reference::PrepareReverseV2, reference::InvokeReverseV2),
    Reference(BuiltinOperator::kRound, reference::PrepareElementwise, reference::InvokeRound, kUnary),
    Reference(BuiltinOperator::kRsqrt, reference::PrepareRsqrt, reference::InvokeRsqrt, kUnary),
    Reference(BuiltinOperator::kSelectV2, reference::PrepareSelectV2, reference::InvokeSelectV2, kValues),
    Reference(BuiltinOperator::kShape, reference::PrepareShape, reference::InvokeShape),
    Reference(BuiltinOperator::kSin, reference::PrepareElementwise, reference::InvokeSin, kUnary),
    Reference(BuiltinOperator::kSlice, reference::PrepareSlice, reference::InvokeSlice),
    Reference(BuiltinOperator::kSoftmax, reference::PrepareSoftmax, reference::InvokeSoftmax),
    Reference(BuiltinOperator::kSpaceToBatchNd, reference::PrepareSpaceToBatchNd, reference::InvokeSpaceToBatchNd),
    Reference(BuiltinOperator::kSpaceToDepth, reference::PrepareSpaceToDepth, reference::InvokeSpaceToDepth),
    Reference(BuiltinOperator::kSplit, reference::PrepareSplit, reference::InvokeSplit),
    Reference(BuiltinOperator::kSplitV, reference::PrepareSplitV, reference::InvokeSplitV),
    Reference(BuiltinOperator::kSqrt, reference::PrepareElementwise, reference::InvokeSqrt, kUnary),
    Reference(BuiltinOperator::kSquare, reference::PrepareElementwise, reference::InvokeSquare, kUnary),
    Reference(BuiltinOperator::kSquaredDifference, reference::PrepareSquaredDifference,
              reference::InvokeSquaredDifference, kBinary),
    Reference(BuiltinOperator::kSqueeze, reference::PrepareSqueeze, reference::InvokeReshape, kSameBytes),
    Reference(BuiltinOperator::kStridedSlice, reference::PrepareStridedSlice, reference::InvokeStridedSlice),
    Reference(BuiltinOperator::kSub, reference::PrepareSub, reference::InvokeSub, kBinary),
    Reference(BuiltinOperator::kSum, reference::PrepareSum, reference::InvokeSum),
    Reference(BuiltinOperator::kSvdf, reference::PrepareSvdf, reference::InvokeSvdf),
    Reference(BuiltinOperator::kTanh, reference::PrepareTanh, reference::InvokeTanh, kUnary),
    Reference(BuiltinOperator::kTranspose, reference::PrepareTranspose, reference::InvokeTranspose),
    Reference(BuiltinOperator::kTransposeConv, reference::PrepareTransposeConv, reference::InvokeTransposeConv),
    Reference(BuiltinOperator::kUnidirectionalSequenceLstm, reference::PrepareUnidirectionalSequenceLstm,
              reference::InvokeUnidirectionalSequenceLstm),
    Reference(BuiltinOperator::kUnpack, reference::PrepareUnpack, reference::InvokeUnpack),
    Reference(BuiltinOperator::kVarHandle, reference::PrepareVarHandle, reference::InvokeVarHandle),
    Reference(BuiltinOperator::kWhile, reference::PrepareWhile, reference::InvokeWhile),
    Reference(BuiltinOperator::kZerosLike, reference::PrepareZerosLike, reference::InvokeZerosLike),
};

constexpr KernelSet kSet{.name = "reference", .kernels = kKernels};

}  // namespace

const KernelSet& ReferenceKernels() { return kSet; }

}  // namespace arenaproof

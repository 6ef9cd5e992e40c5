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
    Reference(BuiltinOperator::kBatchToSpaceNd, reference::PrepareBatchToSpaceNd, reference::InvokeBatchToSpaceNd),
    Reference(BuiltinOperator::kBroadcastArgs, reference::PrepareBroadcastArgs, reference::InvokeBroadcastArgs),
    Reference(BuiltinOperator::kBroadcastTo, reference::PrepareBroadcastTo, reference::InvokeBroadcastTo),
    Reference(BuiltinOperator::kCallOnce, reference::PrepareCallOnce, reference::InvokeCallOnce),
    Reference(BuiltinOperator::kConcatenation, reference::PrepareConcatenation, reference::InvokeConcatenation),
    Reference(BuiltinOperator::kConv2d, reference::PrepareConv2d, reference::InvokeConv2d),
    Reference(BuiltinOperator::kDepthToSpace, reference::PrepareDepthToSpace, reference::InvokeDepthToSpace),
    Reference(BuiltinOperator::kDepthwiseConv2d, reference::PrepareDepthwiseConv2d, reference::InvokeDepthwiseConv2d),
    Reference(BuiltinOperator::kDequantize, reference::PrepareDequantize, reference::InvokeDequantize),
    Reference(BuiltinOperator::kDynamicUpdateSlice, reference::PrepareDynamicUpdateSlice,
              reference::InvokeDynamicUpdateSlice),
    Reference(BuiltinOperator::kEmbeddingLookup, reference::PrepareEmbeddingLookup, reference::InvokeEmbeddingLookup),
    Reference(BuiltinOperator::kEqual, reference::PrepareEquality, reference::InvokeEqual),
    Reference(BuiltinOperator::kExpandDims, reference::PrepareExpandDims, reference::InvokeReshape),
    Reference(BuiltinOperator::kFill, reference::PrepareFill, reference::InvokeFill),
    Reference(BuiltinOperator::kFullyConnected, reference::PrepareFullyConnected, reference::InvokeFullyConnected),
    Reference(BuiltinOperator::kGather, reference::PrepareGather, reference::InvokeGather),
    Reference(BuiltinOperator::kGatherNd, reference::PrepareGatherNd, reference::InvokeGatherNd),
    Reference(BuiltinOperator::kGreater, reference::PrepareOrdering, reference::InvokeGreater),
    Reference(BuiltinOperator::kGreaterEqual, reference::PrepareOrdering, reference::InvokeGreaterEqual),
    Reference(BuiltinOperator::kIf, reference::PrepareIf, reference::InvokeIf),
    Reference(BuiltinOperator::kLess, reference::PrepareOrdering, reference::InvokeLess),
    Reference(BuiltinOperator::kLessEqual, reference::PrepareOrdering, reference::InvokeLessEqual),
    Reference(BuiltinOperator::kLogistic, reference::PrepareLogistic, reference::InvokeLogistic),
    Reference(BuiltinOperator::kMaxPool2d, reference::PrepareMaxPool2d, reference::InvokeMaxPool2d),
    Reference(BuiltinOperator::kMean, reference::PrepareMean, reference::InvokeMean),
    Reference(BuiltinOperator::kMirrorPad, reference::PrepareMirrorPad, reference::InvokeMirrorPad),
    Reference(BuiltinOperator::kMul, reference::PrepareMul, reference::InvokeMul),
    Reference(BuiltinOperator::kNotEqual, reference::PrepareEquality, reference::InvokeNotEqual),
    Reference(BuiltinOperator::kPack, reference::PreparePack, reference::InvokePack),
    Reference(BuiltinOperator::kPad, reference::PreparePad, reference::InvokePad),
    Reference(BuiltinOperator::kPadv2, reference::PreparePadV2, reference::InvokePad),
    Reference(BuiltinOperator::kQuantize, reference::PrepareQuantize, reference::InvokeQuantize),
    Reference(BuiltinOperator::kReadVariable, reference::PrepareReadVariable, reference::InvokeReadVariable),
    Reference(BuiltinOperator::kRelu, reference::PrepareRelu, reference::InvokeRelu),
    Reference(BuiltinOperator::kRelu6, reference::PrepareRelu6, reference::InvokeRelu6),
    Reference(BuiltinOperator::kReshape, reference::PrepareReshape, reference::InvokeReshape),
    Reference(BuiltinOperator::kResizeBilinear, reference::PrepareResizeBilinear, reference::InvokeResizeBilinear),
    Reference(BuiltinOperator::kResizeNearestNeighbor, reference::PrepareResizeNearestNeighbor,
              reference::InvokeResizeNearestNeighbor),
    Reference(BuiltinOperator::kReverseV2, reference::PrepareReverseV2, reference::InvokeReverseV2),
    Reference(BuiltinOperator::kShape, reference::PrepareShape, reference::InvokeShape),
    Reference(BuiltinOperator::kSlice, reference::PrepareSlice, reference::InvokeSlice),
    Reference(BuiltinOperator::kSoftmax, reference::PrepareSoftmax, reference::InvokeSoftmax),
    Reference(BuiltinOperator::kSpaceToBatchNd, reference::PrepareSpaceToBatchNd, reference::InvokeSpaceToBatchNd),
    Reference(BuiltinOperator::kSpaceToDepth, reference::PrepareSpaceToDepth, reference::InvokeSpaceToDepth),
    Reference(BuiltinOperator::kSplit, reference::PrepareSplit, reference::InvokeSplit),
    Reference(BuiltinOperator::kSplitV, reference::PrepareSplitV, reference::InvokeSplitV),
    Reference(BuiltinOperator::kSqueeze, reference::PrepareSqueeze, reference::InvokeReshape),
    Reference(BuiltinOperator::kStridedSlice, reference::PrepareStridedSlice, reference::InvokeStridedSlice),
    Reference(BuiltinOperator::kSvdf, reference::PrepareSvdf, reference::InvokeSvdf),
    Reference(BuiltinOperator::kTanh, reference::PrepareTanh, reference::InvokeTanh),
    Reference(BuiltinOperator::kTranspose, reference::PrepareTranspose, reference::InvokeTranspose),
    Reference(BuiltinOperator::kUnpack, reference::PrepareUnpack, reference::InvokeUnpack),
    Reference(BuiltinOperator::kVarHandle, reference::PrepareVarHandle, reference::InvokeVarHandle),
    Reference(BuiltinOperator::kWhile, reference::PrepareWhile, reference::InvokeWhile),
    Reference(BuiltinOperator::kZerosLike, reference::PrepareZerosLike, reference::InvokeZerosLike),
};

constexpr KernelSet kSet{.name = "reference", .kernels = kKernels};

}  // namespace

const KernelSet& ReferenceKernels() { return kSet; }

}  // namespace arenaproof

// The reference kernels' entry points, one pair for each operator; reference_kernels.cc lists them in the kernel set.
// Their behaviour is that of TensorFlow Lite Micro's reference kernels, to the bit, except that whatever those leave
// unchecked is refused in prepare. A file is one operator family.
#pragma once

#include "core/base/status.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::reference {

Status PrepareAbs(PrepareContext& context);
Status InvokeAbs(const InvokeContext& context);
Status PrepareAdd(PrepareContext& context);
Status InvokeAdd(const InvokeContext& context);
Status PrepareAddN(PrepareContext& context);
Status InvokeAddN(const InvokeContext& context);
Status PrepareArgMax(PrepareContext& context);  // ARG_MAX, ARG_MIN
Status InvokeArgMax(const InvokeContext& context);
Status InvokeArgMin(const InvokeContext& context);
Status PrepareAssignVariable(PrepareContext& context);
Status InvokeAssignVariable(const InvokeContext& context);
Status PrepareAveragePool2d(PrepareContext& context);
Status InvokeAveragePool2d(const InvokeContext& context);
Status PrepareBatchMatmul(PrepareContext& context);
Status InvokeBatchMatmul(const InvokeContext& context);
Status PrepareBatchToSpaceNd(PrepareContext& context);
Status InvokeBatchToSpaceNd(const InvokeContext& context);
Status PrepareBroadcastArgs(PrepareContext& context);
Status InvokeBroadcastArgs(const InvokeContext& context);
Status PrepareBroadcastTo(PrepareContext& context);
Status InvokeBroadcastTo(const InvokeContext& context);
Status PrepareCallOnce(PrepareContext& context);
Status InvokeCallOnce(const InvokeContext& context);
Status PrepareCast(PrepareContext& context);
Status InvokeCast(const InvokeContext& context);
Status PrepareConcatenation(PrepareContext& context);
Status InvokeConcatenation(const InvokeContext& context);
Status PrepareConv2d(PrepareContext& context);
Status InvokeConv2d(const InvokeContext& context);
Status PrepareCumsum(PrepareContext& context);
Status InvokeCumsum(const InvokeContext& context);
Status PrepareDepthToSpace(PrepareContext& context);
Status InvokeDepthToSpace(const InvokeContext& context);
Status PrepareDepthwiseConv2d(PrepareContext& context);
Status InvokeDepthwiseConv2d(const InvokeContext& context);
Status PrepareDequantize(PrepareContext& context);
Status InvokeDequantize(const InvokeContext& context);
Status PrepareDiv(PrepareContext& context);
Status InvokeDiv(const InvokeContext& context);
Status PrepareElementwise(PrepareContext& context);  // the next ten
Status InvokeExp(const InvokeContext& context);
Status InvokeLog(const InvokeContext& context);
Status InvokeSin(const InvokeContext& context);
Status InvokeCos(const InvokeContext& context);
Status InvokeCeil(const InvokeContext& context);
Status InvokeFloor(const InvokeContext& context);
Status InvokeRound(const InvokeContext& context);
Status InvokeNeg(const InvokeContext& context);
Status InvokeSqrt(const InvokeContext& context);
Status InvokeSquare(const InvokeContext& context);
Status PrepareElu(PrepareContext& context);
Status InvokeElu(const InvokeContext& context);
Status PrepareDynamicUpdateSlice(PrepareContext& context);
Status InvokeDynamicUpdateSlice(const InvokeContext& context);
Status PrepareEmbeddingLookup(PrepareContext& context);
Status InvokeEmbeddingLookup(const InvokeContext& context);
Status PrepareEquality(PrepareContext& context);  // EQUAL, NOT_EQUAL
Status PrepareOrdering(PrepareContext& context);  // the other four comparisons
Status InvokeEqual(const InvokeContext& context);
Status InvokeNotEqual(const InvokeContext& context);
Status InvokeLess(const InvokeContext& context);
Status InvokeLessEqual(const InvokeContext& context);
Status InvokeGreater(const InvokeContext& context);
Status InvokeGreaterEqual(const InvokeContext& context);
Status PrepareFloorDiv(PrepareContext& context);  // FLOOR_DIV, FLOOR_MOD
Status InvokeFloorDiv(const InvokeContext& context);
Status InvokeFloorMod(const InvokeContext& context);
Status PrepareFullyConnected(PrepareContext& context);
Status InvokeFullyConnected(const InvokeContext& context);
Status PrepareHardSwish(PrepareContext& context);
Status InvokeHardSwish(const InvokeContext& context);
Status PrepareFill(PrepareContext& context);
Status InvokeFill(const InvokeContext& context);
Status PrepareGather(PrepareContext& context);
Status InvokeGather(const InvokeContext& context);
Status PrepareGatherNd(PrepareContext& context);
Status InvokeGatherNd(const InvokeContext& context);
Status PrepareIf(PrepareContext& context);
Status InvokeIf(const InvokeContext& context);
Status PrepareL2Normalization(PrepareContext& context);
Status InvokeL2Normalization(const InvokeContext& context);
Status PrepareL2Pool2d(PrepareContext& context);
Status InvokeL2Pool2d(const InvokeContext& context);
Status PrepareLeakyRelu(PrepareContext& context);
Status InvokeLeakyRelu(const InvokeContext& context);
Status PrepareLogical(PrepareContext& context);  // LOGICAL_AND, LOGICAL_OR
Status InvokeLogicalAnd(const InvokeContext& context);
Status InvokeLogicalOr(const InvokeContext& context);
Status PrepareLogicalNot(PrepareContext& context);
Status InvokeLogicalNot(const InvokeContext& context);
Status PrepareLogistic(PrepareContext& context);
Status InvokeLogistic(const InvokeContext& context);
Status PrepareLogSoftmax(PrepareContext& context);
Status InvokeLogSoftmax(const InvokeContext& context);
Status PrepareMaximum(PrepareContext& context);  // MAXIMUM, MINIMUM
Status InvokeMaximum(const InvokeContext& context);
Status InvokeMinimum(const InvokeContext& context);
Status PrepareMaxPool2d(PrepareContext& context);
Status InvokeMaxPool2d(const InvokeContext& context);
Status PrepareMean(PrepareContext& context);
Status InvokeMean(const InvokeContext& context);
Status PrepareMirrorPad(PrepareContext& context);
Status InvokeMirrorPad(const InvokeContext& context);
Status PrepareMul(PrepareContext& context);
Status InvokeMul(const InvokeContext& context);
Status PreparePack(PrepareContext& context);
Status InvokePack(const InvokeContext& context);
Status PreparePad(PrepareContext& context);
Status PreparePadV2(PrepareContext& context);
Status InvokePad(const InvokeContext& context);
Status PreparePrelu(PrepareContext& context);
Status InvokePrelu(const InvokeContext& context);
Status PrepareQuantize(PrepareContext& context);
Status InvokeQuantize(const InvokeContext& context);
Status PrepareReadVariable(PrepareContext& context);
Status InvokeReadVariable(const InvokeContext& context);
Status PrepareReduceAll(PrepareContext& context);
Status InvokeReduceAll(const InvokeContext& context);
Status PrepareReduceMax(PrepareContext& context);  // REDUCE_MAX, REDUCE_MIN
Status InvokeReduceMax(const InvokeContext& context);
Status InvokeReduceMin(const InvokeContext& context);
Status PrepareRelu(PrepareContext& context);
Status InvokeRelu(const InvokeContext& context);
Status PrepareRelu6(PrepareContext& context);
Status InvokeRelu6(const InvokeContext& context);
Status PrepareReshape(PrepareContext& context);
Status InvokeReshape(const InvokeContext& context);  // EXPAND_DIMS, SQUEEZE too
Status PrepareRsqrt(PrepareContext& context);
Status InvokeRsqrt(const InvokeContext& context);
Status PrepareSelectV2(PrepareContext& context);
Status InvokeSelectV2(const InvokeContext& context);
Status PrepareSoftmax(PrepareContext& context);
Status InvokeSoftmax(const InvokeContext& context);
Status PrepareSquaredDifference(PrepareContext& context);
Status InvokeSquaredDifference(const InvokeContext& context);
Status PrepareSub(PrepareContext& context);
Status InvokeSub(const InvokeContext& context);
Status PrepareSum(PrepareContext& context);
Status InvokeSum(const InvokeContext& context);
Status PrepareExpandDims(PrepareContext& context);
Status PrepareSqueeze(PrepareContext& context);
Status PrepareResizeBilinear(PrepareContext& context);
Status InvokeResizeBilinear(const InvokeContext& context);
Status PrepareResizeNearestNeighbor(PrepareContext& context);
Status InvokeResizeNearestNeighbor(const InvokeContext& context);
Status PrepareReverseV2(PrepareContext& context);
Status InvokeReverseV2(const InvokeContext& context);
Status PrepareShape(PrepareContext& context);
Status InvokeShape(const InvokeContext& context);
Status PrepareSlice(PrepareContext& context);
Status InvokeSlice(const InvokeContext& context);
Status PrepareSpaceToBatchNd(PrepareContext& context);
Status InvokeSpaceToBatchNd(const InvokeContext& context);
Status PrepareSpaceToDepth(PrepareContext& context);
Status InvokeSpaceToDepth(const InvokeContext& context);
Status PrepareSplit(PrepareContext& context);
Status InvokeSplit(const InvokeContext& context);
Status PrepareSplitV(PrepareContext& context);
Status InvokeSplitV(const InvokeContext& context);
Status PrepareStridedSlice(PrepareContext& context);
Status InvokeStridedSlice(const InvokeContext& context);
Status PrepareSvdf(PrepareContext& context);
Status InvokeSvdf(const InvokeContext& context);
Status PrepareTanh(PrepareContext& context);
Status InvokeTanh(const InvokeContext& context);
Status PrepareTransposeConv(PrepareContext& context);
Status InvokeTransposeConv(const InvokeContext& context);
Status PrepareUnidirectionalSequenceLstm(PrepareContext& context);
Status InvokeUnidirectionalSequenceLstm(const InvokeContext& context);
Status PrepareTranspose(PrepareContext& context);
Status InvokeTranspose(const InvokeContext& context);
Status PrepareUnpack(PrepareContext& context);
Status InvokeUnpack(const InvokeContext& context);
Status PrepareVarHandle(PrepareContext& context);
Status InvokeVarHandle(const InvokeContext& context);
Status PrepareWhile(PrepareContext& context);
Status InvokeWhile(const InvokeContext& context);
Status PrepareZerosLike(PrepareContext& context);
Status InvokeZerosLike(const InvokeContext& context);

}  // namespace arenaproof::reference

#include "core/model/operator_option_rules.h"

namespace arenaproof {
namespace {

using enum BuiltinOperator;

constexpr OptionRule kRules[] = {
    // Absent options read as zeros, and zeros are sensible. Files in use leave out those of ADD, MUL and LESS.
    {kFullyConnected, 8, false},
    {kConcatenation, 10, false},
    {kAdd, 11, false},
    {kResizeBilinear, 15, false},
    {kReshape, 17, false},
    {kMul, 21, false},
    {kPad, 22, false},
    {kGather, 23, false},
    {kBatchToSpaceNd, 24, false},
    {kSpaceToBatchNd, 25, false},
    {kTranspose, 26, false},
    {kMean, 27, false},
    {kSum, 27, false},
    {kReduceMax, 27, false},
    {kReduceMin, 27, false},
    {kReduceProd, 27, false},
    {kReduceAny, 27, false},
    {kReduceAll, 27, false},
    {kSub, 28, false},
    {kSqueeze, 30, false},
    {kStridedSlice, 32, false},
    {kDequantize, 38, false},
    {kMaximum, 39, false},
    {kMinimum, 39, false},
    {kLess, 41, false},
    {kPadv2, 43, false},
    {kGreater, 44, false},
    {kGreaterEqual, 45, false},
    {kLessEqual, 46, false},
    {kSlice, 48, false},
    {kExpandDims, 52, false},
    {kEqual, 53, false},
    {kNotEqual, 54, false},
    {kShape, 55, false},
    {kZerosLike, 67, false},
    {kFill, 68, false},
    {kResizeNearestNeighbor, 74, false},
    {kLeakyRelu, 75, true},
    {kReverseV2, 81, false},
    {kGatherNd, 83, false},
    {kQuantize, 89, false},
    {kHardSwish, 91, false},
    {kBatchMatmul, 101, false},
    {kBroadcastTo, 104, false},
    {kReadVariable, 112, false},
    {kAssignVariable, 113, false},
    {kDynamicUpdateSlice, 117, false},
    // Zeros are nonsense.
    {kConv2d, 1, true},
    {kDepthwiseConv2d, 2, true},
    {kAveragePool2d, 5, true},
    {kMaxPool2d, 5, true},
    {kSvdf, 6, true},
    {kSoftmax, 9, true},
    {kSpaceToDepth, 19, true},
    {kSplit, 35, true},
    {kTransposeConv, 49, true},
    {kPack, 59, true},
    {kUnpack, 64, true},
    {kUnidirectionalSequenceLstm, 71, true},
    {kMirrorPad, 77, true},
    {kSplitV, 79, true},
    {kIf, 92, true},
    {kWhile, 93, true},
    {kDepthToSpace, 94, true},
    {kCallOnce, 103, true},
    {kVarHandle, 111, true},
    // No options at all.
    {kLogistic, 0, false},
    {kTanh, 0, false},
    {kRelu, 0, false},
    {kRelu6, 0, false},
    {kEmbeddingLookup, 0, false},
    {kBroadcastArgs, 0, false},
    {kCustom, 0, false},
};

}  // namespace

const OptionRule* FindOptionRule(BuiltinOperator code) {
  for (const OptionRule& rule : kRules) {
    if (rule.code == code) return &rule;
  }
  return nullptr;
}

}  // namespace arenaproof

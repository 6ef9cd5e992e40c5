#include "engine/generators/operators/table/shape_draws.h"

#include <cstring>

namespace arenaproof {

ShapeDrawFunction ShapeDrawOf(ShapeRule rule) {
  switch (rule) {
    case ShapeRule::kSame:
      return DrawSame;
    case ShapeRule::kBroadcast:
      return DrawBroadcast;
    case ShapeRule::kSameCount:
      return DrawSameCount;
    case ShapeRule::kLastAxis:
      return DrawLastAxis;
    case ShapeRule::kConcatenation:
      return DrawConcatenation;
    case ShapeRule::kPack:
      return DrawPack;
    case ShapeRule::kUnpack:
      return DrawUnpack;
    case ShapeRule::kSplit:
      return DrawSplit;
    case ShapeRule::kSplitV:
      return DrawSplitV;
    case ShapeRule::kTranspose:
      return DrawTranspose;
    case ShapeRule::kSlice:
      return DrawSlice;
    case ShapeRule::kStridedSlice:
      return DrawStridedSlice;
    case ShapeRule::kPad:
      return DrawPad;
    case ShapeRule::kMirrorPad:
      return DrawMirrorPad;
    case ShapeRule::kExpandDims:
      return DrawExpandDims;
    case ShapeRule::kSqueeze:
      return DrawSqueeze;
    case ShapeRule::kSpaceToDepth:
      return DrawSpaceToDepth;
    case ShapeRule::kDepthToSpace:
      return DrawDepthToSpace;
    case ShapeRule::kSpaceToBatch:
      return DrawSpaceToBatch;
    case ShapeRule::kBatchToSpace:
      return DrawBatchToSpace;
    case ShapeRule::kReverse:
      return DrawReverse;
    case ShapeRule::kBroadcastTo:
      return DrawBroadcastTo;
    case ShapeRule::kBroadcastArgs:
      return DrawBroadcastArgs;
    case ShapeRule::kFill:
      return DrawFill;
    case ShapeRule::kShape:
      return DrawShape;
    case ShapeRule::kDynamicUpdateSlice:
      return DrawDynamicUpdateSlice;
    case ShapeRule::kReduction:
      return DrawReduction;
    case ShapeRule::kArgMax:
      return DrawArgMax;
    case ShapeRule::kCumsum:
      return DrawCumsum;
    case ShapeRule::kGather:
      return DrawGather;
    case ShapeRule::kGatherNd:
      return DrawGatherNd;
    case ShapeRule::kEmbeddingLookup:
      return DrawEmbeddingLookup;
    case ShapeRule::kConvolution:
      return DrawConvolution;
    case ShapeRule::kDepthwise:
      return DrawDepthwise;
    case ShapeRule::kTransposeConvolution:
      return DrawTransposeConvolution;
    case ShapeRule::kPool:
      return DrawPool;
    case ShapeRule::kFullyConnected:
      return DrawFullyConnected;
    case ShapeRule::kBatchMatMul:
      return DrawBatchMatMul;
    case ShapeRule::kResize:
      return DrawResize;
    case ShapeRule::kSvdf:
      return DrawSvdf;
    case ShapeRule::kLstm:
      return DrawLstm;
    case ShapeRule::kCall:
    case ShapeRule::kResourceVariable:
      return nullptr;
  }
  return nullptr;
}

void SetIntegers(CaseTensor& tensor, const std::vector<std::int64_t>& values, CaseShape shape) {
  tensor.shape = std::move(shape);
  const std::size_t width = ElementBytes(tensor.type);
  tensor.bytes.resize(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(&tensor.bytes[i * width], &values[i], width);
}

}  // namespace arenaproof

// One function for each shape rule. It is given a case with types, operands and drawn options, and sets the shapes of
// all operands, the values of axes, sizes and indices (ValueRule::kByShapeRule; with bytes an operand is not filled any
// more), options that belong to the shapes, and what is quantised the operator's own way. A repeated operand is there
// as often as was drawn. It never touches types.
#pragma once

#include "core/operators/operator_row.h"
#include "engine/generators/operators/table/extents.h"

namespace arenaproof {

struct ShapeDraw {
  CaseRandom& random;
  const OperatorRow& row;
  Extents& extents;
};

using ShapeDrawFunction = void (*)(ShapeDraw& draw, OperatorCase& made);

// Null for rules without cases.
ShapeDrawFunction ShapeDrawOf(ShapeRule rule);

// Sets the values of an operand of int32 or int64, whichever it is, and its shape; bytes are then set.
void SetIntegers(CaseTensor& tensor, const std::vector<std::int64_t>& values, CaseShape shape);

inline std::int32_t RankOf(const CaseTensor& tensor) { return static_cast<std::int32_t>(tensor.shape.size()); }

// element_shapes.cc
void DrawSame(ShapeDraw& draw, OperatorCase& made);
void DrawBroadcast(ShapeDraw& draw, OperatorCase& made);
void DrawSameCount(ShapeDraw& draw, OperatorCase& made);
void DrawLastAxis(ShapeDraw& draw, OperatorCase& made);
// joined_shapes.cc
void DrawConcatenation(ShapeDraw& draw, OperatorCase& made);
void DrawPack(ShapeDraw& draw, OperatorCase& made);
void DrawUnpack(ShapeDraw& draw, OperatorCase& made);
void DrawSplit(ShapeDraw& draw, OperatorCase& made);
void DrawSplitV(ShapeDraw& draw, OperatorCase& made);
void DrawExpandDims(ShapeDraw& draw, OperatorCase& made);
void DrawSqueeze(ShapeDraw& draw, OperatorCase& made);
void DrawShape(ShapeDraw& draw, OperatorCase& made);
void DrawFill(ShapeDraw& draw, OperatorCase& made);
void DrawBroadcastTo(ShapeDraw& draw, OperatorCase& made);
void DrawBroadcastArgs(ShapeDraw& draw, OperatorCase& made);
// moved_shapes.cc
void DrawTranspose(ShapeDraw& draw, OperatorCase& made);
void DrawSlice(ShapeDraw& draw, OperatorCase& made);
void DrawStridedSlice(ShapeDraw& draw, OperatorCase& made);
void DrawPad(ShapeDraw& draw, OperatorCase& made);
void DrawMirrorPad(ShapeDraw& draw, OperatorCase& made);
void DrawSpaceToDepth(ShapeDraw& draw, OperatorCase& made);
void DrawDepthToSpace(ShapeDraw& draw, OperatorCase& made);
void DrawSpaceToBatch(ShapeDraw& draw, OperatorCase& made);
void DrawBatchToSpace(ShapeDraw& draw, OperatorCase& made);
void DrawReverse(ShapeDraw& draw, OperatorCase& made);
void DrawDynamicUpdateSlice(ShapeDraw& draw, OperatorCase& made);
// indexed_shapes.cc
void DrawReduction(ShapeDraw& draw, OperatorCase& made);
void DrawArgMax(ShapeDraw& draw, OperatorCase& made);
void DrawCumsum(ShapeDraw& draw, OperatorCase& made);
void DrawGather(ShapeDraw& draw, OperatorCase& made);
void DrawGatherNd(ShapeDraw& draw, OperatorCase& made);
void DrawEmbeddingLookup(ShapeDraw& draw, OperatorCase& made);
// window_shapes.cc
void DrawConvolution(ShapeDraw& draw, OperatorCase& made);
void DrawDepthwise(ShapeDraw& draw, OperatorCase& made);
void DrawTransposeConvolution(ShapeDraw& draw, OperatorCase& made);
void DrawPool(ShapeDraw& draw, OperatorCase& made);
// product_shapes.cc
void DrawFullyConnected(ShapeDraw& draw, OperatorCase& made);
void DrawBatchMatMul(ShapeDraw& draw, OperatorCase& made);
// resize_shapes.cc
void DrawResize(ShapeDraw& draw, OperatorCase& made);
// sequence_shapes.cc
void DrawSvdf(ShapeDraw& draw, OperatorCase& made);
// lstm_shapes.cc
void DrawLstm(ShapeDraw& draw, OperatorCase& made);

}  // namespace arenaproof

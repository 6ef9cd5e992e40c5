#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

void DrawTranspose(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawSlice(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawStridedSlice(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawPad(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawMirrorPad(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawSpaceToDepth(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawDepthToSpace(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawSpaceToBatch(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawBatchToSpace(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawReverse(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawDynamicUpdateSlice(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}

}  // namespace arenaproof

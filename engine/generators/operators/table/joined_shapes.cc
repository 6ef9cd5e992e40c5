#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

void DrawConcatenation(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawPack(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawUnpack(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawSplit(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawSplitV(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawExpandDims(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawSqueeze(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawShape(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawFill(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawBroadcastTo(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawBroadcastArgs(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}

}  // namespace arenaproof

#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

void DrawConvolution(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawDepthwise(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawTransposeConvolution(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawPool(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawFullyConnected(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawBatchMatMul(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawResize(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}

}  // namespace arenaproof

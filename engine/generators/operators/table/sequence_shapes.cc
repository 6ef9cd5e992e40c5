#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

void DrawSvdf(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawLstm(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}

}  // namespace arenaproof

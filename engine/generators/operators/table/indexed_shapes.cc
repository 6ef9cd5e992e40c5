#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

void DrawReduction(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawArgMax(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawCumsum(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawGather(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawGatherNd(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}
void DrawEmbeddingLookup(ShapeDraw& /*draw*/, OperatorCase& /*made*/) {}

}  // namespace arenaproof

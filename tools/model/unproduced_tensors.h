// Tensors that operators read and no operator writes, and which are neither graph inputs nor constants nor variables.
// Files of accelerators have them. What such a tensor holds is whatever lay in the arena, so two runs of a
// sound kernel could differ; whoever compares runs gives them a value first.
#pragma once

namespace arenaproof {

class Interpreter;
class ModelView;

// Fills every such tensor with zeros, those of called subgraphs too: each keeps its bytes until its last reader. Those
// of subgraphs that nobody calls are never alive, and lie in bytes of tensors that are. It is called before each
// Invoke, after AllocateTensors has succeeded.
void ClearUnproducedTensors(const ModelView& model, const Interpreter& interpreter);

}  // namespace arenaproof

// Makes what follows from a model's other numbers follow again, so that a changed model comes further than its first
// check: lengths of constants and of quantisation lists, shapes of results.
#pragma once

namespace arenaproof::wire {
struct ModelT;
}

namespace arenaproof {

void RepairModelObject(wire::ModelT& model);

}  // namespace arenaproof

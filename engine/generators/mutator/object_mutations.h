// Single changes of a model object: shapes, types, indices, quantisation, operators, options, buffers, metadata.
#pragma once

#include "engine/generators/mutator/random_choice.h"

namespace arenaproof::wire {
struct ModelT;
}

namespace arenaproof {

// One change, chosen at random; none when the object has nothing to change in that way.
void MutateModelObject(wire::ModelT& model, RandomChoice& random);

// Appends the tensors and operators of a subgraph of `other` to one of `model`, and feeds the first of them with what
// `model` had as output.
void JoinModelObjects(wire::ModelT& model, const wire::ModelT& other, RandomChoice& random);

}  // namespace arenaproof

// Metadata of a model, plans of its own above all. For .cc files that have the generated types.
#pragma once

#include "core/model/schema_generated.h"
#include "engine/generators/mutator/random_choice.h"

namespace arenaproof {

// Adds an entry, repeats one with the same or other data, takes the last away, or has one name another buffer.
void MutateMetadata(wire::ModelT& model, RandomChoice& random);

}  // namespace arenaproof

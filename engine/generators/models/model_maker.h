// Models from choices: several subgraphs that call each other, control flow, operators with outputs that nobody reads,
// inputs that nobody uses, scalars, constants, variables, quantisation, tensors of every type. Sound, until they are
// corrupted.
#pragma once

#include "engine/generators/models/model_choices.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

// Breaks no rule of validation.
ModelBuilder MakeSoundModel(Choices& choices);

// Subgraphs behind those there are, each of which calls the next one so many times. Sound as long as it is short.
void AddCallChain(ModelBuilder& model, std::size_t length, std::size_t call_count);

// Changes one number of any part of the model, to one that is likely to be wrong. Not every change is.
void CorruptModel(ModelBuilder& model, Choices& choices);

// Changes who writes a tensor, or when. Not every change breaks a rule.
void CorruptProducers(SubgraphSpec& graph, Choices& choices);

// Puts `count` unproduced tensors in front of those of a subgraph: nothing else about the model becomes another.
void PutInFront(ModelBuilder& model, std::size_t subgraph, std::size_t count);

}  // namespace arenaproof::testing

// Runs one input through the product with no observer, no certifier and no invariants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace arenaproof {

using InputBytes = std::span<const std::uint8_t>;

// The calls of fuzz_arena_operations, in an arena that is one heap block; every byte of a granted block is written, as
// its owner would, so that a tool can see where it lies.
void ReplayArenaCalls(InputBytes input);

// The greedy planner on the requests of fuzz_plan_certifier; every byte of each placed buffer is written in a heap
// block of the size that the planner gives.
void ReplayPlan(InputBytes input);

// Prepares and invokes a model twice and prints a checksum of its outputs. The arena is one heap block, as large as the
// model needs or as the fuzz targets give.
enum class ModelArena { kNeeded, kOfTheFuzzTargets };
void ReplayModel(InputBytes input, ModelArena arena);

// Sets up the allocator for the model of fuzz_offline_plan and a plan of it.
void ReplayOfflinePlan(InputBytes input);

// Replays a model of fuzz_offline_plan_model with the plan that was fitted to it.
void ReplayPlannedModel(InputBytes input);

// How many models were set up with success.
std::size_t PreparedModelCount();

// Replays an input of the corpus of the fuzz target, "" for a model. False when there is no replay for the target.
bool Replay(const std::string& target, InputBytes input);

}  // namespace arenaproof

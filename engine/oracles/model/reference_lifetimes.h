// Lifetimes as the specification words them: a recursive walk over the file's own tables, with nothing else in mind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/lifetimes.h"
#include "core/model/model_view.h"

namespace arenaproof::oracle {

struct ReferenceLifetimes {
  std::vector<Lifetime> tensors;  // subgraph by subgraph
  std::vector<Lifetime> scratch;  // one for each place
  std::int32_t last_time = 0;
};

// The lifetimes of a sound model.
ReferenceLifetimes WalkAsReference(std::span<const std::byte> file, std::span<const ScratchPlace> places);

// Steps of the walk, as kMaxCallWork counts them, and one for each scratch buffer at each visit.
std::uint64_t StepsOfCalls(const ModelView& model, std::span<const ScratchPlace> places);

// Walks that take longer are not compared: an input has to come to its end in seconds under sanitizers.
inline constexpr std::uint64_t kMostComparedSteps = std::uint64_t{1} << 20;

// What is wrong with ComputeLifetimes for this sound model; empty when nothing is. `places` are in order.
std::string CheckLifetimes(const ModelView& model, std::span<const ScratchPlace> places);

}  // namespace arenaproof::oracle

// Puts an offline plan into a model file, and takes one out.
//
// Offsets in such a file point forward only. So a new root table and new lists of buffers and metadata are written in
// front, and the old file stays behind them as one unchanged piece: every other table, list and constant is the very
// same bytes, as far behind a multiple of 64 as it was, and what a reader reaches through the schema is equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"

namespace arenaproof {

// The old file begins on a multiple of this in the new one.
inline constexpr std::size_t kKeptAlignment = 64;

struct RewrittenModel {
  std::string problem;           // why there is none, a sentence
  std::vector<std::byte> bytes;  // at any address
};

// The model has been validated. Plans that it has are replaced: their metadata entries go, and the new plan takes the
// buffer of the last one unless something else refers to it; else a new buffer, the last.
// `offsets` has one entry for each tensor of all subgraphs, kPlannedAtRunTime where the runtime is to choose.
RewrittenModel EmbedPlan(const ModelView& model, std::span<const std::int32_t> offsets);

// Without the plans that it has, of which there is at least one. A plan's buffer is removed when it is the last and
// nothing else refers to it, and otherwise, as indices stay what they are, left empty.
RewrittenModel StripPlan(const ModelView& model);

}  // namespace arenaproof

// Whether a file would come as far as planning: what a mutator asks before it gives an input to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenaproof {

// Opened, sound, and every operator is one of the reference kernels'. Of at most kMostModelBytes.
bool IsSoundModel(std::span<const std::uint8_t> file);

// That, and the kernels' prepare accepts it in the pipeline's arena.
bool IsPreparedModel(std::span<const std::uint8_t> file);

// The file that one of these looks at now; empty outside of it. When the process dies there, the engine would keep
// another input.
std::span<const std::byte> ExaminedModel();

}  // namespace arenaproof

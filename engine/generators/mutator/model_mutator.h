// Changes model files for the fuzzer: as objects, whose numbers become wrong while the file stays a flatbuffer, and now
// and then as raw bytes. Unverified bytes are never walked as a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenaproof {

// The engine's own mutation of bytes (LLVMFuzzerMutate).
using RawMutation = std::size_t (*)(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes);

// So many of every hundred mutations are raw.
inline constexpr std::size_t kRawPercent = 20;

// Changes the input in `data`, which has room for `most_bytes`, and returns its new size. Deterministic, apart from
// what `raw` does.
std::size_t MutateModel(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes, std::uint32_t seed,
                        RawMutation raw);

// What a file has to be; not asked about files that cannot be.
using ModelCondition = bool (*)(std::span<const std::uint8_t> file);

// The same until the condition holds for the changed file, kMostAttempts times at most, and never by raw bytes. Returns
// 0 when it does not come to be; `data` is then as it was.
inline constexpr std::size_t kMostAttempts = 6;
std::size_t MutateSoundModel(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes, std::uint32_t seed,
                             ModelCondition condition);

// A model with parts of both; returns its size, or 0 when it cannot be made or is too large.
std::size_t CrossModels(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                        std::span<std::uint8_t> result, std::uint32_t seed);

}  // namespace arenaproof

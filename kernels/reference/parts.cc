#include "kernels/reference/parts.h"

#include <cstring>

namespace arenaproof::reference {
namespace {

// copy(run in the whole, run in the part, bytes) for every run, in the whole's order.
template <typename Copy>
void ForEachRun(const Operand& whole, std::size_t axis, std::span<const Operand> parts, Copy copy) {
  if (whole.bytes == 0) return;  // its other extents may be any
  std::size_t rounds = 1;
  for (std::size_t i = 0; i < axis; ++i) rounds *= static_cast<std::size_t>(whole.dims[i]);
  std::byte* at = whole.data;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const Operand& part : parts) {
      const std::size_t bytes = part.bytes / rounds;
      if (bytes == 0) continue;
      copy(at, part.data + round * bytes, bytes);
      at += bytes;
    }
  }
}

}  // namespace

void JoinParts(std::span<const Operand> parts, const Operand& whole, std::size_t axis) {
  ForEachRun(whole, axis, parts,
             [](std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); });
}

void CutIntoParts(const Operand& whole, std::size_t axis, std::span<const Operand> parts) {
  ForEachRun(whole, axis, parts,
             [](const std::byte* from, std::byte* to, std::size_t bytes) { std::memcpy(to, from, bytes); });
}

}  // namespace arenaproof::reference

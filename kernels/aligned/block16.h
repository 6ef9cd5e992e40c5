// How an aligned dot product reads a block of 16 bytes: the one place in which the sound twin and the faulty one
// differ.
//
// A block is named by its address, which may lie before the operand's first byte: addresses are integers here, because
// a pointer may not. [first, end) are the lanes that belong to the operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace arenaproof::aligned {

inline constexpr std::size_t kBlockBytes = 16;

using Bytes16 = std::int8_t __attribute__((vector_size(16)));
using Words16 = std::int32_t __attribute__((vector_size(64)));

// Reads the whole block with one 16-byte load, whatever lies there. Bytes outside the operand are read on purpose: this
// is the defect that the instruments have to see.
struct WholeBlockLoader {
  static Bytes16 Load(std::uintptr_t block, std::size_t /*first*/, std::size_t /*end*/) {
    Bytes16 lanes;
    std::memcpy(&lanes, reinterpret_cast<const std::byte*>(block), sizeof lanes);
    return lanes;
  }
};

// Reads the operand's own lanes only; the others are 0.
struct ClampedLoader {
  static Bytes16 Load(std::uintptr_t block, std::size_t first, std::size_t end) {
    if (first == 0 && end == kBlockBytes) return WholeBlockLoader::Load(block, first, end);
    std::int8_t staged[kBlockBytes] = {};
    std::memcpy(staged + first, reinterpret_cast<const std::byte*>(block + first), end - first);
    Bytes16 lanes;
    std::memcpy(&lanes, staged, sizeof lanes);
    return lanes;
  }
};

// Reads a vector's block from its first byte to the operand's last lane, so it never reads behind an operand but in
// front of every vector that is stepped back; rows are read as ClampedLoader does. A vector at the head's start is then
// read from what lies in front of the head.
struct UnderreadingLoader {
  static Bytes16 Load(std::uintptr_t block, std::size_t first, std::size_t end) {
    return ClampedLoader::Load(block, first, end);
  }
  static Bytes16 LoadVector(std::uintptr_t block, std::size_t /*first*/, std::size_t end) {
    return ClampedLoader::Load(block, 0, end);
  }
};

// Loaders that treat vectors as they treat rows need no LoadVector.
template <typename Loader>
Bytes16 LoadVector(std::uintptr_t block, std::size_t first, std::size_t end) {
  if constexpr (requires { Loader::LoadVector(block, first, end); }) {
    return Loader::LoadVector(block, first, end);
  } else {
    return Loader::Load(block, first, end);
  }
}

}  // namespace arenaproof::aligned

// Saving an arena while a model is set up, and putting it back.
//
// The used bytes are two pieces: the head at the low end, the tail at the high end, with unused bytes between.
// `arena_used_bytes()` of bytes from the arena's start are the head and something else; copying those loses the tail,
// whose tensor records, operators and allocator the next invoke would read. An image holds both pieces, where they
// were, and a checksum.
//
// Everything in the tail is an absolute address, so an image goes back to the address that it was taken from and
// nowhere else. The interpreter's own object, the model file, the kernels and the planner have to be where they were
// too.
//
// Two ways to use it:
//   SaveArena, RestoreArena   copy the pieces to and from a buffer of the caller (flash, another memory)
//   SealArena, CheckSeal      for who moves the bytes by other means: the seal, kept outside the arena, tells whether
//                             they all came back. Interpreter::Suspend and Resume do this around an interpreter, so
//                             that nothing is ever run in an arena that is not whole.
// No heap; the checksum costs one pass over head and tail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/tensor_arena.h"
#include "core/base/status.h"

namespace arenaproof {

// Where head and tail lie, as absolute addresses, and what their bytes add up to. Its fields have the same width
// everywhere.
struct ArenaSeal {
  std::uint64_t magic = 0;
  std::uint64_t arena_address = 0;  // first and last managed bytes: of the single arena, or of the non-persistent one
  std::uint64_t arena_bytes = 0;
  std::uint64_t persistent_address = 0;  // of the arena that the tail is in
  std::uint64_t persistent_bytes = 0;
  std::uint64_t head_bytes = 0;  // from arena_address
  std::uint64_t tail_bytes = 0;  // up to the end of the persistent arena
  std::uint64_t checksum = 0;    // over all fields above and both pieces
};

// kArenaImageBusy.
Status SealArena(const TensorArena& arena, ArenaSeal* seal);
// Reads the bytes where the seal says they are, nothing else. kArenaImageMalformed; kArenaImageDamaged.
Status CheckSeal(const ArenaSeal& seal);

// What an image takes: the seal, the head, the tail.
std::size_t ArenaImageBytes(const TensorArena& arena);
// *image_bytes become the bytes written. kArenaImageRoom, kArenaImageBusy.
Status SaveArena(const TensorArena& arena, std::span<std::byte> image, std::size_t* image_bytes);
// Everything is checked before a byte is copied: kArenaImageMalformed, kArenaImageDamaged (the image itself), and
// kArenaImageRelocated unless the buffers are those that the arena was saved from. Bytes between head and tail, and
// in front of an aligned start, stay as they are.
Status RestoreArena(std::span<const std::byte> image, std::byte* arena, std::size_t arena_bytes);
Status RestoreArena(std::span<const std::byte> image, const ArenaBuffers& arenas);

}  // namespace arenaproof

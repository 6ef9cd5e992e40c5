// Saving an arena while a model is set up, and putting it back.
//
// The used bytes are two pieces: the head at the low end, the tail at the high end, with unused bytes between.
// `arena_used_bytes()` of bytes from the arena's start are the head and something else; copying those loses the tail,
// whose tensor records, operators and allocator the next invoke would read. An image holds both pieces, where they
// were, and a checksum.
//
// Everything in the tail is an absolute address, so an image goes back to the address that it was taken from and
// nowhere else. The interpreter's own object, the model file, the kernels and the planner have to be where they were
// too, and what kernels keep outside the arena as it was: an image serves the interpreters that it was saved with, not
// later ones that were made in the same memory.
//
// An image holds the arena's cursors. Where an arena still stands in the memory (its object in the tail says so), an
// image is taken only if nothing was allocated since: else what was handed out since would be handed out once more.
// Every allocation that succeeds takes tail for good, so equal extents say that there was none; one that failed has
// given all back and does not count. An interpreter that was made in the memory of an earlier one may have the same
// extents: a mark in the tail, made of what each set-up was given (its interpreter, model file, external context, and
// the address of every tensor, kernel and kernel's data), distinguishes them. In memory that was lost there is nothing
// to protect.
//
// Two ways to use it:
//   SaveArena, RestoreArena   copy the pieces to and from a buffer of the caller (flash, another memory)
//   SealArena, CheckSeal      for bytes that are moved by other means: the seal, kept outside the arena, shows whether
//                             they all came back. Interpreter::Suspend and Resume do this around an interpreter that
//                             has its arena for itself, so that nothing is ever run in an arena that is not whole.
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
  // Where the cursors of the arena that has the head, and of the one that has the tail, lie in the tail; 0 when the
  // arena's object is not in its own memory.
  std::uint64_t head_cursors_address = 0;
  std::uint64_t tail_cursors_address = 0;
  std::uint64_t set_up_mark_address = 0;  // in the tail; 0: no mark is kept
  std::uint64_t checksum = 0;             // over all fields above and both pieces
  std::uint64_t seal_checksum = 0;        // over all fields above: no address of a damaged seal is ever followed

  friend bool operator==(const ArenaSeal&, const ArenaSeal&) = default;
};

// `set_up_mark`: a word in the tail that differs between set-ups (ModelAllocator::set_up_mark). kArenaImageBusy.
Status SealArena(const TensorArena& arena, ArenaSeal* seal, const std::size_t* set_up_mark = nullptr);
// Whether the seal itself is as SealArena wrote it; reads nothing else. kArenaImageMalformed.
Status CheckSealFields(const ArenaSeal& seal);
// Reads the bytes where the seal says they are, nothing else; whose seal it is, the caller knows. kArenaImageMalformed,
// before a byte is read; kArenaImageDamaged.
Status CheckSeal(const ArenaSeal& seal);

// What an image takes: the seal, the head, the tail.
std::size_t ArenaImageBytes(const TensorArena& arena);
// *image_bytes become the bytes written. kArenaImageRoom, kArenaImageBusy; kArenaImageOverlaps when `image` shares a
// byte with what the arena manages.
Status SaveArena(const TensorArena& arena, std::span<std::byte> image, std::size_t* image_bytes,
                 const std::size_t* set_up_mark = nullptr);
// Everything is checked before a byte is copied: kArenaImageMalformed, kArenaImageRelocated unless the buffers are
// those that the arena was saved from, kArenaImageOverlaps when the image lies in them, kArenaImageDamaged (the image
// itself), and, when an arena stands there, kArenaImageBusy while it has temporaries, kArenaImageStale unless head and
// tail reach as far as when it was saved, kArenaImageOtherSetUp unless the set-ups in it are those it was saved with.
// Bytes between head and tail, and in front of an aligned start, stay as they are.
Status RestoreArena(std::span<const std::byte> image, std::byte* arena, std::size_t arena_bytes);
Status RestoreArena(std::span<const std::byte> image, const ArenaBuffers& arenas);

}  // namespace arenaproof

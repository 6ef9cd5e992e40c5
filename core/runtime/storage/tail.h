// The runtime's way to the tail: typed arrays, never into the head of a model that shares the arena.
//
// While a model is being allocated the head holds only its scratch requests, so the arena alone would let the tail grow
// over the activations of an earlier model and only notice when the head is reserved at the end. A persistent arena of
// its own has no head to reach.
#pragma once

#include <cstddef>
#include <new>

#include "core/arena/runtime_work.h"
#include "core/arena/tensor_arena.h"
#include "core/base/byte_size.h"

namespace arenaproof {

class Tail {
 public:
  Tail(TensorArena& arena) : arena_(arena) {}  // NOLINT(google-explicit-constructor): a thin handle

  // The largest head that any model of this arena has reserved: blocks stay above it.
  void set_head_floor_bytes(std::size_t bytes) { head_floor_bytes_ = bytes; }
  std::size_t head_floor_bytes() const { return head_floor_bytes_; }

  // kTailWouldCrossHead, else as AllocatePersistent of the arena.
  Status Allocate(std::size_t bytes, std::size_t alignment, std::byte** block);

  // A 16-aligned block with `spacing_bytes` untouched, unannounced bytes on each side; a refusal takes none of them.
  Status AllocateSpaced(std::size_t bytes, std::size_t spacing_bytes, std::byte** block);

  // Sends OnShape: the next Allocate is for such elements.
  template <typename Structure>
  void Announce(std::size_t count) const {
    arena_.Announce<Structure>(count);
  }

  // `count` value-initialised elements; null when count is 0. kSizeOverflow.
  template <typename Element>
  Status AllocateArray(std::size_t count, Element** elements) {
    *elements = nullptr;
    if (count == 0) return Ok();
    std::size_t bytes = 0;
    ARENAPROOF_RETURN_IF_ERROR(ArrayBytes(count, sizeof(Element), &bytes));
    std::byte* block = nullptr;
    arena_.Announce<Element>(count);
    ARENAPROOF_RETURN_IF_ERROR(Allocate(bytes, alignof(Element), &block));
    Construct<Element>(block, count);
    *elements = reinterpret_cast<Element*>(block);
    return Ok();
  }

 private:
  // For a block and its spacing together. kTailWouldCrossHead, kArenaPersistentDoesNotFit.
  Status CheckSpacedRoom(std::size_t bytes, std::size_t spacing_bytes) const;

  template <typename Element>
  void Construct(std::byte* block, std::size_t count) const {
    const OperandRange records{block, count * sizeof(Element), AccessRight::kReadWrite, OperandKind::kRecord, 0};
    const RuntimeWorkScope work(arena_.observer(), RuntimeWork::kRecords, {&records, 1});
    for (std::size_t i = 0; i < count; ++i) new (block + i * sizeof(Element)) Element();
  }

  TensorArena& arena_;
  std::size_t head_floor_bytes_ = 0;
};

}  // namespace arenaproof

// Memory that begins at a multiple of an alignment (any number but 0) and grows with its contents, and never shrinks.
// A refused growth leaves address, size and contents as they were.
//
// Source of the behaviour: TensorFlow Lite's resizable aligned buffer.
#pragma once

#include <cstddef>

#include "core/base/status.h"
#include "core/planner/host/aligned_memory.h"

namespace arenaproof {

class ResizableBuffer {
 public:
  explicit ResizableBuffer(std::size_t alignment, int subgraph = 0, const AlignedMemory& memory = {},
                           ArenaMemoryListener* listener = nullptr)
      : alignment_(alignment), subgraph_(subgraph), memory_(memory), listener_(listener) {}
  ~ResizableBuffer() { Release(); }
  ResizableBuffer(const ResizableBuffer&) = delete;
  ResizableBuffer& operator=(const ResizableBuffer&) = delete;

  // At least `bytes` bytes. *moved: whether the address has changed, so that pointers into the buffer are stale.
  // kHostNullAnswer; kHostArenaAlignment for an alignment of 0; kHostArenaOverflow: the block to ask the host for has
  // more bytes than a word can count (bytes, alignment); kHostArenaMemory: the host refused (bytes, bytes there are).
  Status Resize(std::size_t bytes, bool* moved);
  void Release();

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t alignment() const { return alignment_; }

 private:
  struct Block {
    void* pointer = nullptr;
    std::byte* data = nullptr;
  };

  Block Allocate(std::size_t bytes, std::size_t block_bytes) const;
  Block Grow(std::size_t bytes, std::size_t block_bytes) const;
  void Deallocate(void* pointer, std::size_t bytes) const;

  std::size_t alignment_;
  int subgraph_;
  AlignedMemory memory_;
  ArenaMemoryListener* listener_;
  void* pointer_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace arenaproof

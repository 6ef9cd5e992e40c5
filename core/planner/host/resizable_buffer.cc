#include "core/planner/host/resizable_buffer.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/planner/host/growing_operations.h"

namespace arenaproof {

ResizableBuffer::Block ResizableBuffer::Allocate(std::size_t bytes, std::size_t block_bytes) const {
  if (memory_.given()) {
    void* const pointer = memory_.allocate(memory_.context, bytes, alignment_);
    return {pointer, static_cast<std::byte*>(pointer)};
  }
  if (block_bytes > PTRDIFF_MAX) return {};  // no object is so large
  void* const pointer = std::malloc(block_bytes);
  if (pointer == nullptr) return {};
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  // The block has alignment - 1 bytes to spare, so the data ends within it.
  return {pointer, static_cast<std::byte*>(pointer) + DistanceToMultiple<std::uintptr_t>(address, alignment_)};
}

// The old block is given back only when there is a new one.
ResizableBuffer::Block ResizableBuffer::Grow(std::size_t bytes, std::size_t block_bytes) const {
  if (pointer_ != nullptr && memory_.given() && memory_.reallocate != nullptr) {
    void* const pointer = memory_.reallocate(memory_.context, pointer_, bytes_, bytes, alignment_);
    return {pointer, static_cast<std::byte*>(pointer)};
  }
  const Block block = Allocate(bytes, block_bytes);
  if (block.pointer != nullptr && pointer_ != nullptr) {
    std::memcpy(block.data, data_, bytes_);
    Deallocate(pointer_, bytes_);
  }
  return block;
}

void ResizableBuffer::Deallocate(void* pointer, std::size_t bytes) const {
  if (memory_.given()) {
    memory_.deallocate(memory_.context, pointer, bytes, alignment_);
  } else {
    std::free(pointer);
  }
}

Status ResizableBuffer::Resize(std::size_t bytes, bool* moved) {
  if (moved == nullptr) return Failure(StatusCode::kHostNullAnswer);
  if (alignment_ == 0) return Failure(StatusCode::kHostArenaAlignment, 0, alignment_);
  *moved = false;
  if (bytes <= bytes_) return Ok();
  const Checked<std::size_t> block_bytes = BlockBytes(bytes, alignment_);
  if (!block_bytes.ok) return Failure(StatusCode::kHostArenaOverflow, bytes, alignment_);
  const Block block = Grow(bytes, block_bytes.value);
  if (block.pointer == nullptr) return Failure(StatusCode::kHostArenaMemory, bytes, bytes_);
  *moved = block.data != data_;
  const std::size_t old_bytes = bytes_;
  pointer_ = block.pointer;
  data_ = block.data;
  bytes_ = bytes;
  if (listener_ != nullptr) {
    listener_->OnArenaMemory(subgraph_, this, bytes_);
    if (old_bytes > 0) listener_->OnArenaMemoryReturned(subgraph_, this, old_bytes);
  }
  return Ok();
}

void ResizableBuffer::Release() {
  if (pointer_ == nullptr) return;
  Deallocate(pointer_, bytes_);
  if (listener_ != nullptr) listener_->OnArenaMemoryReturned(subgraph_, this, bytes_);
  pointer_ = nullptr;
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace arenaproof

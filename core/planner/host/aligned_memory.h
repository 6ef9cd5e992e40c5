// Where a resizable buffer takes its memory from: the host's heap, or functions of the application.
#pragma once

#include <cstddef>

namespace arenaproof {

// An application's own memory. Each function gets `context`; null from `allocate` or `reallocate` is a refusal, after
// which everything is as before. `alignment` is the buffer's; what they return is taken to be aligned to it.
struct AlignedMemory {
  void* context = nullptr;
  void* (*allocate)(void* context, std::size_t bytes, std::size_t alignment) = nullptr;
  // May be null: the buffer then allocates, copies and deallocates.
  void* (*reallocate)(void* context, void* block, std::size_t old_bytes, std::size_t new_bytes,
                      std::size_t alignment) = nullptr;
  void (*deallocate)(void* context, void* block, std::size_t bytes, std::size_t alignment) = nullptr;

  // Both of these are needed; without them the heap is used.
  bool given() const { return allocate != nullptr && deallocate != nullptr; }
};

// Receives every block that an arena takes and gives back, for profilers.
class ArenaMemoryListener {
 public:
  virtual void OnArenaMemory(int subgraph, const void* arena, std::size_t bytes) = 0;
  virtual void OnArenaMemoryReturned(int subgraph, const void* arena, std::size_t bytes) = 0;

 protected:
  ~ArenaMemoryListener() = default;
};

}  // namespace arenaproof

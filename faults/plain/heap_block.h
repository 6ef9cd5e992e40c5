// A heap block of exactly so many bytes: the first one behind it belongs to no block.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace arenaproof {

struct FreeBlock {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using HeapBlock = std::unique_ptr<std::byte, FreeBlock>;

inline HeapBlock AllocateBlock(std::size_t alignment, std::size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes) != 0) std::abort();
  return HeapBlock(static_cast<std::byte*>(memory));
}

}  // namespace arenaproof

// The memory of an arena under test, and all that may be asked of it: every block is known with the bytes and the
// alignment that it was asked for, and what is given back or grown has to be such a block with just these numbers. It
// is the profiler's listener too, whose every call has to fit a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "core/planner/host/aligned_memory.h"

namespace arenaproof::testing {

// kHeap: no functions are given, and the arena takes the heap.
enum class MemoryForm : std::uint8_t { kWithoutReallocate, kWithReallocate, kHeap };

class TrackedMemory final : public ArenaMemoryListener {
 public:
  // Of no block more than `most_bytes`, each for `alignment`; listeners are told `subgraph`. `grows_in_place`:
  // reallocating moves a block only where RoomOf(bytes asked for first) ends.
  TrackedMemory(MemoryForm form, std::size_t most_bytes, std::size_t alignment, int subgraph, bool grows_in_place);
  TrackedMemory(const TrackedMemory&) = delete;
  TrackedMemory& operator=(const TrackedMemory&) = delete;
  ~TrackedMemory();

  AlignedMemory Functions();
  bool is_heap() const { return form_ == MemoryForm::kHeap; }

  // Bytes up to which a block can grow where it is.
  static std::size_t RoomOf(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  static std::size_t NoRoom(std::size_t bytes) { return bytes; }
  std::size_t (*room_of() const)(std::size_t) { return grows_in_place_ ? RoomOf : NoRoom; }

  int growths_left = 1000;  // as many times memory is granted; of the heap always

  // The first thing that was wrong; empty: nothing.
  const std::string& fault() const { return fault_; }
  // Whether the arena at `address` of so many bytes is right: null and 0, or a block of just these bytes.
  bool IsArena(const std::byte* address, std::size_t bytes) const;
  // How many arenas have memory, by the blocks and by what the listener was told.
  bool HasArenas(std::size_t count) const;

 private:
  struct Block {
    std::size_t bytes = 0;
    std::size_t room = 0;
  };

  void* Allocate(std::size_t bytes, std::size_t alignment);
  void* Reallocate(void* block, std::size_t old_bytes, std::size_t new_bytes, std::size_t alignment);
  void Deallocate(void* block, std::size_t bytes, std::size_t alignment);
  bool Knows(const char* what, void* block, std::size_t bytes, std::size_t alignment);
  bool Grants(std::size_t bytes);
  void* NewBlock(std::size_t bytes);
  void Fault(const std::string& fault);

  void OnArenaMemory(int subgraph, const void* arena, std::size_t bytes) override;
  void OnArenaMemoryReturned(int subgraph, const void* arena, std::size_t bytes) override;

  MemoryForm form_;
  std::size_t most_bytes_;
  std::size_t alignment_;
  int subgraph_;
  bool grows_in_place_;
  std::map<const void*, Block> blocks_;
  std::map<const void*, std::multiset<std::size_t>> told_;  // by arena, the bytes taken and not returned
  std::string fault_;
};

// Whether an arena keeps its bytes as it grows: writes a pattern, and asks for it later.
class ArenaContents {
 public:
  void Write(std::byte* arena, std::size_t bytes);
  bool Kept(const std::byte* arena, std::size_t bytes) const;
  void Forget() { bytes_ = 0; }

 private:
  std::size_t bytes_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace arenaproof::testing

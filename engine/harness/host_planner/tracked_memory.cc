#include "engine/harness/host_planner/tracked_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace arenaproof::testing {
namespace {

std::byte PatternAt(std::size_t position, std::uint32_t round) {
  return static_cast<std::byte>(position * 7 + position / 256 + round * 31);
}

}  // namespace

TrackedMemory::TrackedMemory(MemoryForm form, std::size_t most_bytes, std::size_t alignment, int subgraph,
                             bool grows_in_place)
    : form_(form),
      most_bytes_(most_bytes),
      alignment_(alignment),
      subgraph_(subgraph),
      grows_in_place_(grows_in_place && form == MemoryForm::kWithReallocate) {}

TrackedMemory::~TrackedMemory() {
  for (const auto& [address, block] : blocks_) std::free(const_cast<void*>(address));
}

AlignedMemory TrackedMemory::Functions() {
  if (form_ == MemoryForm::kHeap) return {};
  AlignedMemory functions;
  functions.context = this;
  functions.allocate = [](void* context, std::size_t bytes, std::size_t alignment) {
    return static_cast<TrackedMemory*>(context)->Allocate(bytes, alignment);
  };
  functions.deallocate = [](void* context, void* block, std::size_t bytes, std::size_t alignment) {
    static_cast<TrackedMemory*>(context)->Deallocate(block, bytes, alignment);
  };
  if (form_ == MemoryForm::kWithReallocate) {
    functions.reallocate = [](void* context, void* block, std::size_t old_bytes, std::size_t new_bytes,
                              std::size_t alignment) {
      return static_cast<TrackedMemory*>(context)->Reallocate(block, old_bytes, new_bytes, alignment);
    };
  }
  return functions;
}

bool TrackedMemory::Grants(std::size_t bytes) {
  if (bytes > most_bytes_ || growths_left <= 0) return false;
  --growths_left;
  return true;
}

void* TrackedMemory::NewBlock(std::size_t bytes) {
  const std::size_t room = room_of()(bytes);
  void* const block = std::malloc(room);
  if (block == nullptr) std::abort();
  blocks_[block] = {bytes, room};
  return block;
}

void* TrackedMemory::Allocate(std::size_t bytes, std::size_t alignment) {
  if (alignment != alignment_) Fault("memory is asked for with alignment " + std::to_string(alignment));
  if (bytes == 0) Fault("memory of no bytes is asked for");
  return Grants(bytes) ? NewBlock(bytes) : nullptr;
}

void* TrackedMemory::Reallocate(void* block, std::size_t old_bytes, std::size_t new_bytes, std::size_t alignment) {
  if (!Knows("grown", block, old_bytes, alignment)) return nullptr;
  if (new_bytes <= old_bytes) Fault("a block is to grow to fewer bytes");
  if (!Grants(new_bytes)) return nullptr;
  if (new_bytes <= blocks_[block].room) {
    blocks_[block].bytes = new_bytes;
    return block;
  }
  const std::size_t bytes_there = blocks_[block].bytes;  // whatever it is said to have
  void* const grown = NewBlock(new_bytes);
  std::memcpy(grown, block, std::min(bytes_there, new_bytes));
  blocks_.erase(block);
  std::free(block);
  return grown;
}

void TrackedMemory::Deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  if (!Knows("given back", block, bytes, alignment)) return;
  blocks_.erase(block);
  std::free(block);
}

bool TrackedMemory::Knows(const char* what, void* block, std::size_t bytes, std::size_t alignment) {
  const auto found = blocks_.find(block);
  if (found == blocks_.end()) {
    Fault(std::string("memory is ") + what + " that is no block");
    return false;
  }
  if (found->second.bytes != bytes || alignment != alignment_) {
    Fault("a block of " + std::to_string(found->second.bytes) + " bytes at alignment " + std::to_string(alignment_) +
          " is " + what + " as one of " + std::to_string(bytes) + " at " + std::to_string(alignment));
  }
  return true;
}

void TrackedMemory::Fault(const std::string& fault) {
  if (fault_.empty()) fault_ = fault;
}

void TrackedMemory::OnArenaMemory(int subgraph, const void* arena, std::size_t bytes) {
  if (subgraph != subgraph_) Fault("the listener is told of subgraph " + std::to_string(subgraph));
  told_[arena].insert(bytes);
}

void TrackedMemory::OnArenaMemoryReturned(int subgraph, const void* arena, std::size_t bytes) {
  if (subgraph != subgraph_) Fault("the listener is told of subgraph " + std::to_string(subgraph));
  const auto taken = told_[arena].find(bytes);
  if (taken == told_[arena].end()) {
    return Fault("the listener is told that " + std::to_string(bytes) + " bytes come back that were never taken");
  }
  told_[arena].erase(taken);
  if (told_[arena].empty()) told_.erase(arena);
}

bool TrackedMemory::IsArena(const std::byte* address, std::size_t bytes) const {
  if (address == nullptr || bytes == 0) return address == nullptr && bytes == 0;
  const bool told = std::any_of(told_.begin(), told_.end(), [&](const auto& arena) {
    return arena.second.size() == 1 && *arena.second.begin() == bytes;
  });
  if (!told) return false;
  if (is_heap()) return reinterpret_cast<std::uintptr_t>(address) % alignment_ == 0;
  const auto block = blocks_.find(address);
  return block != blocks_.end() && block->second.bytes == bytes;
}

bool TrackedMemory::HasArenas(std::size_t count) const {
  return told_.size() == count && (is_heap() || blocks_.size() == count);
}

void ArenaContents::Write(std::byte* arena, std::size_t bytes) {
  bytes_ = arena == nullptr ? 0 : bytes;
  ++round_;
  for (std::size_t i = 0; i < bytes_; ++i) arena[i] = PatternAt(i, round_);
}

bool ArenaContents::Kept(const std::byte* arena, std::size_t bytes) const {
  if (bytes_ == 0) return true;
  if (arena == nullptr || bytes < bytes_) return false;
  for (std::size_t i = 0; i < bytes_; ++i) {
    if (arena[i] != PatternAt(i, round_)) return false;
  }
  return true;
}

}  // namespace arenaproof::testing

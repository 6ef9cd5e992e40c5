#include "sanitizers/checked_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <utility>

namespace arenaproof {

// Mapped, not taken from the heap: no allocator, and no sanitizer's redzone, has an opinion on these bytes. Pages that
// nobody touches cost nothing, so a generous arena is cheap.
CheckedMemory::CheckedMemory(std::size_t bytes, std::size_t misalignment) {
  constexpr std::size_t kOverhead = 2 * kGuardBytes + 64;
  if (bytes > SIZE_MAX - kOverhead) return;
  void* mapped =
      mmap(nullptr, bytes + kOverhead, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return;
  whole_ = static_cast<std::byte*>(mapped);
  whole_bytes_ = bytes + kOverhead;
  usable_ = whole_ + kGuardBytes + misalignment % 64;
  bytes_ = bytes;
}

CheckedMemory::~CheckedMemory() {
  if (whole_ != nullptr) munmap(whole_, whole_bytes_);
}

CheckedMemory::CheckedMemory(CheckedMemory&& other) noexcept
    : whole_(std::exchange(other.whole_, nullptr)),
      whole_bytes_(std::exchange(other.whole_bytes_, 0)),
      usable_(std::exchange(other.usable_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

CheckedMemory& CheckedMemory::operator=(CheckedMemory&& other) noexcept {
  std::swap(whole_, other.whole_);
  std::swap(whole_bytes_, other.whole_bytes_);
  std::swap(usable_, other.usable_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace arenaproof

#include "sanitizers/instrument/checked_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <utility>

#include "sanitizers/report/violation.h"

namespace arenaproof {

// Mapped, not taken from the heap: neither an allocator nor a sanitizer's redzone touches these bytes. Pages that are
// not touched cost nothing, so a generous arena is cheap.
CheckedMemory::CheckedMemory(std::size_t bytes, std::size_t misalignment, std::size_t reserve_bytes) {
  constexpr std::size_t kOverhead = 2 * kGuardBytes + 128;
  if (reserve_bytes > SIZE_MAX / 2 || bytes > SIZE_MAX / 2 - kOverhead) return;
  // A multiple of 64 keeps the usable bytes where they are without a reserve, modulo 64.
  const std::size_t front_bytes = (reserve_bytes + 63) / 64 * 64;
  const std::size_t whole_bytes = bytes + front_bytes + kOverhead;
  void* mapped = mmap(nullptr, whole_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return;
  whole_ = static_cast<std::byte*>(mapped);
  whole_bytes_ = whole_bytes;
  usable_ = whole_ + kGuardBytes + front_bytes + misalignment % 64;
  bytes_ = bytes;
  reserve_bytes_ = reserve_bytes;
}

CheckedMemory::~CheckedMemory() {
  if (whole_ != nullptr) munmap(whole_, whole_bytes_);
}

CheckedMemory::CheckedMemory(CheckedMemory&& other) noexcept
    : whole_(std::exchange(other.whole_, nullptr)),
      whole_bytes_(std::exchange(other.whole_bytes_, 0)),
      usable_(std::exchange(other.usable_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      reserve_bytes_(std::exchange(other.reserve_bytes_, 0)) {}

std::string CheckedMemory::Free(const std::byte* pointer) {
  if (usable_ == nullptr) return "memory is freed that is not allocated";
  if (pointer == allocation()) {
    const CheckedMemory freed = std::move(*this);
    return {};
  }
  const auto at = reinterpret_cast<std::uintptr_t>(pointer), start = reinterpret_cast<std::uintptr_t>(allocation());
  if (at < start || at - start >= reserve_bytes_ + bytes_) return "the freed pointer is none of this allocation";
  return "the freed pointer lies " + BytesText(at - start) + " behind the start of its allocation" +
         (at - start == reserve_bytes_ ? ", where the memory behind the reserve begins" : "") +
         "; only the original pointer can be freed";
}

CheckedMemory& CheckedMemory::operator=(CheckedMemory&& other) noexcept {
  std::swap(whole_, other.whole_);
  std::swap(whole_bytes_, other.whole_bytes_);
  std::swap(usable_, other.usable_);
  std::swap(bytes_, other.bytes_);
  std::swap(reserve_bytes_, other.reserve_bytes_);
  return *this;
}

}  // namespace arenaproof

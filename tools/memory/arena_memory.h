// Memory for an arena on the host, aligned to 64 bytes.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace arenaproof {

class ArenaMemory {
 public:
  static constexpr std::size_t kAlignment = 64;

  ArenaMemory() = default;
  ~ArenaMemory() { std::free(start_); }
  ArenaMemory(const ArenaMemory&) = delete;
  ArenaMemory& operator=(const ArenaMemory&) = delete;

  // At least `bytes` bytes, contents lost when it has to grow; false when there is not so much memory.
  bool Grow(std::size_t bytes) {
    if (bytes <= bytes_ && start_ != nullptr) return true;
    std::free(start_);
    bytes_ = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    start_ = static_cast<std::byte*>(std::aligned_alloc(kAlignment, bytes_ == 0 ? kAlignment : bytes_));
    if (start_ == nullptr) bytes_ = 0;
    return start_ != nullptr;
  }
  std::byte* start() const { return start_; }

 private:
  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace arenaproof

// A workspace at any distance from a multiple of 64, of exactly the bytes asked for, between bytes that nobody may
// touch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace arenaproof::testing {

class GuardedWorkspace {
 public:
  GuardedWorkspace(std::size_t bytes, std::size_t shift_bytes, std::byte fill)
      : memory_(bytes + 2 * kGuardBytes + 128, kGuard), bytes_(bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data()) + kGuardBytes;
    start_ = kGuardBytes + (64 - address % 64) % 64 + shift_bytes % 64;
    std::fill_n(memory_.begin() + static_cast<std::ptrdiff_t>(start_), bytes, fill);
  }

  std::span<std::byte> span() { return std::span(memory_).subspan(start_, bytes_); }

  // Nobody wrote beside it.
  bool intact() const {
    const auto untouched = [](std::byte byte) { return byte == kGuard; };
    const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(start_);
    return std::all_of(memory_.begin(), begin, untouched) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(bytes_), memory_.end(), untouched);
  }

 private:
  static constexpr std::size_t kGuardBytes = 128;
  static constexpr std::byte kGuard{0xC7};

  std::vector<std::byte> memory_;
  std::size_t bytes_;
  std::size_t start_ = 0;
};

}  // namespace arenaproof::testing

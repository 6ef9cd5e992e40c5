// Memory of which the checker owns closed bytes on both sides: for the arena, the model file, copies of constants.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// Zeroed. The usable bytes start at `misalignment` modulo 64 (default: on a multiple of 64, so that addresses modulo 64
// are offsets modulo 64); at least kGuardBytes lie before and after them.
//
// With a reserve in front the allocation starts `reserve_bytes` before the usable bytes, as an application does it for
// kernels that read in front of what they are given; the guards lie around the allocation. The reserve is closed like
// them and reported under its own name.
class CheckedMemory {
 public:
  // A page: who takes a wrong multiple of a stride is still seen.
  static constexpr std::size_t kGuardBytes = 4096;

  explicit CheckedMemory(std::size_t bytes, std::size_t misalignment = 0, std::size_t reserve_bytes = 0);
  ~CheckedMemory();
  CheckedMemory(CheckedMemory&& other) noexcept;
  CheckedMemory& operator=(CheckedMemory&& other) noexcept;

  // What an application passes to free(): gives everything back when `pointer` is the allocation's start, the original
  // pointer, and returns an empty text. Anything else, such as the pointer advanced over the reserve, is reported: a
  // sentence says where it lies, and nothing has changed. The destructor gives back what was not freed.
  [[nodiscard]] std::string Free(const std::byte* pointer);

  // Null when the system gave nothing.
  std::byte* data() const { return usable_; }
  std::size_t bytes() const { return bytes_; }
  std::byte* allocation() const { return usable_ == nullptr ? nullptr : usable_ - reserve_bytes_; }
  MemoryRegion reserve() const { return {allocation(), reserve_bytes_}; }
  std::span<std::byte> span() const { return {usable_, bytes_}; }
  WatchedRegion region() const { return {{whole_, whole_bytes_}, {usable_, bytes_}}; }

 private:
  std::byte* whole_ = nullptr;
  std::size_t whole_bytes_ = 0;
  std::byte* usable_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t reserve_bytes_ = 0;
};

}  // namespace arenaproof

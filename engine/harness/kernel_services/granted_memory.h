// The blocks that operators were granted, each full of bytes that tell it from all others: what somebody else writes
// there, and a block that lies on another, is seen at the next look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/arena/observer.h"

namespace arenaproof {

struct GrantedBlock {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::uint8_t seed = 0;
  std::vector<MemoryRegion> handed_on;  // parts that are a tensor's now

  std::byte pattern(std::size_t position) const { return static_cast<std::byte>(seed + 31 * position); }
};

class GrantedMemory {
 public:
  // A block that was granted a moment ago: fills it. Ends the process (defect.h) when it shares a byte with another
  // one, or does not lie in `room`.
  void Take(std::vector<GrantedBlock>& owner, MemoryRegion block, MemoryRegion room);
  // The others among which a block has to lie apart.
  void Watch(std::vector<std::vector<GrantedBlock>*> owners) { owners_ = std::move(owners); }
  // All watched blocks are as they were filled.
  void RequireUntouched() const;

 private:
  std::vector<std::vector<GrantedBlock>*> owners_;
  std::uint8_t next_seed_ = 1;
};

inline bool ShareBytes(MemoryRegion a, MemoryRegion b) {
  if (a.bytes == 0 || b.bytes == 0) return false;
  const auto first = reinterpret_cast<std::uintptr_t>(a.data);
  const auto second = reinterpret_cast<std::uintptr_t>(b.data);
  return first < second + b.bytes && second < first + a.bytes;
}

inline bool LiesIn(MemoryRegion part, MemoryRegion whole) {
  const auto first = reinterpret_cast<std::uintptr_t>(part.data);
  const auto second = reinterpret_cast<std::uintptr_t>(whole.data);
  return first >= second && first - second <= whole.bytes && part.bytes <= whole.bytes - (first - second);
}

}  // namespace arenaproof

// An observer that remembers every outstanding temporary and names each wrong free.
//
// The arena itself has only a count and a checksum of addresses: enough to refuse most wrong frees, too little to name
// one (four 16-byte temporaries in a row have checksum zero). This tracker keeps the multiset of outstanding blocks; a
// multiset, because a temporary of zero bytes shares its address with the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/arena/silent_observer.h"

namespace arenaproof {

enum class TemporaryFault : std::uint8_t {
  kDoubleFree,     // an address that was issued since the last reset, freed more often than issued
  kForeignFree,    // an address that was not issued since the last reset
  kResetOverLive,  // the region was reset while this block was outstanding
  kHeadOverLive    // the head moved while this block was outstanding
};

// "double free", "foreign free", "reset over a live temporary", "head moved over a live temporary".
const char* TemporaryFaultName(TemporaryFault fault);

struct TemporaryFinding {
  TemporaryFault fault = TemporaryFault::kDoubleFree;
  const std::byte* address = nullptr;
  std::size_t bytes = 0;        // of the block issued there; 0 for a foreign address
  std::size_t event_count = 0;  // which call on head or temporaries it was, counted from 1 since the attach
};

class TemporaryTracker final : public SilentObserver {
 public:
  const std::vector<TemporaryFinding>& findings() const { return findings_; }
  std::size_t outstanding_count() const { return outstanding_count_; }
  bool IsOutstanding(const std::byte* address) const;

  // "double free of the temporary at arena offset 16 (48 bytes), call 5 on head or temporaries".
  std::string Describe(const TemporaryFinding& finding) const;

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override;
  void OnHeadResized(MemoryRegion head) override;
  void OnTemporaryAllocated(MemoryRegion block) override;
  void OnTemporaryFreed(const std::byte* address) override;
  void OnTemporariesReset() override;

 private:
  struct Issued {
    std::size_t bytes = 0;  // of the block issued last at this address
    std::size_t outstanding_count = 0;
  };

  // The section is empty from here on; every block that is still outstanding is a finding.
  void Empty(TemporaryFault fault);

  const std::byte* arena_begin_ = nullptr;
  std::map<const std::byte*, Issued> issued_;  // since the last reset
  std::size_t outstanding_count_ = 0;
  std::size_t event_count_ = 0;
  std::vector<TemporaryFinding> findings_;
};

}  // namespace arenaproof

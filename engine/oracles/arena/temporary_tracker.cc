#include "engine/oracles/arena/temporary_tracker.h"

namespace arenaproof {

const char* TemporaryFaultName(TemporaryFault fault) {
  switch (fault) {
    case TemporaryFault::kDoubleFree:
      return "double free";
    case TemporaryFault::kForeignFree:
      return "foreign free";
    case TemporaryFault::kResetOverLive:
      return "reset over a live temporary";
    case TemporaryFault::kHeadOverLive:
      return "head moved over a live temporary";
  }
  return "unknown fault";
}

bool TemporaryTracker::IsOutstanding(const std::byte* address) const {
  const auto found = issued_.find(address);
  return found != issued_.end() && found->second.outstanding_count > 0;
}

std::string TemporaryTracker::Describe(const TemporaryFinding& finding) const {
  const auto distance =
      reinterpret_cast<std::uintptr_t>(finding.address) - reinterpret_cast<std::uintptr_t>(arena_begin_);
  std::string text = TemporaryFaultName(finding.fault);
  text += finding.fault == TemporaryFault::kForeignFree ? " of an address never issued, arena offset "
                                                        : " of the temporary at arena offset ";
  text += std::to_string(static_cast<std::intptr_t>(distance));
  if (finding.fault != TemporaryFault::kForeignFree) text += " (" + std::to_string(finding.bytes) + " bytes)";
  return text + ", call " + std::to_string(finding.event_count) + " on head or temporaries";
}

void TemporaryTracker::OnAttach(const AttachedArena& memory, MemoryRegion) {
  *this = TemporaryTracker();
  arena_begin_ = memory.arena.data;
}

void TemporaryTracker::OnTemporaryAllocated(MemoryRegion block) {
  ++event_count_;
  ++outstanding_count_;
  Issued& issued = issued_[block.data];
  issued.bytes = block.bytes;
  ++issued.outstanding_count;
}

void TemporaryTracker::OnTemporaryFreed(const std::byte* address) {
  ++event_count_;
  const auto found = issued_.find(address);
  if (found == issued_.end()) {
    findings_.push_back({TemporaryFault::kForeignFree, address, 0, event_count_});
  } else if (found->second.outstanding_count == 0) {
    findings_.push_back({TemporaryFault::kDoubleFree, address, found->second.bytes, event_count_});
  } else {
    --found->second.outstanding_count;
    --outstanding_count_;
  }
}

void TemporaryTracker::OnTemporariesReset() { Empty(TemporaryFault::kResetOverLive); }

void TemporaryTracker::OnHeadResized(MemoryRegion) { Empty(TemporaryFault::kHeadOverLive); }

void TemporaryTracker::Empty(TemporaryFault fault) {
  ++event_count_;
  for (const auto& [address, issued] : issued_) {
    if (issued.outstanding_count > 0) findings_.push_back({fault, address, issued.bytes, event_count_});
  }
  issued_.clear();
  outstanding_count_ = 0;
}

}  // namespace arenaproof

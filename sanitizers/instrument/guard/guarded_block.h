// A copy of an operand in pages of its own, with closed pages on both sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/instrument/filling/closed_bytes.h"

namespace arenaproof {

inline constexpr std::size_t kClosedPagesBytes = 65536;  // on each side

// Which edge of the copy lies at a closed page: the end, as far as the alignment lets it, or the start.
enum class FlushTo : std::uint8_t { kEnd, kStart };

// The alignment that an operand at this address can rely on, 16 at most.
std::size_t AlignmentAt(const std::byte* address);

// Bytes behind so many from the operand's start on that fill up its alignment: flush to the end, they lie in its own
// page.
std::size_t ResidueBytes(const std::byte* operand, std::size_t bytes);

// So many in front of an operand, rounded up to its alignment: flush to the start, they lie in its own page.
std::size_t LeadBytes(const std::byte* operand, std::size_t bytes);

class GuardedBlock {
 public:
  // `data` null when the system gives no memory. What may be read around it lies in the copy's own pages, and is fill.
  GuardedBlock(MemoryRegion original, const ReadableAround& around, FlushTo flush, Fill fill);
  ~GuardedBlock();
  GuardedBlock(const GuardedBlock&) = delete;
  GuardedBlock& operator=(const GuardedBlock&) = delete;

  // Closes the pages around the copy, lays the fill around it, and copies the original unless it `begins_empty`: then
  // the fill is in it too. False when the system refuses a change of rights, as it does for too many mappings.
  bool Lay(bool writable, bool begins_empty);

  // Bytes of the copy's own pages, beside it, that were written; nothing where the pages were not writable.
  std::vector<MemoryRegion> WrittenBeside() const;

  std::byte* data() const { return data_; }
  MemoryRegion original() const { return original_; }
  MemoryRegion mapping() const { return {mapping_, mapping_bytes_}; }
  // Laid, and all pages around the copy closed since.
  bool closed() const { return closed_; }
  void MarkOpen() { closed_ = false; }

  // Where in the original's surroundings a byte of the mapping would lie.
  const std::byte* InOriginal(std::uintptr_t address) const;

 private:
  std::byte FillAt(std::size_t page_offset) const { return FillByte(fill_, page_offset, std::byte{}); }

  MemoryRegion original_;
  Fill fill_;
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  std::byte* pages_ = nullptr;
  std::size_t pages_bytes_ = 0;
  std::byte* data_ = nullptr;
  bool writable_ = false, closed_ = false;
};

}  // namespace arenaproof

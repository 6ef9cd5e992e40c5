#include "sanitizers/instrument/guard/guarded_block.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "sanitizers/instrument/guard/fault_trap.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostAlignment = 16;
static_assert(kClosedPagesBytes % kPageBytes == 0);

}  // namespace

std::size_t AlignmentAt(const std::byte* address) {
  std::size_t alignment = 1;
  while (alignment < kMostAlignment && AddressOf(address) % (2 * alignment) == 0) alignment *= 2;
  return alignment;
}

std::size_t ResidueBytes(const std::byte* operand, std::size_t bytes) {
  const std::size_t alignment = AlignmentAt(operand);
  return (alignment - bytes % alignment) % alignment;
}

std::size_t LeadBytes(const std::byte* operand, std::size_t bytes) { return bytes + ResidueBytes(operand, bytes); }

GuardedBlock::GuardedBlock(MemoryRegion original, const ReadableAround& around, FlushTo flush, Fill fill)
    : original_(original), fill_(fill) {
  const std::size_t lead = LeadBytes(original.data, around.before_bytes);
  const std::size_t open = original.bytes + around.after_bytes;
  pages_bytes_ = (lead + open + kPageBytes - 1) / kPageBytes * kPageBytes;
  mapping_bytes_ = pages_bytes_ + 2 * kClosedPagesBytes;
  void* const mapped = mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return;
  mapping_ = static_cast<std::byte*>(mapped);
  pages_ = mapping_ + kClosedPagesBytes;
  data_ = pages_ + lead;
  if (flush == FlushTo::kEnd) data_ = pages_ + pages_bytes_ - open - ResidueBytes(original.data, open);
}

GuardedBlock::~GuardedBlock() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

bool GuardedBlock::Lay(bool writable, bool begins_empty) {
  if (mprotect(mapping_, mapping_bytes_, PROT_NONE) != 0) return false;
  if (mprotect(pages_, pages_bytes_, PROT_READ | PROT_WRITE) != 0) return false;
  for (std::size_t i = 0; i < pages_bytes_; ++i) pages_[i] = FillAt(i);
  if (!begins_empty) std::memcpy(data_, original_.data, original_.bytes);
  if (!writable && mprotect(pages_, pages_bytes_, PROT_READ) != 0) return false;
  writable_ = writable;
  closed_ = true;
  return true;
}

std::vector<MemoryRegion> GuardedBlock::WrittenBeside() const {
  std::vector<MemoryRegion> written;
  if (!writable_) return written;
  const auto begin = static_cast<std::size_t>(data_ - pages_);
  bool in_stretch = false;
  for (std::size_t i = 0; i < pages_bytes_; ++i) {
    if (i == begin) {
      i += original_.bytes;
      in_stretch = false;
      if (i >= pages_bytes_) break;
    }
    if (pages_[i] == FillAt(i)) {
      in_stretch = false;
    } else if (in_stretch) {
      ++written.back().bytes;
    } else {
      written.push_back({pages_ + i, 1});
      in_stretch = true;
    }
  }
  return written;
}

const std::byte* GuardedBlock::InOriginal(std::uintptr_t address) const {
  return reinterpret_cast<const std::byte*>(AddressOf(original_.data) + (address - AddressOf(data_)));
}

}  // namespace arenaproof

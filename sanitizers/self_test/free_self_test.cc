#include "sanitizers/self_test/free_self_test.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {
namespace {

constexpr std::size_t kBytes = 4096;

// Whether any page that the region touches is still mapped.
bool IsMapped(MemoryRegion region) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(region.data) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(region.data) + region.bytes;
  for (std::uintptr_t address = begin; address < end; address += page) {
    if (msync(reinterpret_cast<void*>(address), page, MS_ASYNC) == 0 || errno != ENOMEM) return true;
  }
  return false;
}

}  // namespace

SelfTestResult RunFreeSelfTest(std::size_t reserve_bytes) {
  SelfTestResult result;
  result.ran = true;
  CheckedMemory memory(kBytes, 0, reserve_bytes);
  if (memory.data() == nullptr) {
    result.missed.push_back("no memory for the self-test of freeing");
    return result;
  }
  const WatchedRegion region = memory.region();
  std::byte* const original = memory.allocation();
  const auto expect_report = [&](const std::byte* pointer, const std::string& what) {
    const bool reported = !memory.Free(pointer).empty();
    (reported ? result.seen : result.missed).push_back(what);
    if (memory.allocation() != original || !IsMapped(region.whole)) {
      result.missed.push_back(what + " that gave memory back");
      return false;
    }
    return reported;
  };
  // Each works on memory that the one before left alone.
  const std::string over = "over the reserve of " + BytesText(reserve_bytes);
  if (reserve_bytes > 0 && !expect_report(memory.data(), "free of the pointer advanced " + over)) return result;
  if (!expect_report(original + 1, "free of the pointer advanced by 1 byte")) return result;
  if (!expect_report(original - 1, "free of a pointer 1 byte before the allocation")) return result;
  memory.data()[kBytes - 1] = std::byte{1};  // still the application's
  if (!memory.Free(original).empty()) result.legal_reported.push_back("free of the original pointer");
  if (memory.data() != nullptr || IsMapped(region.whole)) {
    result.missed.push_back("memory kept after the original pointer was freed");
    return result;
  }
  (memory.Free(original).empty() ? result.missed : result.seen).push_back("second free of the original pointer");
  return result;
}

}  // namespace arenaproof

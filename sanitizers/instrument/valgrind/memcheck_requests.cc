#include "sanitizers/instrument/valgrind/memcheck_requests.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

#include <vector>
#endif

namespace arenaproof::memcheck {

#if __has_include(<valgrind/memcheck.h>)

bool Runs() { return RUNNING_ON_VALGRIND != 0; }

void Close(MemoryRegion region) { VALGRIND_MAKE_MEM_NOACCESS(region.data, region.bytes); }
void MarkUnwritten(MemoryRegion region) { VALGRIND_MAKE_MEM_UNDEFINED(region.data, region.bytes); }
void MarkWritten(MemoryRegion region) { VALGRIND_MAKE_MEM_DEFINED(region.data, region.bytes); }

UnwrittenBytes FindUnwritten(MemoryRegion region) {
  UnwrittenBytes found;
  if (VALGRIND_CHECK_MEM_IS_DEFINED(region.data, region.bytes) == 0) return found;
  std::vector<unsigned char> bits(region.bytes);  // 0: written
  if (VALGRIND_GET_VBITS(region.data, bits.data(), region.bytes) != 1) return found;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] == 0) continue;
    if (found.count++ == 0) found.lowest = i;
    found.highest = i;
  }
  return found;
}

void StopReports() { VALGRIND_DISABLE_ERROR_REPORTING; }
void AllowReports() { VALGRIND_ENABLE_ERROR_REPORTING; }
std::size_t CountErrors() { return VALGRIND_COUNT_ERRORS; }
void WriteMark(unsigned number) { VALGRIND_PRINTF("%s%u\n", kMarkWord, number); }

#else

bool Runs() { return false; }
void Close(MemoryRegion) {}
void MarkUnwritten(MemoryRegion) {}
void MarkWritten(MemoryRegion) {}
UnwrittenBytes FindUnwritten(MemoryRegion) { return {}; }
void StopReports() {}
void AllowReports() {}
std::size_t CountErrors() { return 0; }
void WriteMark(unsigned) {}

#endif

}  // namespace arenaproof::memcheck

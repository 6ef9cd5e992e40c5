// What this process asks of Valgrind's memcheck when it runs under it, and where it does not, or where Valgrind's
// header was missing when this was compiled: nothing.
#pragma once

#include <cstddef>

#include "core/arena/observer.h"

namespace arenaproof::memcheck {

// Whether this process runs under Valgrind, and can ask.
bool Runs();

void Close(MemoryRegion region);          // every access is an error
void MarkUnwritten(MemoryRegion region);  // open, and nobody has written it
void MarkWritten(MemoryRegion region);

// Bytes of the region that nobody has written, or that were made from such; the first and the last of them.
struct UnwrittenBytes {
  std::size_t count = 0, lowest = 0, highest = 0;
};
UnwrittenBytes FindUnwritten(MemoryRegion region);

// From now on errors of this thread are neither counted nor written; or they are again.
void StopReports();
void AllowReports();

// So many errors, those that memcheck does not write because it wrote one like it.
std::size_t CountErrors();

// A line in the log, before the errors that come later.
void WriteMark(unsigned number);
inline constexpr const char* kMarkWord = "mark ";

}  // namespace arenaproof::memcheck

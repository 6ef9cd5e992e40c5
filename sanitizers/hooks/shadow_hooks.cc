// The functions that code compiled with -fsanitize=kernel-address calls before each access. A watched byte is legal
// when its shadow byte has the right; legal accesses leave a mark, the others are reported and carried out.
#ifdef ARENAPROOF_SHADOW
#include <pthread.h>
#endif

#include <cstddef>
#include <cstdint>

#include "sanitizers/hooks/attributes.h"
#include "sanitizers/hooks/range_check.h"
#include "sanitizers/hooks/shadow_table.h"

namespace arenaproof::hooks {

constinit ShadowTable shadow_table;

#ifdef ARENAPROOF_SHADOW

namespace {

// Unaligned words of shadow bytes.
typedef std::uint16_t __attribute__((may_alias, aligned(1))) Shadow2;
typedef std::uint32_t __attribute__((may_alias, aligned(1))) Shadow4;
typedef std::uint64_t __attribute__((may_alias, aligned(1))) Shadow8;

// Threads of a kernel report one after the other. One that reports makes accesses too: they are nobody's, and those of
// the others are watched meanwhile.
constinit pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;
constinit thread_local bool reports = false;

ARENAPROOF_UNINSTRUMENTED __attribute__((noinline)) void Report(std::uintptr_t address, std::size_t bytes, bool write) {
  if (reports) return;
  reports = true;
  pthread_mutex_lock(&report_lock);
  // The operator may have ended while this thread waited.
  if (shadow_table.extent != 0) shadow_table.report(address, bytes, write);
  pthread_mutex_unlock(&report_lock);
  reports = false;
}

template <typename Word>
ARENAPROOF_UNINSTRUMENTED_INLINE bool Pass(std::uint8_t* shadow, std::uint8_t right, std::uint8_t mark) {
  constexpr Word kOnes = static_cast<Word>(0x0101010101010101ULL);
  Word* word = reinterpret_cast<Word*>(shadow);
  const Word wanted = static_cast<Word>(kOnes * right);
  if ((*word & wanted) != wanted) return false;
  *word = static_cast<Word>(*word | static_cast<Word>(kOnes * mark));
  if (mark == kWasWritten) {
    const Word in_place = static_cast<Word>(*word & static_cast<Word>(kOnes * kInPlace));
    *word = static_cast<Word>(*word & static_cast<Word>(~(in_place >> 4)));
  }
  return true;
}

template <int kBytes>
ARENAPROOF_UNINSTRUMENTED_INLINE bool PassBytes(std::uint8_t* shadow, std::uint8_t right, std::uint8_t mark) {
  if constexpr (kBytes == 1) return Pass<std::uint8_t>(shadow, right, mark);
  if constexpr (kBytes == 2) return Pass<Shadow2>(shadow, right, mark);
  if constexpr (kBytes == 4) return Pass<Shadow4>(shadow, right, mark);
  if constexpr (kBytes == 8) return Pass<Shadow8>(shadow, right, mark);
  if constexpr (kBytes == 16) return Pass<Shadow8>(shadow, right, mark) && Pass<Shadow8>(shadow + 8, right, mark);
}

template <int kBytes, bool kWrite>
ARENAPROOF_UNINSTRUMENTED_INLINE void Check(std::uintptr_t address) {
  if (address - shadow_table.lowest >= shadow_table.extent) return;
  for (int i = 0; i < shadow_table.region_count; ++i) {
    const ShadowRegion& region = shadow_table.regions[i];
    const std::uintptr_t offset = address - region.begin;
    if (offset >= region.bytes) continue;
    if (!PassBytes<kBytes>(region.shadow + offset, kWrite ? kMayWrite : kMayRead, kWrite ? kWasWritten : kWasRead)) {
      Report(address, kBytes, kWrite);
    }
    return;
  }
}

// Any width; also an access that starts outside a region and reaches into it.
ARENAPROOF_UNINSTRUMENTED bool CheckAny(std::uintptr_t address, std::size_t bytes, bool write) {
  if (bytes == 0 || shadow_table.extent == 0) return true;
  const std::uintptr_t end = address + bytes < address ? UINTPTR_MAX : address + bytes;
  if (end <= shadow_table.lowest || address >= shadow_table.lowest + shadow_table.extent) return true;
  const std::uint8_t right = write ? kMayWrite : kMayRead;
  const std::uint8_t mark = write ? kWasWritten : kWasRead;
  for (int i = 0; i < shadow_table.region_count; ++i) {
    const ShadowRegion& region = shadow_table.regions[i];
    const std::uintptr_t first = address > region.begin ? address : region.begin;
    const std::uintptr_t region_end = region.begin + region.bytes;
    const std::uintptr_t last = end < region_end ? end : region_end;
    if (first >= last) continue;
    std::uint8_t* shadow = region.shadow + (first - region.begin);
    std::size_t left = last - first;
    bool passed = true;
    for (; left >= 8; left -= 8, shadow += 8) passed &= Pass<Shadow8>(shadow, right, mark);
    for (; left > 0; --left, ++shadow) passed &= Pass<std::uint8_t>(shadow, right, mark);
    // An access that hangs over a region's edge is closed there: nobody may touch across.
    if (!passed || first != address || last != end) {
      Report(address, bytes, write);
      return false;
    }
    return true;
  }
  return true;
}

ARENAPROOF_UNINSTRUMENTED bool CheckRange(const void* address, std::size_t bytes, bool write) {
  return CheckAny(reinterpret_cast<std::uintptr_t>(address), bytes, write);
}

}  // namespace

ARENAPROOF_UNINSTRUMENTED void DisarmShadow() {
  // A crash in the middle of a report ends the operator from there.
  if (reports) {
    shadow_table.extent = 0;
    return;
  }
  pthread_mutex_lock(&report_lock);
  shadow_table.extent = 0;
  pthread_mutex_unlock(&report_lock);
}

constinit RangeCheck check_range = CheckRange;
constinit std::uintptr_t first_checked = 0;
constinit std::uintptr_t behind_checked = UINTPTR_MAX;

}  // namespace arenaproof::hooks

using arenaproof::hooks::Check;
using arenaproof::hooks::CheckAny;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
#define ARENAPROOF_ACCESS_HOOKS(bytes)                                                              \
  extern "C" ARENAPROOF_UNINSTRUMENTED void __asan_load##bytes##_noabort(std::uintptr_t address);   \
  extern "C" ARENAPROOF_UNINSTRUMENTED void __asan_load##bytes##_noabort(std::uintptr_t address) {  \
    Check<bytes, false>(address);                                                                   \
  }                                                                                                 \
  extern "C" ARENAPROOF_UNINSTRUMENTED void __asan_store##bytes##_noabort(std::uintptr_t address);  \
  extern "C" ARENAPROOF_UNINSTRUMENTED void __asan_store##bytes##_noabort(std::uintptr_t address) { \
    Check<bytes, true>(address);                                                                    \
  }

ARENAPROOF_ACCESS_HOOKS(1)
ARENAPROOF_ACCESS_HOOKS(2)
ARENAPROOF_ACCESS_HOOKS(4)
ARENAPROOF_ACCESS_HOOKS(8)
ARENAPROOF_ACCESS_HOOKS(16)

extern "C" {

void __asan_loadN_noabort(std::uintptr_t address, std::size_t bytes);
void __asan_storeN_noabort(std::uintptr_t address, std::size_t bytes);
void* __asan_memcpy(void* to, const void* from, std::size_t bytes);
void* __asan_memmove(void* to, const void* from, std::size_t bytes);
void* __asan_memset(void* to, int value, std::size_t bytes);
void __asan_handle_no_return();

// All other widths and unaligned vectors. The common ones take the short way.
ARENAPROOF_UNINSTRUMENTED void __asan_loadN_noabort(std::uintptr_t address, std::size_t bytes) {
  if (bytes == 16) return Check<16, false>(address);
  if (bytes == 4) return Check<4, false>(address);
  if (bytes == 8) return Check<8, false>(address);
  CheckAny(address, bytes, false);
}

ARENAPROOF_UNINSTRUMENTED void __asan_storeN_noabort(std::uintptr_t address, std::size_t bytes) {
  if (bytes == 16) return Check<16, true>(address);
  if (bytes == 4) return Check<4, true>(address);
  if (bytes == 8) return Check<8, true>(address);
  CheckAny(address, bytes, true);
}

ARENAPROOF_UNINSTRUMENTED void* __asan_memcpy(void* to, const void* from, std::size_t bytes) {
  CheckAny(reinterpret_cast<std::uintptr_t>(from), bytes, false);
  CheckAny(reinterpret_cast<std::uintptr_t>(to), bytes, true);
  return __builtin_memcpy(to, from, bytes);
}

ARENAPROOF_UNINSTRUMENTED void* __asan_memmove(void* to, const void* from, std::size_t bytes) {
  CheckAny(reinterpret_cast<std::uintptr_t>(from), bytes, false);
  CheckAny(reinterpret_cast<std::uintptr_t>(to), bytes, true);
  return __builtin_memmove(to, from, bytes);
}

ARENAPROOF_UNINSTRUMENTED void* __asan_memset(void* to, int value, std::size_t bytes) {
  CheckAny(reinterpret_cast<std::uintptr_t>(to), bytes, true);
  return __builtin_memset(to, value, bytes);
}

ARENAPROOF_UNINSTRUMENTED void __asan_handle_no_return() {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)

#else

void DisarmShadow() { shadow_table.extent = 0; }

constinit RangeCheck check_range = nullptr;
constinit std::uintptr_t first_checked = 0;  // set by who sets the check
constinit std::uintptr_t behind_checked = 0;

}  // namespace arenaproof::hooks

#endif

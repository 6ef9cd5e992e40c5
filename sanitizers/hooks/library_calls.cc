// Calls into the C library that the compiler puts no check around, wrapped at link time (--wrap=NAME, the names are
// those of wrapped_calls.inc): the ranges they touch are checked first. A call that fails its check is carried out
// here, byte by byte, so that the library's own instrumentation does not report it a second time.
#if defined(ARENAPROOF_SHADOW) || defined(ARENAPROOF_ASAN)

#include <cstddef>
#include <cstdint>

#include "sanitizers/hooks/attributes.h"
#include "sanitizers/hooks/range_check.h"

namespace arenaproof::hooks {
namespace {

// Volatile: the loops below must not be turned back into calls of the functions they stand for.
using Bytes = const volatile unsigned char*;

// A length that wraps around lies nowhere else.
ARENAPROOF_UNINSTRUMENTED_INLINE bool LiesElsewhere(const void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return begin >= behind_checked || (begin + bytes <= first_checked && begin + bytes >= begin);
}

ARENAPROOF_UNINSTRUMENTED_INLINE bool Passes(const void* address, std::size_t bytes, bool write) {
  return check_range == nullptr || LiesElsewhere(address, bytes) || check_range(address, bytes, write);
}

[[maybe_unused]] ARENAPROOF_UNINSTRUMENTED_INLINE int Compare(const void* a, const void* b, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const int difference = static_cast<Bytes>(a)[i] - static_cast<Bytes>(b)[i];
    if (difference != 0) return difference;
  }
  return 0;
}

ARENAPROOF_UNINSTRUMENTED_INLINE void* Move(void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<volatile unsigned char*>(to);
  const auto* source = static_cast<Bytes>(from);
  if (reinterpret_cast<std::uintptr_t>(to) <= reinterpret_cast<std::uintptr_t>(from)) {
    for (std::size_t i = 0; i < bytes; ++i) target[i] = source[i];
  } else {
    for (std::size_t i = bytes; i > 0; --i) target[i - 1] = source[i - 1];
  }
  return to;
}

// Length of a text that ends at its first zero or after `limit` bytes.
[[maybe_unused]] ARENAPROOF_UNINSTRUMENTED_INLINE std::size_t Length(const char* text, std::size_t limit) {
  std::size_t length = 0;
  while (length < limit && reinterpret_cast<Bytes>(text)[length] != 0) ++length;
  return length;
}

// The bytes that reading such a text touches.
[[maybe_unused]] ARENAPROOF_UNINSTRUMENTED_INLINE std::size_t Touched(const char* text, std::size_t limit) {
  const std::size_t length = Length(text, limit);
  return length < limit ? length + 1 : length;
}

// How far two texts have to be read to compare them.
[[maybe_unused]] ARENAPROOF_UNINSTRUMENTED_INLINE std::size_t Common(const char* a, const char* b, std::size_t limit) {
  std::size_t i = 0;
  while (i < limit) {
    const unsigned char left = reinterpret_cast<Bytes>(a)[i];
    const unsigned char right = reinterpret_cast<Bytes>(b)[i];
    ++i;
    if (left != right || left == 0) break;
  }
  return i;
}

}  // namespace
}  // namespace arenaproof::hooks

using namespace arenaproof::hooks;  // this file is nothing but wrappers

// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
extern "C" {

#ifndef ARENAPROOF_FUZZ  // the fuzzing engine listens to the library's own comparisons

int __real_memcmp(const void*, const void*, std::size_t);
int __wrap_memcmp(const void* a, const void* b, std::size_t bytes);
ARENAPROOF_UNINSTRUMENTED int __wrap_memcmp(const void* a, const void* b, std::size_t bytes) {
  const bool a_passes = Passes(a, bytes, false);
  const bool b_passes = Passes(b, bytes, false);
  return a_passes && b_passes ? __real_memcmp(a, b, bytes) : Compare(a, b, bytes);
}

int __real_bcmp(const void*, const void*, std::size_t);
int __wrap_bcmp(const void* a, const void* b, std::size_t bytes);
ARENAPROOF_UNINSTRUMENTED int __wrap_bcmp(const void* a, const void* b, std::size_t bytes) {
  const bool a_passes = Passes(a, bytes, false);
  const bool b_passes = Passes(b, bytes, false);
  return a_passes && b_passes ? __real_bcmp(a, b, bytes) : Compare(a, b, bytes);
}

void* __real_memchr(const void*, int, std::size_t);
void* __wrap_memchr(const void* bytes_begin, int value, std::size_t bytes);
// Reads up to the first match only.
ARENAPROOF_UNINSTRUMENTED void* __wrap_memchr(const void* bytes_begin, int value, std::size_t bytes) {
  if (check_range == nullptr) return __real_memchr(bytes_begin, value, bytes);
  std::size_t i = 0;
  while (i < bytes && static_cast<Bytes>(bytes_begin)[i] != static_cast<unsigned char>(value)) ++i;
  if (check_range(bytes_begin, i < bytes ? i + 1 : bytes, false)) return __real_memchr(bytes_begin, value, bytes);
  return i < bytes ? const_cast<unsigned char*>(static_cast<const unsigned char*>(bytes_begin) + i) : nullptr;
}

std::size_t __real_strlen(const char*);
std::size_t __wrap_strlen(const char* text);
ARENAPROOF_UNINSTRUMENTED std::size_t __wrap_strlen(const char* text) {
  if (check_range == nullptr) return __real_strlen(text);
  const std::size_t length = Length(text, SIZE_MAX);
  return check_range(text, length + 1, false) ? __real_strlen(text) : length;
}

std::size_t __real_strnlen(const char*, std::size_t);
std::size_t __wrap_strnlen(const char* text, std::size_t limit);
ARENAPROOF_UNINSTRUMENTED std::size_t __wrap_strnlen(const char* text, std::size_t limit) {
  if (check_range == nullptr) return __real_strnlen(text, limit);
  return check_range(text, Touched(text, limit), false) ? __real_strnlen(text, limit) : Length(text, limit);
}

int __real_strcmp(const char*, const char*);
int __wrap_strcmp(const char* a, const char* b);
ARENAPROOF_UNINSTRUMENTED int __wrap_strcmp(const char* a, const char* b) {
  if (check_range == nullptr) return __real_strcmp(a, b);
  const std::size_t bytes = Common(a, b, SIZE_MAX);
  const bool a_passes = check_range(a, bytes, false);
  const bool b_passes = check_range(b, bytes, false);
  return a_passes && b_passes ? __real_strcmp(a, b) : Compare(a, b, bytes);
}

int __real_strncmp(const char*, const char*, std::size_t);
int __wrap_strncmp(const char* a, const char* b, std::size_t limit);
ARENAPROOF_UNINSTRUMENTED int __wrap_strncmp(const char* a, const char* b, std::size_t limit) {
  if (check_range == nullptr) return __real_strncmp(a, b, limit);
  const std::size_t bytes = Common(a, b, limit);
  const bool a_passes = check_range(a, bytes, false);
  const bool b_passes = check_range(b, bytes, false);
  return a_passes && b_passes ? __real_strncmp(a, b, limit) : Compare(a, b, bytes);
}

#endif

void __real_qsort(void*, std::size_t, std::size_t, int (*)(const void*, const void*));
void __wrap_qsort(void* items, std::size_t count, std::size_t bytes, int (*compare)(const void*, const void*));
// Its moves are made in the library; the comparisons are the caller's own code. Instrumented libraries do not look at
// the items themselves.
ARENAPROOF_UNINSTRUMENTED void __wrap_qsort(void* items, std::size_t count, std::size_t bytes,
                                            int (*compare)(const void*, const void*)) {
  if (check_range != nullptr && count > 1) {
    check_range(items, count * bytes, false);
    check_range(items, count * bytes, true);
  }
  if (count > 1) __real_qsort(items, count, bytes, compare);  // one is not touched, though the sanitizer looks at it
}

double __real_frexp(double, int*);
double __wrap_frexp(double value, int* exponent);
ARENAPROOF_UNINSTRUMENTED double __wrap_frexp(double value, int* exponent) {
  if (Passes(exponent, sizeof *exponent, true)) return __real_frexp(value, exponent);
  int own = 0;
  const double fraction = __real_frexp(value, &own);
  Move(exponent, &own, sizeof own);
  return fraction;
}

#ifdef ARENAPROOF_ASAN
// The compiler's own calls. The runtime's report would give the first illegal byte with the whole call's width.

void* __real___asan_memcpy(void*, const void*, std::size_t);
void* __wrap___asan_memcpy(void* to, const void* from, std::size_t bytes);
ARENAPROOF_UNINSTRUMENTED void* __wrap___asan_memcpy(void* to, const void* from, std::size_t bytes) {
  const bool from_passes = Passes(from, bytes, false);
  const bool to_passes = Passes(to, bytes, true);
  return from_passes && to_passes ? __real___asan_memcpy(to, from, bytes) : Move(to, from, bytes);
}

void* __real___asan_memmove(void*, const void*, std::size_t);
void* __wrap___asan_memmove(void* to, const void* from, std::size_t bytes);
ARENAPROOF_UNINSTRUMENTED void* __wrap___asan_memmove(void* to, const void* from, std::size_t bytes) {
  const bool from_passes = Passes(from, bytes, false);
  const bool to_passes = Passes(to, bytes, true);
  return from_passes && to_passes ? __real___asan_memmove(to, from, bytes) : Move(to, from, bytes);
}

void* __real___asan_memset(void*, int, std::size_t);
void* __wrap___asan_memset(void* to, int value, std::size_t bytes);
ARENAPROOF_UNINSTRUMENTED void* __wrap___asan_memset(void* to, int value, std::size_t bytes) {
  if (Passes(to, bytes, true)) return __real___asan_memset(to, value, bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    static_cast<volatile unsigned char*>(to)[i] = static_cast<unsigned char>(value);
  return to;
}
#endif

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)

#endif

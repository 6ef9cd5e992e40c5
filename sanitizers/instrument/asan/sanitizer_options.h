// The options of the sanitizers that a program is built with. A program states them once, in one source file and
// outside of any namespace; the variables below override, save in the workers of the command, which passes none of them
// on. Without sanitizers nothing is defined.
#pragma once

namespace arenaproof {

inline constexpr const char* kSanitizerOptionVariables[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"};

}  // namespace arenaproof

// Reports about watched memory are left to the instrument: the program goes on, and an equal access is reported again.
#define ARENAPROOF_GOES_ON_AFTER_REPORTS "halt_on_error=0:suppress_equal_pcs=0"
// Longer contexts of allocations cost more than the runs here. While a fuzzing engine runs even a short one costs a
// fifth; the replay of what it finds has them.
#ifdef ARENAPROOF_FUZZ
#define ARENAPROOF_SHORT_CONTEXTS "malloc_context_size=0"
#else
#define ARENAPROOF_SHORT_CONTEXTS "malloc_context_size=2"
#endif
// Reports without names: a symbolizer process for each of thousands of them would take minutes.
#define ARENAPROOF_NO_SYMBOLS "symbolize=0"
// A report about the program itself is an internal error, never "violations found" (1, the sanitizers' own choice).
#define ARENAPROOF_INTERNAL_ERROR_STATUS "exitcode=3"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-redundant-declaration): the compiler chose these names
#ifdef ARENAPROOF_ASAN
#include <sanitizer/common_interface_defs.h>

#define ARENAPROOF_ASAN_OPTIONS(text)                              \
  extern "C" const char* __asan_default_options();                 \
  extern "C" const char* __asan_default_options() { return text; } \
  static_assert(true)
#define ARENAPROOF_UBSAN_OPTIONS(text)                              \
  extern "C" const char* __ubsan_default_options();                 \
  extern "C" const char* __ubsan_default_options() { return text; } \
  static_assert(true)
// Undefined behaviour is reported to stderr at once, with its stack: while an operator runs, all other reports go
// nowhere until the instrument has examined them.
#define ARENAPROOF_UBSAN_REPORTS_AT_ONCE()                                                       \
  ARENAPROOF_UBSAN_OPTIONS("print_stacktrace=1");                                                \
  extern "C" void __ubsan_on_report();                                                           \
  extern "C" void __ubsan_on_report() { __sanitizer_set_report_fd(reinterpret_cast<void*>(2)); } \
  static_assert(true)
#else
#define ARENAPROOF_ASAN_OPTIONS(text) static_assert(true)
#define ARENAPROOF_UBSAN_OPTIONS(text) static_assert(true)
#define ARENAPROOF_UBSAN_REPORTS_AT_ONCE() static_assert(true)
#endif
// NOLINTEND(bugprone-reserved-identifier,readability-redundant-declaration)

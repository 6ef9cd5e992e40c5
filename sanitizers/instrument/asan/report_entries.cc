// What instrumented code calls for an access to a closed byte. The linker sends these calls here (--wrap,
// CMakeLists.txt): a report about watched memory is taken without the text that the runtime would make of it, which
// costs some hundred times as much. Every other report goes on to the runtime, as if it had been called from the same
// place.
//
// The runtime's own checks of library calls, code outlined by the compiler, and objects loaded later do not come
// through here; they reach the instrument by __asan_on_error.
#ifdef ARENAPROOF_ASAN

#include "sanitizers/instrument/asan/asan_instrument.h"

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler and the linker chose these names
#define ARENAPROOF_ENTRY(name, BYTES, WRITE)                                                                         \
  extern "C" void __real___asan_report_##name##_noabort(std::uintptr_t);                                             \
  extern "C" void __wrap___asan_report_##name##_noabort(std::uintptr_t);                                             \
  extern "C" __attribute__((no_sanitize("address"))) void __wrap___asan_report_##name##_noabort(std::uintptr_t at) { \
    if (arenaproof::AsanInstrument::TakeReport(                                                                      \
            {at, BYTES, WRITE, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))})) {                    \
      return;                                                                                                        \
    }                                                                                                                \
    [[clang::musttail]] return __real___asan_report_##name##_noabort(at);                                            \
  }                                                                                                                  \
  static_assert(true)

#define ARENAPROOF_SIZED_ENTRY(name, WRITE)                                                                          \
  extern "C" void __real___asan_report_##name##_noabort(std::uintptr_t, std::size_t);                                \
  extern "C" void __wrap___asan_report_##name##_noabort(std::uintptr_t, std::size_t);                                \
  extern "C" __attribute__((no_sanitize("address"))) void __wrap___asan_report_##name##_noabort(std::uintptr_t at,   \
                                                                                                std::size_t bytes) { \
    if (arenaproof::AsanInstrument::TakeReport(                                                                      \
            {at, bytes, WRITE, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))})) {                    \
      return;                                                                                                        \
    }                                                                                                                \
    [[clang::musttail]] return __real___asan_report_##name##_noabort(at, bytes);                                     \
  }                                                                                                                  \
  static_assert(true)

ARENAPROOF_ENTRY(load1, 1, false);
ARENAPROOF_ENTRY(load2, 2, false);
ARENAPROOF_ENTRY(load4, 4, false);
ARENAPROOF_ENTRY(load8, 8, false);
ARENAPROOF_ENTRY(load16, 16, false);
ARENAPROOF_ENTRY(store1, 1, true);
ARENAPROOF_ENTRY(store2, 2, true);
ARENAPROOF_ENTRY(store4, 4, true);
ARENAPROOF_ENTRY(store8, 8, true);
ARENAPROOF_ENTRY(store16, 16, true);
ARENAPROOF_SIZED_ENTRY(load_n, false);
ARENAPROOF_SIZED_ENTRY(store_n, true);
// NOLINTEND(bugprone-reserved-identifier)

#endif

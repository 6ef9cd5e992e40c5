// Linked (-Wl,--wrap) into targets whose inputs are codes that nothing is compared with: telling libFuzzer every
// comparison costs such a target half of its time and guides nobody.
#include <cstdint>

#define ARENAPROOF_IGNORE_COMPARISON(name, type)                                                                 \
  extern "C"                                                                                                     \
      __attribute__((no_sanitize("address", "undefined", "coverage"))) void __wrap___sanitizer_cov_trace_##name( \
          type, type) {}

ARENAPROOF_IGNORE_COMPARISON(cmp1, std::uint8_t)
ARENAPROOF_IGNORE_COMPARISON(cmp2, std::uint16_t)
ARENAPROOF_IGNORE_COMPARISON(cmp4, std::uint32_t)
ARENAPROOF_IGNORE_COMPARISON(cmp8, std::uint64_t)
ARENAPROOF_IGNORE_COMPARISON(const_cmp1, std::uint8_t)
ARENAPROOF_IGNORE_COMPARISON(const_cmp2, std::uint16_t)
ARENAPROOF_IGNORE_COMPARISON(const_cmp4, std::uint32_t)
ARENAPROOF_IGNORE_COMPARISON(const_cmp8, std::uint64_t)

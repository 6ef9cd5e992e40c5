// How functions are written that run inside an access of the checked code: the compiler must not put hooks into them,
// or the first access would never return. They call nothing that is instrumented: no inline function of the standard
// library, only builtins and functions marked the same way.
#pragma once

#ifdef __clang__
#define ARENAPROOF_UNINSTRUMENTED __attribute__((no_sanitize("address", "kernel-address", "undefined", "coverage")))
#else
#define ARENAPROOF_UNINSTRUMENTED __attribute__((no_sanitize("address", "kernel-address", "undefined")))
#endif
#define ARENAPROOF_UNINSTRUMENTED_INLINE ARENAPROOF_UNINSTRUMENTED __attribute__((always_inline)) static inline

// Code between these two lines does not guide a fuzzer: an oracle's branches are not what inputs shall explore, and
// tracing its comparisons costs more than they do. Sanitizers keep watching it.
#pragma once

#if defined(__clang__)
#define ARENAPROOF_UNGUIDED_BEGIN \
  _Pragma("clang attribute push(__attribute__((no_sanitize(\"coverage\"))), apply_to = function)")
#define ARENAPROOF_UNGUIDED_END _Pragma("clang attribute pop")
#else
#define ARENAPROOF_UNGUIDED_BEGIN
#define ARENAPROOF_UNGUIDED_END
#endif

// How an oracle ends the process.
#pragma once

#include "core/base/status.h"

namespace arenaproof {

// Says what must not happen and aborts.
[[noreturn]] void Defect(const char* what, const char* detail);
[[noreturn]] void Defect(const char* what, const Status& status);

inline void RequireOk(const Status& status, const char* what) {
  if (!status.ok()) Defect(what, status);
}

}  // namespace arenaproof

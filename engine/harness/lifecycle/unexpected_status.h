// The complaint about a status that is not the expected one.
#pragma once

#include <string>

#include "core/base/status.h"
#include "tools/text/sentences.h"

namespace arenaproof {

inline std::string Unexpected(const std::string& what, StatusCode found, StatusCode expected) {
  return what + ": status " + std::string(StatusName(found)) + " instead of " + std::string(StatusName(expected));
}

}  // namespace arenaproof

// Parts of checks and violations that no worker reported, for tests of what is said of them.
#pragma once

#include <string>

#include "tools/command/check.h"

namespace arenaproof {

inline CheckPart MadeUpPart(const char* instrument, const std::string& layout, ExitStatus status) {
  CheckPart part;
  part.instrument = FindInstrument(instrument);
  part.layout = layout;
  part.status = status;
  return part;
}

// A read behind an input.
inline ViolationReport MadeUpRead() {
  ViolationReport violation;
  violation.operator_name = "ADD";
  violation.kernel = "mine";
  violation.phase = "invoke";
  violation.operand_kind = "input";
  violation.access = "read";
  violation.side = "after";
  return violation;
}

}  // namespace arenaproof

// The violations of a check, each once: what several instruments and layouts report about the same accesses.
#pragma once

#include <vector>

#include "tools/command/check.h"

namespace arenaproof {

struct SeenViolation {
  const CheckPart* part;
  const ViolationReport* violation;
};

// Violations that agree in the identity fields of violation_fields.inc are one. In the order of these fields, so by
// operator first; each in the order of the parts. Pointers are into `result`.
std::vector<std::vector<SeenViolation>> MergeViolations(const CheckResult& result);

}  // namespace arenaproof

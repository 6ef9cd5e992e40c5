// Oracle for one planted access: the report that it has to lead to, by an arithmetic of its own, and the comparison of
// an instrument's report with it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sanitizers/planted/planted_access.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {

struct PlantedExpectation {
  bool illegal = false;
  ViolationSide side = ViolationSide::kFar;
  std::size_t distance_bytes = 0;
  const OperandRange* operand = nullptr;  // null: no operand is near
};

// `open`: what the running operator holds; the expectation points into it.
PlantedExpectation ExpectPlanted(const PlantedAccess& planted, const std::byte* address,
                                 std::span<const OperandRange> open);

// Where the access was planted; what is null is not compared.
struct PlantedPlace {
  const ByteState* state = nullptr;
  const ReserveVerdict* reserve = nullptr;
};

// How exact the instrument is: a distance that is not to the byte may be too small, widths may be of something else.
struct PlantedExactness {
  bool distances;
  bool widths;
};

// ", reported as ...", one for each thing that is wrong.
std::vector<std::string> CheckPlanted(const PlantedAccess& planted, const PlantedExpectation& expected,
                                      const PlantedPlace& place, const Violation& found, PlantedExactness exact);

}  // namespace arenaproof

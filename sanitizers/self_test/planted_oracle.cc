#include "sanitizers/self_test/planted_oracle.h"

#include <cstdint>

#include "sanitizers/report/attribution.h"

namespace arenaproof {

PlantedExpectation ExpectPlanted(const PlantedAccess& planted, const std::byte* address,
                                 std::span<const OperandRange> open) {
  PlantedExpectation expected;
  std::size_t nearest = SIZE_MAX;
  const std::uintptr_t begin = AddressOf(address), end = begin + planted.bytes;
  for (const OperandRange& operand : open) {
    if (operand.bytes == 0) continue;
    const std::uintptr_t from = AddressOf(operand.data), to = from + operand.bytes;
    const auto right = static_cast<unsigned>(operand.right);
    if (begin >= from && end <= to) {
      if ((right & (planted.write ? 2u : 1u)) != 0) return {};
      return {.illegal = true, .side = ViolationSide::kInside, .distance_bytes = 0, .operand = &operand};
    }
    const bool meets = begin < to && from < end;
    const std::size_t gap = meets ? 0 : end <= from ? from - end : begin - to;
    if (gap >= nearest) continue;
    nearest = gap;
    const bool before = begin < from;
    expected = {.illegal = true,
                .side = gap >= kFarBytes ? ViolationSide::kFar
                        : before         ? ViolationSide::kBefore
                                         : ViolationSide::kAfter,
                .distance_bytes = gap >= kFarBytes ? gap
                                  : before         ? from - begin
                                                   : end - to,
                .operand = &operand};
  }
  expected.illegal = true;
  return expected;
}

std::vector<std::string> CheckPlanted(const PlantedAccess& planted, const PlantedExpectation& expected,
                                      const PlantedPlace& place, const Violation& found, PlantedExactness exact) {
  std::vector<std::string> wrong;
  if (found.write != planted.write) wrong.push_back(", reported as the other kind of access");
  const bool right_operand = expected.operand == nullptr ? found.operand.data == nullptr
                                                         : found.operand.data == expected.operand->data &&
                                                               found.operand.kind == expected.operand->kind &&
                                                               found.operand.index == expected.operand->index;
  if (!right_operand) wrong.push_back(", charged to the wrong operand");
  if (found.side != expected.side) wrong.push_back(std::string(", reported as ") + ViolationSideName(found.side));
  if (exact.distances ? found.distance_bytes != expected.distance_bytes
                      : found.distance_bytes > expected.distance_bytes) {
    wrong.push_back(", reported " + std::to_string(found.distance_bytes) + " bytes away instead of " +
                    std::to_string(expected.distance_bytes));
  }
  if (exact.widths && (found.min_width_bytes != planted.bytes || found.max_width_bytes != planted.bytes)) {
    wrong.push_back(", reported with another width");
  }
  if (place.state != nullptr && found.state_kind != *place.state) {
    wrong.push_back(std::string(", said to lie in ") + ByteStateName(found.state_kind) + " instead of " +
                    ByteStateName(*place.state));
  }
  if (place.reserve != nullptr && found.reserve != *place.reserve) {
    wrong.push_back(std::string(", of the reserve said to be ") + ReserveVerdictName(found.reserve) + " instead of " +
                    ReserveVerdictName(*place.reserve));
  }
  return wrong;
}

}  // namespace arenaproof

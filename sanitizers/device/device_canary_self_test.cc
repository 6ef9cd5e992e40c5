// The device's canary is shown every shape of access that kernels make, inside an open range, before and behind it and
// across its edges: it has to report the illegal writes and nothing else.
#include <array>
#include <cstring>

#include "sanitizers/device/device_canary.h"
#include "sanitizers/planted/planted_access.h"

namespace arenaproof {
namespace {

constexpr std::uint8_t kPlantedByte = 0x1a;  // of no fill, and no multiple of 16 as zeroed memory is full of

// On a multiple of 8; null when no region has room.
std::byte* PlantedAreaIn(std::span<const CoveredRegion> regions) {
  for (const CoveredRegion& region : regions) {
    if (region.bytes >= kPlantedAreaBytes) return region.data + (8 - AddressOf(region.data) % 8) % 8;
  }
  return nullptr;
}

}  // namespace

void DeviceCanary::RunSelfTest() {
  std::byte* const area = PlantedAreaIn(memory_.regions);
  if (area == nullptr) return;
  std::array<std::byte, kPlantedAreaBytes - 8> saved;
  std::memcpy(saved.data(), area, saved.size());

  std::byte* const open = area + kPlantedClosedBytes;
  const OperandRange operand{open, kPlantedOpenBytes, AccessRight::kReadWrite, OperandKind::kScratch, 0};
  OperatorScope scope;
  scope.operands = {&operand, 1};
  status_ = Ok();  // until the test is over
  std::size_t planted_count = 0, missed_count = 0, legal_reported_count = 0;
  for (const PlantedAccess& planted : PlantedAccesses()) {
    if (planted.depends_on_bytes) continue;
    ForEachPlantedPlace(planted, open, kPlantedOpenBytes, [&](std::byte* address, bool illegal, const char*) {
      const std::size_t before = finding_count_;
      SetPlantedValue(kPlantedByte);
      OnOperatorBegins(scope);
      planted.make(address);
      OnOperatorEnds();
      const bool reported = finding_count_ != before, has_to_be = illegal && planted.write;
      planted_count += has_to_be ? 1 : 0;
      missed_count += has_to_be && !reported ? 1 : 0;
      legal_reported_count += !has_to_be && reported ? 1 : 0;
    });
  }
  std::memcpy(area, saved.data(), saved.size());
  if (missed_count == 0 && legal_reported_count == 0) return;
  status_ = Failure(StatusCode::kInstrumentBlind, missed_count, planted_count, legal_reported_count);
}

}  // namespace arenaproof

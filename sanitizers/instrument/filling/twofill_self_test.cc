// What twofill is shown on attach: writes in one run, and an operator that reads where it may or may not, in every
// shape, and whose output tells what it read; it runs with either fill.
#include <cstring>
#include <string>
#include <utility>

#include "sanitizers/instrument/filling/twofill_instrument.h"
#include "sanitizers/planted/planted_access.h"

namespace arenaproof {
namespace {

constexpr std::size_t kInputAt = 64, kInputBytes = 24, kOutputAt = kInputAt + kInputBytes + kPlantedBytes;
constexpr std::uint8_t kPlantedByte = 0x1a;  // of no fill

}  // namespace

void TwofillInstrument::MakePlantedAccesses(std::byte* area) {
  std::byte* const input = area + kInputAt;
  std::byte* const output = area + kOutputAt;
  const OperandRange operands[] = {{input, kInputBytes, AccessRight::kRead, OperandKind::kInput, 0},
                                   {output, kPlantedResultBytes, AccessRight::kReadWrite, OperandKind::kOutput, 1}};
  OperatorScope scope;
  scope.subgraph = scope.operator_index = -1;
  scope.operator_name = "self-test";
  scope.kernel_name = "planted";
  scope.operands = operands;
  ResultComparison of_the_model = std::exchange(results_, {});
  AccessInstrument::MakePlantedAccesses(area);  // writes
  const auto differs = [&](const auto& body) {
    const std::uint64_t before = log().access_count();
    results_ = {};
    for (const bool other : {false, true}) {
      if (other) results_.BeginOther();
      OnOperatorBegins(scope);
      SetPlantedValue(kPlantedByte);
      body();
      OnOperatorEnds();
    }
    return log().access_count() != before;
  };
  for (const PlantedAccess& planted : PlantedAccesses()) {
    if (planted.write || planted.depends_on_bytes || planted.compares) continue;
    const auto plant = [&](std::byte* address, bool illegal, const char* where) {
      const bool reported = differs([&] {
        std::memset(output, 0, kPlantedResultBytes);
        planted.make(address);
        WritePlantedResults(output);
      });
      NotePlanted(reported, illegal, std::string(planted.what) + " " + where);
    };
    ForEachPlantedPlace(planted, input, kInputBytes, plant);
  }
  NotePlanted(differs([&] { std::memset(output, 0, kPlantedResultBytes - 1); }), true,
              "last byte of an output, which is not written");
  NotePlanted(differs([&] { std::memset(output, 0, kPlantedResultBytes); }), false, "output, which is written");
  results_ = std::move(of_the_model);
}

}  // namespace arenaproof

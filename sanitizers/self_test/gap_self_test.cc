#include "sanitizers/self_test/gap_self_test.h"

#include "sanitizers/planted/planted_access.h"

namespace arenaproof {
namespace {

// The second operand starts on the granules of every backend; the first one ends anywhere.
constexpr std::size_t kSecondAt = 64, kSecondBytes = 48;
constexpr std::size_t kGaps[] = {1, 2, 3, 5, 6, 11};
constexpr std::size_t kMostReports = 4;
constexpr std::uint8_t kPlantedByte = 0x1a;  // of no fill of an instrument's

class SelfTest {
 public:
  SelfTest(AccessInstrument& instrument, std::byte* place, SelfTestResult* result)
      : instrument_(instrument), place_(place), result_(*result) {}

  void Run(std::int32_t operator_index) {
    for (const std::size_t gap : kGaps) {
      const std::size_t end = kSecondAt - gap;
      const OperandRange operands[] = {
          {place_, end, AccessRight::kReadWrite, OperandKind::kOutput, 1},
          {place_ + kSecondAt, kSecondBytes, AccessRight::kReadWrite, OperandKind::kScratch, 0}};
      instrument_.OnOperatorBegins(
          {.operator_index = operator_index, .operator_name = "self-test", .operands = operands});
      for (std::size_t before = 1; before <= 17; ++before) {
        for (const std::size_t after : {std::size_t{1}, 1 + before % 4, std::size_t{8}}) {
          Plant(end - before, before + gap + after, true);
        }
        // The same widths, wholly inside one operand, are legal.
        Plant(end - before, before, false);
        Plant(kSecondAt, before, false);
      }
      instrument_.OnOperatorEnds();
    }
  }

 private:
  // Each access is made by the next of the functions, so that each is made over every gap.
  void Plant(std::size_t at, std::size_t bytes, bool illegal) {
    const auto ranges = PlantedRanges();
    const PlantedRange& range = ranges[next_++ % ranges.size()];
    const std::uint64_t before = instrument_.log().access_count();
    SetPlantedValue(kPlantedByte);
    range.make(place_ + at, bytes);
    // Some backends understand a report when the next one comes, or when the operator's code stops running.
    instrument_.OnRuntimeEnters();
    const bool seen = instrument_.log().access_count() != before;
    instrument_.OnRuntimeLeaves();
    const std::string what = std::string(range.what) + " of " + std::to_string(bytes) + " bytes, " +
                             std::to_string(kSecondAt - at) + " before the next operand's start";
    illegal = illegal && (range.write || instrument_.SeesAccesses());
    if (illegal && !seen && result_.missed.size() < kMostReports) result_.missed.push_back(what + ", over a gap");
    if (illegal && seen) result_.seen.push_back(what);
    if (!illegal && seen && result_.legal_reported.size() < kMostReports) result_.legal_reported.push_back(what);
  }

  AccessInstrument& instrument_;
  std::byte* const place_;
  SelfTestResult& result_;
  std::size_t next_ = 0;
};

}  // namespace

void RunGapSelfTest(AccessInstrument& instrument, std::byte* place, std::int32_t operator_index,
                    SelfTestResult* result) {
  SelfTest(instrument, place, result).Run(operator_index);
}

}  // namespace arenaproof

// Instruments that see writes as the canary does, each with one flaw: the self-test finds every one of them.
#include <gmock/gmock.h>

#include "sanitizers/instrument/filling/closed_bytes.h"
#include "sanitizers/report/attribution.h"
#include "sanitizers/self_test/instrument_self_test.h"

namespace arenaproof::testing {
namespace {

enum class Flaw : std::uint8_t {
  kNone,
  kOtherKind,         // a write is called a read
  kOtherByte,         // the byte behind it is reported
  kNoGuards,          // what lies around arena and model is not watched
  kNoModel,           // nor the model
  kStaysOpen,         // what one operator could touch is open to the next
  kEndsWithTheCall,   // nothing is closed any more when an operator has called the runtime
  kKeepsTemporaries,  // what was taken back stays open
  kReportsAll,        // operators that do nothing wrong
  kForgetsSubgraphs,  // the other subgraph's operators are not watched
  kCount
};

class FlawedInstrument final : public AccessInstrument {
 public:
  explicit FlawedInstrument(Flaw flaw) : flaw_(flaw) {}
  const char* name() const override { return "flawed"; }
  Status Available() const override { return Ok(); }
  bool SeesAccesses() const override { return false; }
  bool SeesOverwritten() const override { return false; }

 private:
  void Start(std::span<const WatchedRegion> watched) override {
    std::vector<MemoryRegion> regions;
    for (const WatchedRegion& region : watched) {
      const bool arena = Contains(region.whole, registry().arena().data);
      if (flaw_ == Flaw::kNoModel && !arena) continue;
      regions.push_back(flaw_ == Flaw::kNoGuards ? region.usable : region.whole);
    }
    bytes_.Watch(std::move(regions));
    before_.clear();
  }
  void Begin(std::span<const OperandRange>) override { called_ = false; }
  void Close(std::span<const OperandRange> open) override {
    std::vector<OperandRange> ranges(open.begin(), open.end());
    if (flaw_ == Flaw::kStaysOpen) ranges.insert(ranges.end(), before_.begin(), before_.end());
    if (flaw_ == Flaw::kEndsWithTheCall && called_) return;
    if (flaw_ == Flaw::kForgetsSubgraphs && named_operator().subgraph == 1) return;
    if (flaw_ == Flaw::kKeepsTemporaries) {
      for (OperandRange& range : ranges) {
        if (range.kind == OperandKind::kTemporary && range.bytes > 0) temporary_ = range;
        if (range.kind == OperandKind::kTemporary && range.bytes == 0) range = temporary_;
      }
    }
    bytes_.Cover(ranges, Fill::kFirst);
    before_.assign(open.begin(), open.end());
  }
  void Open(std::span<const OperandRange>) override {
    called_ = true;
    if (flaw_ == Flaw::kReportsAll) LogRun({.begin = 1, .end = 2}, 1, true);
    for (const MemoryRegion& stretch : bytes_.Uncover()) {
      const std::uintptr_t address = AddressOf(stretch.data) + (flaw_ == Flaw::kOtherByte ? 1 : 0);
      for (const IllegalRun& run : AttributeAccess(open_ranges(), address, stretch.bytes, true)) {
        LogRun(run, stretch.bytes, flaw_ != Flaw::kOtherKind);
      }
    }
  }
  void Stop() override { bytes_.Watch({}); }

  const Flaw flaw_;
  ClosedBytes bytes_;
  std::vector<OperandRange> before_;
  OperandRange temporary_;
  bool called_ = false;
};

TEST(InstrumentSelfTest, FindsEachFlawOfAnInstrument) {
  for (int flaw = 0; flaw < static_cast<int>(Flaw::kCount); ++flaw) {
    FlawedInstrument instrument(static_cast<Flaw>(flaw));
    const SelfTestResult result = RunInstrumentSelfTest(instrument);
    EXPECT_TRUE(result.ran);
    EXPECT_EQ(result.status().ok(), flaw == 0) << flaw << " " << ::testing::PrintToString(result.missed);
  }
}

}  // namespace
}  // namespace arenaproof::testing

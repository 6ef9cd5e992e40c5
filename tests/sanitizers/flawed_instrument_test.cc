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
  kForgetsPrepare,    // nothing is closed before invoke
  kForgetsInputs,     // what may only be read may be written, in the arena
  kForgetsConstants,  // and in the model
  kForgetsGaps,       // closed bytes between two operands that are near each other
  kNothingBefore,     // of an operand
  kNothingBehind,
  kOtherOperand,  // the first one is charged, whatever is near
  kFurther,       // by a byte
  kNoReserve,     // bytes in front of the head are called guards
  kNoPlan,        // tensors and scratch buffers are called gaps
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
    if (flaw_ == Flaw::kNoReserve) registry().SetReserve({});
  }
  void Begin(std::span<const OperandRange>) override {
    called_ = false;
    if (flaw_ == Flaw::kNoPlan) registry().SetPlan(nullptr, {});
  }
  void Close(std::span<const OperandRange> open) override {
    std::vector<OperandRange> ranges(open.begin(), open.end());
    if (flaw_ == Flaw::kStaysOpen) ranges.insert(ranges.end(), before_.begin(), before_.end());
    if (flaw_ == Flaw::kEndsWithTheCall && called_) return;
    if (flaw_ == Flaw::kForgetsSubgraphs && named_operator().subgraph == 1) return;
    if (flaw_ == Flaw::kForgetsPrepare && named_operator().phase == OperatorPhase::kPrepare) return;
    for (OperandRange& range : ranges) {
      const bool forgotten = range.kind == OperandKind::kInput      ? flaw_ == Flaw::kForgetsInputs
                             : range.kind == OperandKind::kConstant ? flaw_ == Flaw::kForgetsConstants
                                                                    : false;
      if (forgotten) range.right = AccessRight::kReadWrite;
    }
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
      for (IllegalRun run : AttributeAccess(open_ranges(), address, stretch.bytes, true)) {
        if (flaw_ == Flaw::kForgetsGaps && IsNearTwo(run)) continue;
        if (flaw_ == Flaw::kNothingBefore && run.side == ViolationSide::kBefore) continue;
        if (flaw_ == Flaw::kNothingBehind && run.side == ViolationSide::kAfter) continue;
        if (flaw_ == Flaw::kOtherOperand && run.operand > 0) run.operand = 0;
        if (flaw_ == Flaw::kFurther) ++run.distance_bytes;
        LogRun(run, stretch.bytes, flaw_ != Flaw::kOtherKind);
      }
    }
  }
  void Stop() override { bytes_.Watch({}); }
  bool IsNearTwo(const IllegalRun& run) const {
    std::size_t count = 0;
    for (const OperandRange& operand : open_ranges()) {
      const std::uintptr_t begin = AddressOf(operand.data), end = begin + operand.bytes;
      count += begin < run.end + 16 && run.begin < end + 16 ? 1u : 0u;
    }
    return count > 1;
  }

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

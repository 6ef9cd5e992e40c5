// The self-test on attach, part by part: every access that it plants is missed by an instrument that closes nothing,
// and reported where it is legal by one that reports whatever comes.
#include <gmock/gmock.h>

#include <algorithm>

#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/planted/planted_access.h"

namespace arenaproof::testing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

// Of the operators' code it learns nothing. It reports no access, or one for each that it is asked about.
class SightlessInstrument final : public AccessInstrument {
 public:
  SightlessInstrument(bool reports, bool sees_accesses) : reports_(reports), sees_accesses_(sees_accesses) {}
  const char* name() const override { return "sightless"; }
  Status Available() const override { return Ok(); }
  bool SeesAccesses() const override { return sees_accesses_; }
  bool SeesOverwritten() const override { return sees_accesses_; }
  bool WatchesRuntime() const override { return sees_accesses_; }

  const SelfTestResult& Attach() {
    static CheckedMemory arena(512);
    OnAttach({arena.data(), arena.bytes()}, {});
    return self_test();
  }

 private:
  void Start(std::span<const WatchedRegion>) override {}
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {
    if (reports_) LogRun({.begin = 1, .end = 2}, 1, true);
  }
  void Stop() override {}

  const bool reports_, sees_accesses_;
};

std::size_t CountPlanted(auto condition) {
  return static_cast<std::size_t>(std::ranges::count_if(PlantedAccesses(), condition));
}

// Before, behind and across the edges; of its caller's and its callee's bytes; of a constant.
TEST(AttachSelfTest, MissesEachIllegalWriteThatNobodySees) {
  SightlessInstrument instrument(false, false);
  const SelfTestResult& result = instrument.Attach();
  EXPECT_TRUE(result.ran);
  EXPECT_THAT(result.seen, IsEmpty());
  EXPECT_THAT(result.legal_reported, IsEmpty());
  for (const char* const what :
       {"1-byte write before", "8-byte write after", "16-byte vector write across the start", "memset across the end",
        "write of the caller's by an operator that is called", "write of the callee's by an operator after a call",
        "1-byte write of a constant", "8-byte write of a constant"}) {
    EXPECT_THAT(result.missed, Contains(what));
  }
  const auto writes = [](const PlantedAccess& one) { return one.write && !one.depends_on_bytes; };
  const std::size_t at_any_address = CountPlanted([&](const auto& one) { return writes(one) && one.any_alignment; });
  const std::size_t of_constants =
      CountPlanted([&](const auto& one) { return writes(one) && !one.any_alignment && one.bytes <= 8; });
  EXPECT_EQ(result.missed.size(), 2 * CountPlanted(writes) + 2 * at_any_address + 2 + of_constants);
}

// And each read, in an operator, in place of what was overwritten, and by the runtime itself.
TEST(AttachSelfTest, MissesEachIllegalAccessThatNobodySees) {
  SightlessInstrument instrument(false, true);
  const SelfTestResult& result = instrument.Attach();
  EXPECT_THAT(result.seen, IsEmpty());
  EXPECT_THAT(result.legal_reported, IsEmpty());
  for (const char* const what :
       {"1-byte read before", "memcpy from across the end", "read of the caller's by an operator that is called",
        "read of the callee's by an operator after a call", "read behind a write in place",
        "1-byte read by the runtime", "8-byte write by the runtime", "1-byte read by the runtime in a call",
        "1-byte write of a constant"}) {
    EXPECT_THAT(result.missed, Contains(what));
  }
  const std::size_t at_any_address = CountPlanted([](const auto& one) { return one.any_alignment; });
  const std::size_t by_the_runtime = CountPlanted([](const auto& one) { return one.bytes <= 8; });
  const std::size_t of_constants = CountPlanted(
      [](const auto& one) { return one.write && !one.any_alignment && !one.depends_on_bytes && one.bytes <= 8; });
  EXPECT_EQ(result.missed.size(),
            2 * PlantedAccesses().size() + 2 * at_any_address + 2 + 1 + 2 * by_the_runtime + of_constants);
}

TEST(AttachSelfTest, NamesEachLegalAccessThatIsReported) {
  SightlessInstrument noisy(true, false);
  const SelfTestResult& result = noisy.Attach();
  EXPECT_EQ(result.status().code, StatusCode::kInstrumentBlind);
  EXPECT_THAT(result.missed, IsEmpty());
  for (const char* const what :
       {"1-byte read inside", "1-byte read before", "memset inside", "write of its own by an operator that is called",
        "write of its own by an operator after a call", "1-byte read of a constant"}) {
    EXPECT_THAT(result.legal_reported, Contains(what));
  }
  SightlessInstrument watching(true, true);
  for (const char* const what :
       {"16-byte vector read inside", "1-byte read by the runtime", "1-byte write by the runtime in a call"}) {
    EXPECT_THAT(watching.Attach().legal_reported, Contains(what));
  }
}

// What was planted is nobody's: neither a group nor an extent.
TEST(AttachSelfTest, LeavesNothingBehind) {
  SightlessInstrument noisy(true, true);
  noisy.Attach();
  EXPECT_THAT(noisy.log().groups(), IsEmpty());
  EXPECT_EQ(noisy.log().access_count(), 0u);
  EXPECT_THAT(noisy.extents(), IsEmpty());
  SightlessInstrument skips(true, true);
  skips.SkipSelfTest();
  EXPECT_FALSE(skips.Attach().ran);
  EXPECT_EQ(skips.self_test().status(), Ok());
}

}  // namespace
}  // namespace arenaproof::testing

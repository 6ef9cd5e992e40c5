#include "sanitizers/self_test/instrument_self_test.h"

#include <gtest/gtest.h>

#include "sanitizers/instrument/instrument_factory.h"

namespace arenaproof::testing {
namespace {

TEST(InstrumentSelfTest, FindsNothingWrongWithTheInstrumentsOfThisBuild) {
  for (const char* const name : {"shadow", "asan", "canary", "twofill"}) {
    const auto instrument = MakeInstrument(name);
    if (!instrument->Available().ok()) continue;
    const SelfTestResult result = RunInstrumentSelfTest(*instrument);
    EXPECT_TRUE(result.ran);
    EXPECT_GT(result.seen.size(), instrument->SeesAccesses() ? 500u : instrument->ComparesRuns() ? 70u : 200u);
    for (const std::string& what : result.missed) ADD_FAILURE() << name << " missed: " << what;
    for (const std::string& what : result.legal_reported) ADD_FAILURE() << name << " reported: " << what;
  }
}

// Closes nothing.
class OpenInstrument final : public AccessInstrument {
 public:
  const char* name() const override { return "open"; }
  Status Available() const override { return Ok(); }

 private:
  void Start(std::span<const WatchedRegion>) override {}
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {}
  void Stop() override {}
};

TEST(InstrumentSelfTest, FindsAnInstrumentThatSeesNothing) {
  OpenInstrument instrument;
  EXPECT_FALSE(RunInstrumentSelfTest(instrument).status().ok());
}

// Compares two runs, and finds no difference, or always one.
class UselessComparison final : public AccessInstrument {
 public:
  explicit UselessComparison(bool differs) : differs_(differs) {}
  const char* name() const override { return "useless"; }
  Status Available() const override { return Ok(); }
  bool ComparesRuns() const override { return true; }
  bool BeginOtherRun() override { return true; }

 private:
  void Start(std::span<const WatchedRegion>) override {}
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {}
  void End(std::span<const OperandRange> operands) override {
    Violation violation{};
    violation.operand = operands.back();
    violation.side = ViolationSide::kDiffers;
    violation.count = 1;
    if (differs_) AddViolation(violation);
  }
  void Stop() override {}

  const bool differs_;
};

TEST(InstrumentSelfTest, FindsAComparisonThatSeesNothingOrTooMuch) {
  UselessComparison blind(false), noisy(true);
  const SelfTestResult of_blind = RunInstrumentSelfTest(blind), of_noisy = RunInstrumentSelfTest(noisy);
  EXPECT_FALSE(of_blind.missed.empty());
  EXPECT_TRUE(of_blind.legal_reported.empty());
  EXPECT_FALSE(of_noisy.legal_reported.empty());
}

}  // namespace
}  // namespace arenaproof::testing

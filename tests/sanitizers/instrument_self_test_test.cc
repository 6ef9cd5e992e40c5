#include "sanitizers/self_test/instrument_self_test.h"

#include <gtest/gtest.h>

#include "sanitizers/instrument/instrument_factory.h"

namespace arenaproof::testing {
namespace {

TEST(InstrumentSelfTest, FindsNothingWrongWithTheInstrumentsOfThisBuild) {
  for (const char* const name : {"shadow", "asan", "guard", "canary", "twofill"}) {
    const auto instrument = MakeInstrument(name);
    if (!instrument->Available().ok()) continue;
    const SelfTestResult result = RunInstrumentSelfTest(*instrument);
    EXPECT_TRUE(result.ran);
    EXPECT_GT(result.seen.size(), instrument->ComparesRuns()          ? 70u
                                  : instrument->NeedsWrappedKernels() ? 300u
                                  : instrument->SeesAccesses()        ? 500u
                                                                      : 200u);
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

// Gives the kernels as they are, so that none of their accesses is caught.
class OpenGuard final : public AccessInstrument {
 public:
  const char* name() const override { return "open guard"; }
  Status Available() const override { return Ok(); }
  bool NeedsWrappedKernels() const override { return true; }
  bool BeginOtherRun() override { return true; }

 private:
  void Start(std::span<const WatchedRegion>) override {}
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {}
  void Stop() override {}
};

TEST(InstrumentSelfTest, FindsAGuardThatGuardsNothing) {
  OpenGuard instrument;
  EXPECT_FALSE(RunInstrumentSelfTest(instrument).missed.empty());
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
    violation.op = named_operator();
    if (differs_) AddViolations({violation});
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

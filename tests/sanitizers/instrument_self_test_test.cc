#include "sanitizers/self_test/instrument_self_test.h"

#include <gtest/gtest.h>

#include "sanitizers/instrument/instrument_factory.h"

namespace arenaproof::testing {
namespace {

TEST(InstrumentSelfTest, FindsNothingWrongWithTheInstrumentsOfThisBuild) {
  for (const char* const name : {"shadow", "asan", "canary"}) {
    const auto instrument = MakeInstrument(name);
    if (!instrument->Available().ok()) continue;
    const SelfTestResult result = RunInstrumentSelfTest(*instrument);
    EXPECT_TRUE(result.ran);
    EXPECT_GT(result.seen.size(), instrument->SeesAccesses() ? 500u : 200u);
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

}  // namespace
}  // namespace arenaproof::testing

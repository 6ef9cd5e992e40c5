#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

TEST(SelfTest, SeesEveryPlantedAccessAndRestoresTheArena) {
  for (const char* name : {"shadow", "asan", "guard", "canary", "twofill"}) {
    const auto instrument = MakeInstrument(name);
    if (!instrument->Available().ok()) continue;
    CheckedMemory arena(512);
    std::memset(arena.data(), 0x5a, arena.bytes());
    instrument->Watch(arena.region());
    instrument->OnAttach({arena.data(), arena.bytes()}, {});
    EXPECT_TRUE(instrument->self_test().ran);
    EXPECT_THAT(instrument->self_test().missed, ::testing::IsEmpty()) << name;
    EXPECT_THAT(instrument->self_test().legal_reported, ::testing::IsEmpty()) << name;
    EXPECT_GT(instrument->self_test().seen.size(), instrument->SeesAccesses() ? 60U : 25U);
    EXPECT_EQ(instrument->log().access_count(), 0U);
    for (const std::byte byte : arena.span()) ASSERT_EQ(byte, std::byte{0x5a});
    instrument->OnDetach();
  }
}

TEST(SelfTest, RunsWithATinyArenaToo) {
  for (const char* name : {"shadow", "asan", "guard", "canary", "twofill"}) {
    const auto instrument = MakeInstrument(name);
    if (!instrument->Available().ok()) continue;
    CheckedMemory arena(16);
    instrument->OnAttach({arena.data(), arena.bytes()}, {});
    EXPECT_TRUE(instrument->self_test().status().ok());
    instrument->OnDetach();
  }
}

TEST(SelfTest, RunsAnewOnEveryAttachAndForgetsTheMemoryOfTheLastOne) {
  for (const char* name : {"shadow", "asan", "guard", "canary", "twofill"}) {
    const auto instrument = MakeInstrument(name);
    if (!instrument->Available().ok()) continue;
    for (int attach = 0; attach < 12; ++attach) {  // more often than the shadow has regions
      const auto arena = std::make_unique<std::array<std::byte, 512>>();
      instrument->OnAttach({arena->data(), arena->size()}, {});
      EXPECT_TRUE(instrument->self_test().status().ok());
      instrument->OnDetach();
      Store<std::uint64_t>(arena->data());  // open again
    }
  }
}

TEST(SelfTest, OfAnInstrumentThatIsNotInTheBuildFails) {
  for (const char* name : {"shadow", "asan", "valgrind"}) {
    const auto instrument = MakeInstrument(name);
    if (instrument->Available().ok()) continue;
    EXPECT_EQ(instrument->Available().code, StatusCode::kInstrumentUnavailable);
    CheckedMemory arena(512);
    instrument->OnAttach({arena.data(), arena.bytes()}, {});
    EXPECT_EQ(instrument->self_test().status().code, StatusCode::kInstrumentBlind);
    instrument->OnDetach();
  }
}

// Run by the test below in a process whose environment switches poisoning off.
TEST(SelfTest, DISABLED_PrintsWhetherItSees) {
  const auto instrument = MakeInstrument("asan");
  CheckedMemory arena(512);
  instrument->OnAttach({arena.data(), arena.bytes()}, {});
  std::printf("self-test: %s\n", instrument->self_test().status().ok() ? "sees" : "blind");
  instrument->OnDetach();
}

TEST(SelfTest, FindsTheInstrumentBlindWhenUserPoisoningIsSwitchedOff) {
  if (!MakeInstrument("asan")->Available().ok()) GTEST_SKIP() << "AddressSanitizer is not compiled into this build";
  const auto says = [](const std::string& options) {
    const std::string command =
        "ASAN_OPTIONS=" + options + " /proc/" + std::to_string(getpid()) +
        "/exe --gtest_also_run_disabled_tests --gtest_filter=SelfTest.DISABLED_Prints* 2>/dev/null";
    std::string output;
    FILE* pipe = popen(command.c_str(), "r");
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) output += static_cast<char>(c);
    pclose(pipe);
    return output;
  };
  EXPECT_THAT(says("allow_user_poisoning=0"), ::testing::HasSubstr("self-test: blind"));
  EXPECT_THAT(says("allow_user_poisoning=1"), ::testing::HasSubstr("self-test: sees"));
}

}  // namespace
}  // namespace arenaproof::testing

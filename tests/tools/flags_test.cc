// The words that compile a library for an instrument: those of every build, of the one, and the calls that are wrapped.
#include "tools/command/flags.h"

#include <gtest/gtest.h>

namespace arenaproof {
namespace {

constexpr const char* kWrapped =
#define ARENAPROOF_COMPARING_CALL(name) " -Wl,--wrap=" #name
#define ARENAPROOF_WRAPPED_CALL(name) " -Wl,--wrap=" #name
#include "sanitizers/hooks/wrapped_calls.inc"
#undef ARENAPROOF_COMPARING_CALL
#undef ARENAPROOF_WRAPPED_CALL
    ;

TEST(FlagsText, AreThoseOfEveryBuildAndOfTheOneThatIsAskedFor) {
  EXPECT_EQ(FlagsText({.plain = true}), "-shared -fPIC");
  EXPECT_EQ(FlagsText({.asan = true}),
            std::string("-shared -fPIC -U_FORTIFY_SOURCE -fsanitize=address -fsanitize-recover=address") + kWrapped);
  EXPECT_EQ(FlagsText({.shadow = true}),
            std::string("-shared -fPIC -U_FORTIFY_SOURCE -fsanitize=kernel-address "
                        "-mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-globals=0 "
                        "-mllvm -asan-stack=0 -mllvm -asan-kernel-mem-intrinsic-prefix=1 "
                        "-mllvm -asan-opt-same-temp=0") +
                kWrapped);
}

TEST(FlagsText, AreOfOneBuildAtATime) {
  for (const FlagsOptions& options :
       {FlagsOptions{}, FlagsOptions{.shadow = true, .asan = true}, FlagsOptions{.asan = true, .plain = true},
        FlagsOptions{.shadow = true, .asan = true, .plain = true}}) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(FlagsCommand(options), ExitStatus::kCouldNotRun);
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("one of --shadow, --asan and --plain would be right"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace arenaproof

// What a library's symbols show of code that no hook looks at.
#include "tools/kernel_library/library_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernel_library/example_file.h"
#include "tools/kernel_library/harmless_calls.h"

namespace arenaproof {
namespace {

using ::testing::ElementsAre;
using testing::ExampleFile;
using ::testing::IsEmpty;

TEST(UnwatchedCalls, AreWhatNeitherTheInstrumentNorItsWrappersSee) {
  EXPECT_THAT(UnwatchedCalls(ExampleFile("plain"), {}), ElementsAre("frexp"));
  EXPECT_THAT(UnwatchedCalls(ExampleFile("shadow"), {}), IsEmpty());
  EXPECT_THAT(UnwatchedCalls(ExampleFile("asan"), {}), IsEmpty());
  EXPECT_THAT(UnwatchedCalls({}, {}), IsEmpty());
}

TEST(HarmlessCalls, TouchNoMemoryThatTheyAreGiven) {
  for (const char* name : {"__asan_load8_noabort", "__wrap_strlen", "sin", "sinf", "sinl", "ceil", "erf", "malloc",
                           "free", "abort", "getenv", "pthread_mutex_lock", "__cxa_throw", "_Unwind_Resume", "_Znwm",
                           "_ZdlPvm", "_ZSt20__throw_length_errorPKc", "__stack_chk_fail", "__gmon_start__"}) {
    EXPECT_TRUE(IsHarmlessCall(name)) << name;
  }
  for (const char* name : {"", "l", "memcpy", "__memcpy_chk", "strcpy", "strtol", "snprintf", "read", "write", "frexp",
                           "modff", "sincosf", "dlsym", "xnn_run_operator", "cosine", "_ZSt4copyIPfS0_ET0_T_S2_S1_"}) {
    EXPECT_FALSE(IsHarmlessCall(name)) << name;
  }
}

TEST(NamesOfFunctions, AreThereUnlessTheyWereTakenAway) {
  for (const char* build : {"plain", "shadow", "asan"}) EXPECT_TRUE(NamesItsFunctions(ExampleFile(build))) << build;
  EXPECT_FALSE(NamesItsFunctions({}));
}

// A damaged file is never read outside of its bytes (AddressSanitizer).
TEST(NamesOfFunctions, AreNotReadOutsideOfADamagedFile) {
  testing::ForEachDamaged(ExampleFile("shadow"), [](const std::vector<std::byte>& damaged) {
    NamesItsFunctions(damaged);
    UnwatchedCalls(damaged, damaged);
  });
}

}  // namespace
}  // namespace arenaproof

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

// A table of functions in another library's data is as good as a call of them.
TEST(HarmlessData, HoldsNoFunctionsOfAVendor) {
  for (const char* name : {"stdout", "environ", "_ZSt4cout",
                           "_ZTVNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcE"
                           "SaIcEEE",
                           "_ZTIi", "__asan_option_detect_stack_use_after_return"}) {
    EXPECT_TRUE(IsHarmlessData(name)) << name;
  }
  for (const char* name : {"", "vendor_api", "_ZTV6Vendor", "_ZN6Vendor5tableE", "stdouts"}) {
    EXPECT_FALSE(IsHarmlessData(name)) << name;
  }
}

// One of each kind that is let pass, and of what writes through a pointer all the same.
TEST(HarmlessCalls, AreOfKindsThatWriteThroughNoPointer) {
  for (const char* name : {"__assert_fail",
                           "__errno_location",
                           "__ctype_b_loc",
                           "toupper",
                           "raise",
                           "sched_yield",
                           "clock",
                           "_exit",
                           "alarm",
                           "fork",
                           "getpid",
                           "usleep",
                           "calloc",
                           "aligned_alloc",
                           "posix_memalign",
                           "realloc",
                           "rand",
                           "mmap",
                           "munmap",
                           "_ZSt9terminatev",
                           "_ZNSt6chrono3_V212steady_clock3nowEv",
                           "__dynamic_cast",
                           "__tls_get_addr",
                           "__udivti3",
                           "__truncsfhf2",
                           "__isnanf",
                           "__sanitizer_cov_trace_pc",
                           "__ubsan_handle_add_overflow",
                           "sem_wait",
                           "_Znam",
                           "_ZdaPv",
                           "_ZNSt6thread4joinEv",
                           "_ZTIi",
                           "_ZTSi",
                           "_ZTTi",
                           "_ZTVN10__cxxabiv117__class_type_infoE",
                           "_ITM_deregisterTMCloneTable",
                           "__cxa_begin_catch",
                           "_ZSt17__throw_bad_allocv",
                           "exp",
                           "exp2f",
                           "logl",
                           "fmaf",
                           "lroundf",
                           "scalbn",
                           "powf"}) {
    EXPECT_TRUE(IsHarmlessCall(name)) << name;
  }
  for (const char* name : {"modf",
                           "modfl",
                           "frexpf",
                           "remquo",
                           "remquof",
                           "sincos",
                           "lgamma_r",
                           "strtod",
                           "memset",
                           "memmove",
                           "bcopy",
                           "stpcpy",
                           "fread",
                           "recv",
                           "pipe",
                           "gettimeofday",
                           "clock_gettime",
                           "time",
                           "sigaction",
                           "qsort_r",
                           "bsearch",
                           "cos2",
                           "expp",
                           "fabsg",
                           "_ZSt4sortIPfEvT_S1_",
                           "_ZNSt6vectorIfSaIfEE4dataEv",
                           "_ZTV6Vendor",
                           "asan_load8"}) {
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

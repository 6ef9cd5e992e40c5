// The words of --kernels and --fallback, build by build: each file has to be there, and each instrument has its own.
#include <gtest/gtest.h>

#include <string>

#include "tests/kernel_library/example_file.h"
#include "tools/kernel_library/kernel_choice.h"

namespace arenaproof {
namespace {

TEST(KernelChoiceWords, NameFilesThatAreThere) {
  for (const std::string build : {"shadow", "asan", "plain"}) {
    const std::string there = testing::ExamplePath("plain");
    EXPECT_EQ(WrongKernelChoice({.kernels = build + ":" + there}), "") << "one build is enough";
    EXPECT_NE(WrongKernelChoice({.kernels = build + ":/nowhere.so"}).find("there is no file '/nowhere.so'"),
              std::string::npos)
        << build;
    for (const std::string other : {"shadow", "asan", "plain"}) {
      if (other == build) continue;
      EXPECT_NE(WrongKernelChoice({.kernels = other + ":" + there + "," + build + ":/nowhere.so"}), "")
          << other << ", " << build;
    }
  }
}

TEST(KernelChoiceWords, HaveAFileForEachInstrument) {
  KernelFiles files;
  ASSERT_EQ(files.Read("plain:p.so,asan:a.so,shadow:s.so"), "");
  for (const auto& [instrument, file] : {std::pair{"shadow", "s.so"},
                                         {"asan", "a.so"},
                                         {"guard", "p.so"},
                                         {"canary", "p.so"},
                                         {"twofill", "p.so"},
                                         {"valgrind", "p.so"},
                                         {"none", "p.so"}}) {
    EXPECT_EQ(files.ForInstrument(instrument), file) << instrument;
    EXPECT_EQ(NoKernelFileFor({.kernels = "plain:p.so,asan:a.so,shadow:s.so"}, instrument), "");
  }
  EXPECT_EQ(NoKernelFileFor({.kernels = "shadow:s.so"}, "valgrind").find("--kernels names no file for plain; plain:"),
            0U);
  // Nothing is left of words that were read before.
  ASSERT_EQ(files.Read("asan:b.so"), "");
  EXPECT_EQ(files.For(LibraryHooks::kShadow), "");
  EXPECT_EQ(files.For(LibraryHooks::kNone), "");
  EXPECT_EQ(files.For(LibraryHooks::kAsan), "b.so");
  ASSERT_EQ(files.Read("c.so"), "");
  for (const LibraryHooks build : {LibraryHooks::kShadow, LibraryHooks::kAsan, LibraryHooks::kNone}) {
    EXPECT_EQ(files.For(build), "c.so");
  }
}

TEST(KernelChoiceWords, SayTheFallbackWhereItIsNotTheDefault) {
  EXPECT_EQ(FallbackWords({}), "");
  EXPECT_EQ(FallbackWords({.kernels = "./a.so"}), "");
  EXPECT_EQ(FallbackWords({.fallback = "reference"}), " --fallback=reference");
}

}  // namespace
}  // namespace arenaproof

// What a library's file shows of the instrument that it was compiled for.
#include "tools/kernel_library/library_hooks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernel_library/example_file.h"
#include "tools/kernel_library/kernel_choice.h"

namespace arenaproof {
namespace {

using testing::ExampleFile;

TEST(LibraryHooks, AreReadFromTheSymbolsThatTheFileAsksFor) {
  for (const char* sound : {"", "overread-"}) {
    EXPECT_EQ(HooksOf(ExampleFile(std::string(sound) + "plain")), LibraryHooks::kNone);
    EXPECT_EQ(HooksOf(ExampleFile(std::string(sound) + "shadow")), LibraryHooks::kShadow);
    EXPECT_EQ(HooksOf(ExampleFile(std::string(sound) + "asan")), LibraryHooks::kAsan);
  }
}

TEST(LibraryHooks, AreThoseOfOneInstrument) {
  for (const LibraryHooks hooks : {LibraryHooks::kNone, LibraryHooks::kShadow, LibraryHooks::kAsan}) {
    EXPECT_EQ(SeesWithHooks("shadow", hooks), hooks == LibraryHooks::kShadow);
    EXPECT_EQ(SeesWithHooks("asan", hooks), hooks == LibraryHooks::kAsan);
    EXPECT_TRUE(SeesWithHooks("none", hooks));
  }
}

TEST(LibraryHooks, AreNotReadFromWhatIsNoLibrary) {
  EXPECT_EQ(HooksOf({}), std::nullopt);
  EXPECT_EQ(HooksOf(std::vector<std::byte>(4096, std::byte{0x7f})), std::nullopt);
}

// A damaged file may show nothing, or what it does not have; it is never read outside of its bytes (AddressSanitizer).
TEST(LibraryHooks, StayInsideADamagedFile) {
  testing::ForEachDamaged(ExampleFile("shadow"), [](const std::vector<std::byte>& damaged) { HooksOf(damaged); });
}

TEST(KernelChoice, TakesPathsForFilesAndOtherWordsForKernelSets) {
  for (const char* files : {"./x", "a/b", "libx.so", "libx.so.2", "shadow:x", "asan:x,plain:y"}) {
    EXPECT_TRUE(NamesKernelFiles(files)) << files;
  }
  for (const char* set : {"reference", "aligned-faulty", "unheard-of", "", "shadow", "so", "x.sofa", "x.sox.2"}) {
    EXPECT_FALSE(NamesKernelFiles(set)) << set;
  }
}

TEST(KernelChoice, HasAFileForEachBuildThatIsNamed) {
  KernelFiles files;
  EXPECT_EQ(files.Read("a,b:c.so"), "");
  EXPECT_EQ(files.For(LibraryHooks::kAsan), "a,b:c.so");
  EXPECT_EQ(files.Read("plain:a,b.so,shadow:c:d.so"), "");
  EXPECT_EQ(files.For(LibraryHooks::kNone), "a,b.so");
  EXPECT_EQ(files.ForInstrument("shadow"), "c:d.so");
  EXPECT_EQ(files.ForInstrument("asan"), "");
  EXPECT_EQ(files.ForInstrument("none"), "a,b.so");
  EXPECT_NE(files.Read("shadow:").find("no file for shadow"), std::string::npos);
  EXPECT_NE(files.Read("shadow:a,shadow:b").find("two files for shadow"), std::string::npos);
  EXPECT_NE(files.Read("shadow:a,asan:").find("no file for asan"), std::string::npos);
  EXPECT_EQ(NoKernelFileFor({.kernels = "shadow:a"}, "shadow"), "");
  EXPECT_NE(NoKernelFileFor({.kernels = "shadow:a"}, "asan").find("asan:FILE beside the others would be right"),
            std::string::npos);
  EXPECT_EQ(NoKernelFileFor({.kernels = "reference"}, "asan"), "");
}

TEST(KernelChoice, SaysWhatIsWrong) {
  EXPECT_EQ(WrongKernelChoice({}), "");
  EXPECT_NE(WrongKernelChoice({.kernels = "mine"}).find("named by a path, such as ./libmine.so"), std::string::npos);
  EXPECT_NE(WrongKernelChoice({.kernels = "/nowhere.so"}).find("there is no file '/nowhere.so'"), std::string::npos);
  EXPECT_NE(WrongKernelChoice({.kernels = "aligned", .fallback = "reference"}).find("a kernel set of this program"),
            std::string::npos);
}

}  // namespace
}  // namespace arenaproof

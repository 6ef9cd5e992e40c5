// Libraries that are loaded into this very process, or refused before that.
#include "tools/kernel_library/chosen_kernels.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tests/kernel_library/example_file.h"
#include "tools/kernel_library/loaded_file.h"

namespace arenaproof {
namespace {

using testing::ExamplePath;

// The first kernel of the set for an operator.
const Kernel* FirstFor(const KernelSet& set, BuiltinOperator op) {
  for (const KernelSet* one = &set; one != nullptr; one = one->fallback) {
    for (const Kernel& kernel : one->kernels) {
      if (kernel.op == op) return &kernel;
    }
  }
  return nullptr;
}

TEST(ChosenKernels, OfAFileAreHiddenFromInstrumentsWhoseHooksItLacks) {
  for (const auto& [instrument, hidden] :
       {std::pair{"shadow", true}, {"asan", true}, {"guard", false}, {"none", false}}) {
    SCOPED_TRACE(instrument);
    ChosenKernels kernels;
    const auto refused = kernels.Choose({.kernels = ExamplePath("plain"), .fallback = "reference"}, instrument);
    ASSERT_FALSE(refused) << refused->sentence;
    const Kernel* const own = FirstFor(kernels.set(), BuiltinOperator::kFullyConnected);
    const Kernel* const other = FirstFor(kernels.set(), BuiltinOperator::kSoftmax);
    ASSERT_NE(own, nullptr);
    ASSERT_NE(other, nullptr);
    EXPECT_STREQ(own->name, "example");
    EXPECT_STREQ(other->name, "reference");
    EXPECT_EQ(kernels.Hides(own), hidden);
    for (const Kernel& kernel : kernels.set().kernels) EXPECT_EQ(kernels.Hides(&kernel), hidden) << kernel.name;
    EXPECT_FALSE(kernels.Hides(other));
    EXPECT_FALSE(kernels.Hides(nullptr));
  }
}

TEST(ChosenKernels, OfAFileHaveNoFallbackUnlessAskedFor) {
  ChosenKernels kernels;
  ASSERT_FALSE(kernels.Choose({.kernels = ExamplePath("plain")}, "none"));
  EXPECT_EQ(kernels.set().fallback, nullptr);
}

// A name without a slash is one of the folder where the program runs, and nowhere else.
TEST(ChosenKernels, OfAFileAreFoundWhereTheProgramRuns) {
  const std::filesystem::path folder = std::filesystem::current_path(), file = ExamplePath("plain");
  const auto refused = [&] {
    ChosenKernels kernels;
    return kernels.Choose({.kernels = file.filename()}, "none").has_value();
  };
  EXPECT_TRUE(refused());
  std::filesystem::current_path(file.parent_path());
  EXPECT_FALSE(refused());
  std::filesystem::current_path(folder);
}

TEST(ChosenKernels, OfThisProgramAreSeenByAll) {
  ChosenKernels kernels;
  ASSERT_FALSE(kernels.Choose({.kernels = "aligned"}, "shadow"));
  EXPECT_EQ(&kernels.set(), FindKernelSet("aligned"));
  for (const Kernel& kernel : kernels.set().kernels) EXPECT_FALSE(kernels.Hides(&kernel));
}

TEST(ChosenKernels, AreRefusedByNames) {
  const auto code_of = [](const std::string& kernels, const char* instrument) {
    ChosenKernels chosen;
    const auto refused = chosen.Choose({.kernels = kernels}, instrument);
    return refused ? refused->code : ToolRefusal::kInternalError;
  };
  EXPECT_EQ(code_of("unheard-of", "none"), ToolRefusal::kKernelsUnknown);
  EXPECT_EQ(code_of("/nowhere.so", "none"), ToolRefusal::kKernelFileUnreadable);
  EXPECT_EQ(code_of("shadow:" + ExamplePath("shadow") + ",asan:/nowhere.so", "shadow"),
            ToolRefusal::kKernelFileUnreadable);
  EXPECT_EQ(code_of("plain:" + ExamplePath("plain"), "shadow"), ToolRefusal::kKernelFileUnreadable);
  EXPECT_EQ(code_of("/proc/self", "none"), ToolRefusal::kKernelFileUnreadable);
  EXPECT_EQ(code_of("/etc/passwd", "none"), ToolRefusal::kKernelFileNotLoaded);
  // Before it is loaded: its hooks are not here.
  for (const auto& [build, instrument] :
       {std::pair{"shadow", "asan"}, {"asan", "shadow"}, {"shadow", "guard"}, {"asan", "none"}}) {
    EXPECT_EQ(code_of(ExamplePath(build), instrument), ToolRefusal::kKernelsNotSeen) << build << " " << instrument;
  }
}

std::ptrdiff_t OpenFiles() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

// The file that a library of kernels was loaded from.
std::string LoadedFrom(void* library) {
  Dl_info info{};
  dladdr(dlsym(library, "arenaproof_kernel_library"), &info);
  return info.dli_fname == nullptr ? "" : info.dli_fname;
}

TEST(LoadedFile, IsACopyWhereThatIsAskedFor) {
  const std::string path = ExamplePath("overread-plain");
  void* const file = LoadFile(path);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(LoadedFrom(file), path);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "arenaproof_kernel_library"), nullptr) << "nobody else finds its functions";
  LoadCopiesOfFiles();
  const auto before = OpenFiles();
  for (const char* none : {"/nowhere.so", "/etc/passwd"}) {
    EXPECT_EQ(LoadFile(none), nullptr) << none;
    EXPECT_NE(dlerror(), nullptr) << none;
  }
  EXPECT_EQ(OpenFiles(), before);
  void* const copy = LoadFile(path);
  ASSERT_NE(copy, nullptr);
  EXPECT_NE(copy, file);
  EXPECT_TRUE(LoadedFrom(copy).starts_with("/proc/self/fd/")) << LoadedFrom(copy);
  // Each is a copy of its own file, although none has a name.
  void* const other = LoadFile(ExamplePath("declared-11-plain"));
  ASSERT_NE(other, nullptr);
  EXPECT_NE(other, copy);
  EXPECT_EQ(LoadFile("/etc/passwd"), nullptr);
}

}  // namespace
}  // namespace arenaproof

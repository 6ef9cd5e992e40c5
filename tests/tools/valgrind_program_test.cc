// Where Valgrind is, as a shell would find it.
#include "tools/worker/valgrind_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace arenaproof {
namespace {

class ValgrindProgram : public ::testing::Test {
 protected:
  ValgrindProgram() {
    std::string name = (std::filesystem::temp_directory_path() / "valgrind-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    for (const char* sub : {"folder/valgrind", "not_executable", "first", "second"}) {
      std::filesystem::create_directories(folder_ / sub);
    }
    for (const char* sub : {"not_executable", "first", "second"}) {
      const auto file = folder_ / sub / "valgrind";
      std::ofstream(file) << "#!/bin/sh\n";
      std::filesystem::permissions(file, std::string(sub) == "not_executable" ? std::filesystem::perms::owner_read
                                                                              : std::filesystem::perms::owner_all);
    }
  }
  ~ValgrindProgram() override {
    if (path_) setenv("PATH", path_->c_str(), 1);
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  // Folders of a PATH by the names of those above.
  std::string FoundIn(const std::string& path) const {
    setenv("PATH", path.c_str(), 1);
    return FindValgrind();
  }
  std::string Of(const char* sub) const { return (folder_ / sub).string(); }

  const std::filesystem::path before_ = std::filesystem::current_path();
  const std::optional<std::string> path_ = getenv("PATH") == nullptr ? std::nullopt : std::optional(getenv("PATH"));
  std::filesystem::path folder_;
};

TEST_F(ValgrindProgram, IsTheFirstOfPathThatCanBeRun) {
  const std::string none = Of("missing") + ":" + Of("folder") + ":" + Of("not_executable");
  EXPECT_EQ(FoundIn(none), "");
  EXPECT_EQ(FoundIn(""), "");
  EXPECT_EQ(FoundIn(none + ":" + Of("first") + ":" + Of("second")), Of("first/valgrind"));
  EXPECT_EQ(FoundIn(Of("second") + ":" + Of("first")), Of("second/valgrind"));
  EXPECT_EQ(FoundIn(Of("first")), Of("first/valgrind"));
}

TEST_F(ValgrindProgram, IsInThisFolderWhereAnEntryOfPathIsEmpty) {
  std::filesystem::current_path(folder_ / "first");
  EXPECT_EQ(FoundIn(":" + Of("second")), "./valgrind");
  EXPECT_EQ(FoundIn(Of("missing") + "::" + Of("second")), "./valgrind");
  EXPECT_EQ(FoundIn(Of("second") + ":"), Of("second/valgrind"));
}

TEST_F(ValgrindProgram, IsLookedForWithoutPathToo) {
  unsetenv("PATH");
  const std::string found = FindValgrind();
  EXPECT_TRUE(found.empty() || found == "/usr/bin/valgrind" || found == "/bin/valgrind") << found;
}

}  // namespace
}  // namespace arenaproof

// Folders as MODEL: every .tflite file below them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tools/command/named_models.h"

namespace arenaproof::testing {
namespace {

namespace fs = std::filesystem;

void Touch(const std::string& path) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << "no model";
}

// The paths behind the folder's; what has a problem is in brackets.
std::vector<std::string> PathsBelow(const std::string& folder) {
  std::vector<std::string> paths;
  for (const NamedModel& model : ModelsNamed({folder})) {
    const std::string path = model.path.substr(folder.size());
    paths.push_back(model.problem.empty() ? path : "[" + path + "]");
  }
  return paths;
}

using Paths = std::vector<std::string>;

TEST(ModelFolders, StandForEveryTfliteFileBelowThemSortedByPath) {
  const std::string folder = TemporaryFolder();
  for (const char* path : {"/z.tflite", "/b/c/d.tflite", "/b/a.tflite", "/a.tflite", "/b/e.txt", "/f/g.txt"}) {
    Touch(folder + path);
  }
  fs::create_directories(folder + "/empty.tflite");  // a folder, whatever its name
  EXPECT_EQ(PathsBelow(folder), (Paths{"/a.tflite", "/b/a.tflite", "/b/c/d.tflite", "/z.tflite"}));
  EXPECT_EQ(PathsBelow(folder + "/b/c"), Paths{"/d.tflite"});
  EXPECT_EQ(PathsBelow(folder + "/"), (Paths{"a.tflite", "b/a.tflite", "b/c/d.tflite", "z.tflite"}));
}

TEST(ModelFolders, WithoutAModelAreAProblem) {
  const std::string folder = TemporaryFolder();
  Touch(folder + "/a/b.txt");
  const auto named = ModelsNamed({folder});
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(named[0].problem, "the folder '" + folder + "' holds no .tflite file, and no folder in it does");
}

TEST(ModelFolders, AreEnteredByLinksButNotFromWithin) {
  const std::string folder = TemporaryFolder(), elsewhere = TemporaryFolder();
  Touch(folder + "/a/b.tflite");
  Touch(elsewhere + "/c.tflite");
  fs::create_directory_symlink(elsewhere, folder + "/link");
  fs::create_directory_symlink(folder, folder + "/a/up");
  fs::create_directory_symlink(".", folder + "/a/itself");
  fs::create_symlink("nowhere.tflite", folder + "/gone.tflite");
  EXPECT_EQ(PathsBelow(folder), (Paths{"/a/b.tflite", "[/a/itself]", "[/a/up]", "/gone.tflite", "/link/c.tflite"}));
  const auto named = ModelsNamed({folder});
  EXPECT_EQ(named[2].problem, "'" + folder + "/a/up' is a link to '" + folder +
                                  "', in which it lies; without that link it would be right");
}

// What cannot be read is said; the rest is checked.
TEST(ModelFolders, ThatCannotBeReadAreAProblemOfTheirOwn) {
  const std::string folder = TemporaryFolder();
  Touch(folder + "/a.tflite");
  // Too deep for a path to it.
  const auto made =
      Bash("for ((i = 0; i < 30; ++i)); do d=$(printf 'd%.0s' {1..200}); mkdir $d && cd $d || exit 1; done", folder);
  ASSERT_EQ(made.exit_status, 0) << made.errors;
  const auto named = ModelsNamed({folder});
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].path, folder + "/a.tflite");
  EXPECT_EQ(named[0].problem, "");
  EXPECT_TRUE(HasText(named[1].problem, "' cannot be read: File name too long")) << named[1].problem;
  const auto run = Arenaproof("check --instrument=none --json " + folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_TRUE(HasText(run.errors, "cannot be read: File name too long")) << run.errors;
}

}  // namespace
}  // namespace arenaproof::testing

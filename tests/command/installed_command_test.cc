// The command as it is installed: beside its workers in libexec, wherever that is, and completed by bash.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/version.h"

namespace arenaproof::testing {
namespace {

const std::string kPresets[] = {"release", "shadow", "asan"};

std::string InstalledWorker(const std::string& prefix, const std::string& preset) {
  return prefix + "/libexec/arenaproof/arenaproof-worker-" + preset;
}

// A prefix with the command and a link to each worker but one.
std::string PrefixWithout(const std::string& missing_preset) {
  std::string prefix = TemporaryFolder() + "/a prefix";
  std::filesystem::create_directories(prefix + "/bin");
  std::filesystem::create_directories(prefix + "/libexec/arenaproof");
  std::filesystem::copy_file(CommandPath(), prefix + "/bin/arenaproof");
  for (const std::string& preset : kPresets) {
    if (preset != missing_preset) std::filesystem::create_symlink(WorkerOf(preset), InstalledWorker(prefix, preset));
  }
  return prefix;
}

CommandRun InstalledCheck(const std::string& prefix, const std::string& options) {
  return Bash("'" + prefix + "/bin/arenaproof' check " + SeedModel(kFullyConnected) + " " + options, prefix);
}

TEST(InstalledCommand, FindsEachWorkerBesideIt) {
  const std::string prefix = PrefixWithout("");
  const auto both = InstalledCheck(prefix, "--quiet");
  EXPECT_EQ(both.exit_status, 0) << both.errors;
  const auto plain = InstalledCheck(prefix, "--quiet --instrument=none");
  EXPECT_EQ(plain.exit_status, 0) << plain.errors;
}

TEST(InstalledCommand, FindsThemBehindALinkToo) {
  const std::string prefix = PrefixWithout(""), folder = TemporaryFolder();
  std::filesystem::create_symlink(prefix + "/bin/arenaproof", folder + "/arenaproof");
  const auto run = Bash("./arenaproof check --quiet " + SeedModel(kFullyConnected), folder);
  EXPECT_EQ(run.exit_status, 0) << run.errors;
}

// Who builds a part of the tree leaves instruments out on purpose; an installation is whole.
TEST(InstalledCommand, RefusesToLeaveOutAMissingWorker) {
  for (const char* preset : {"shadow", "asan"}) {
    const std::string prefix = PrefixWithout(preset);
    const auto run = InstalledCheck(prefix, "");
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.errors, "arenaproof check: the instrument '" + std::string(preset) +
                              "' is not available: there is no program " + InstalledWorker(prefix, preset) +
                              ", which belongs to this installation; install arenaproof again, as a whole\n");
    const std::string other = preset == kPresets[1] ? "asan" : "shadow";
    EXPECT_EQ(InstalledCheck(prefix, "--quiet --instrument=" + other).exit_status, 0);
  }
  const auto run = InstalledCheck(PrefixWithout("release"), "--instrument=guard");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_TRUE(HasText(run.errors, "arenaproof-worker-release, which belongs to")) << run.errors;
}

// The real worker is told that its parent is of another version.
TEST(InstalledCommand, RefusesAWorkerOfAnotherVersion) {
  const std::string folder =
      FolderWithShadowWorker("exec '" + WorkerOf("shadow") + "' check \"$2\" --version=0.0.0 --unheard-of=1");
  const auto run =
      Arenaproof("check --instrument=shadow " + SeedModel(kFullyConnected), "ARENAPROOF_WORKER_DIR=" + folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors, "arenaproof check: the worker " + folder +
                            "/shadow/tools/worker/arenaproof-worker is not of this command's version, " + kVersion +
                            ": it is of version " + kVersion + "; install arenaproof again, as a whole\n");
}

TEST(InstalledCommand, TellsItsVersion) {
  const auto run = Arenaproof("--version");
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.output, "arenaproof " + std::string(kVersion) + "\n");
}

// What bash offers for these words, the last of which is not finished.
std::string Completed(const std::string& words) {
  const std::string script = (SourceFolder() / "cmake/installed/completion.bash").string();
  const auto run = Bash("source '" + script + "'\nCOMP_WORDS=(" + words +
                            ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_arenaproof\necho \"${COMPREPLY[*]}\"",
                        TemporaryFolder());
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.errors, "");
  return run.output;
}

TEST(Completion, OffersCommands) {
  EXPECT_EQ(Completed("arenaproof ver"), "verify\n");
  const std::string all = Completed("arenaproof ''");
  for (const char* command :
       {"check", "run", "describe", "size", "plan", "verify", "operators", "flags", "rules", "--version"}) {
    EXPECT_TRUE(HasText(all, command)) << command << " is not among " << all;
  }
}

TEST(Completion, OffersTheOptionsOfACommand) {
  EXPECT_EQ(Completed("arenaproof check --write"), "--write-baseline\n");
  EXPECT_EQ(Completed("arenaproof size --tar"), "--target\n");
  EXPECT_EQ(Completed("arenaproof size --write"), "\n");
  // An option of two names by each of them.
  EXPECT_EQ(Completed("arenaproof check --verb"), "--verbose\n");
  EXPECT_EQ(Completed("arenaproof check -v"), "-v\n");
}

TEST(Completion, OffersTheWordsOfAnOption) {
  EXPECT_EQ(Completed("arenaproof check --layout = fa"), "faithful\n");
  EXPECT_EQ(Completed("arenaproof size --target ="), "host64 arm32\n");
  EXPECT_TRUE(HasText(Completed("arenaproof check --instrument = "), "guard"));
}

TEST(Completion, OffersFiles) {
  const std::string whole = SeedModel("sine_regressor_float");
  EXPECT_EQ(Completed("arenaproof check " + whole.substr(0, whole.size() - 9)), whole + "\n");
}

}  // namespace
}  // namespace arenaproof::testing

// Signals that are sent to a command: it dies of them, and leaves no process, no file that is half written and no line
// on the terminal.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/started_command_support.h"

namespace arenaproof::testing {
namespace {

using Words = std::vector<std::string>;

TEST(Signals, EndACommandAndItsChild) {
  const std::string model = EndlessModel();
  for (const Words& words : {Words{"run", model}, Words{"check", "--instrument=none", model}}) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM}) {
      SCOPED_TRACE(words.front() + ", signal " + std::to_string(signal));
      StartedCommand command(words);
      const pid_t child = command.AwaitChild();
      ASSERT_GT(child, 0);
      ASSERT_EQ(kill(command.process(), signal), 0);
      const CommandEnd end = command.AwaitEnd();
      EXPECT_EQ(end.signal, signal) << end.exit_status;
      EXPECT_FALSE(IsThere(child));
      EXPECT_EQ(end.errors + end.output, "");
    }
  }
}

TEST(Signals, ThatCannotBeCaughtEndTheChildToo) {
  StartedCommand command({"run", EndlessModel()});
  const pid_t child = command.AwaitChild();
  ASSERT_GT(child, 0);
  kill(command.process(), SIGKILL);
  EXPECT_EQ(command.AwaitEnd().signal, SIGKILL);
  EXPECT_TRUE(IsGoneSoon(child));
}

TEST(Signals, ThatAreIgnoredStayIgnored) {
  StartedCommand command({"run", "--time-limit=1", EndlessModel()}, {.ignored_signals = {SIGHUP, SIGINT}});
  ASSERT_GT(command.AwaitChild(), 0);
  kill(command.process(), SIGHUP);
  kill(command.process(), SIGINT);
  const CommandEnd end = command.AwaitEnd();
  EXPECT_EQ(end.exit_status, 2) << end.signal;
  EXPECT_NE(end.errors.find("--time-limit=SECONDS"), std::string::npos) << end.errors;
}

TEST(Signals, LeaveAllOutputsOrNone) {
  const std::string model = SeedModel("sine_regressor_int8");
  for (int milliseconds = 0; milliseconds < 30; ++milliseconds) {
    const std::string folder = TemporaryFolder();
    StartedCommand command({"run", "--output-dir=" + folder + "/out", model});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(command.process(), SIGTERM);
    const CommandEnd end = command.AwaitEnd();
    EXPECT_TRUE(end.signal == SIGTERM || end.exit_status == 0);
    const bool written = std::filesystem::exists(folder + "/out/output_0.bin");
    if (end.exit_status == 0) {
      EXPECT_TRUE(written);
    }
    EXPECT_EQ(std::filesystem::exists(folder + "/out"), written);
    EXPECT_FALSE(std::filesystem::exists(folder + "/out/output_0.bin.part"));
  }
}

TEST(Signals, TakeTheProgressFromTheTerminal) {
  StartedCommand command({"run", EndlessModel()}, {.errors_to_terminal = true});
  ASSERT_GT(command.AwaitChild(), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  kill(command.process(), SIGTERM);
  const CommandEnd end = command.AwaitEnd();
  EXPECT_EQ(end.signal, SIGTERM);
  EXPECT_NE(end.errors.find("\r\033[Krun: "), std::string::npos) << end.errors;
  EXPECT_TRUE(end.errors.ends_with("\r\033[K")) << end.errors;
}

TEST(Signals, OfTheChildsEndMayBeIgnoredByTheCaller) {
  const std::string folder = FolderWithShadowWorker(R"(echo '{"event":"plan","head_bytes":1}' >&3; kill -SEGV $$)");
  setenv("ARENAPROOF_WORKER_DIR", folder.c_str(), 1);
  const CommandEnd end =
      StartedCommand({"check", "--instrument=shadow", "--layout=faithful", SeedModel("sine_regressor_int8")},
                     {.ignored_signals = {SIGCHLD}})
          .AwaitEnd();
  unsetenv("ARENAPROOF_WORKER_DIR");
  EXPECT_EQ(end.exit_status, 1) << end.errors << end.output;
}

}  // namespace
}  // namespace arenaproof::testing

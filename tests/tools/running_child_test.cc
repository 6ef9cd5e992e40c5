// A child beside an owner that is busy, and what a child finds when it begins.
#include "tools/command/running_child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace arenaproof {
namespace {

using std::chrono::milliseconds;

// Of a script that has ended, and so long ago, before its owner looks.
ChildResult AfterAWhile(const std::string& script, const ChildLimits& limits, milliseconds while_busy) {
  RunningChild child(limits, nullptr);
  child.Start({"/bin/sh", "-c", script}, {});
  if (while_busy.count() > 0) {
    siginfo_t ended{};
    EXPECT_EQ(waitid(P_PID, static_cast<id_t>(child.process()), &ended, WEXITED | WNOWAIT), 0);
    std::this_thread::sleep_for(while_busy);
  }
  for (;;) {
    child.Read();
    if (child.Ended()) return child.result();
    std::this_thread::sleep_for(child.Patience());
  }
}

// The owner looked too late, and the child was in time.
TEST(RunningChild, IsNotChargedWithWhatItsOwnerTook) {
  ChildLimits limits;
  limits.time = milliseconds(100);
  const ChildResult child = AfterAWhile("echo done >&3; exit 7", limits, milliseconds(200));
  EXPECT_EQ(child.end, ChildEnd::kExited);
  EXPECT_EQ(child.exit_status, 7);
  EXPECT_EQ(child.result, "done\n");
}

TEST(RunningChild, MayWriteAsMuchAsItsLimit) {
  ChildLimits limits;
  limits.result_bytes = 10;
  EXPECT_EQ(AfterAWhile("printf 0123456789 >&3", limits, {}).end, ChildEnd::kExited);
  const ChildResult too_much = AfterAWhile("printf 01234567890 >&3", limits, {});
  EXPECT_EQ(too_much.end, ChildEnd::kKilledForOutput);
}

TEST(RunningChild, KeepsTheLastBytesOfDiagnosticsTogether) {
  const std::string kilobytes = "i=0; while [ $i -lt 1024 ]; do printf 0123456789abcdef; i=$((i+1)); done";
  const ChildResult all = AfterAWhile(kilobytes, {}, {});
  EXPECT_EQ(all.diagnostics.size(), 16384u);
  const ChildResult more = AfterAWhile(kilobytes + "; printf end >&2", {}, {});
  EXPECT_EQ(more.diagnostics.size(), 16384u);
  EXPECT_TRUE(more.diagnostics.starts_with("3456789abcdef0123")) << more.diagnostics.substr(0, 20);
  EXPECT_TRUE(more.diagnostics.ends_with("abcdefend"));
}

TEST(RunningChild, EndsWithWhoeverStartedIt) {
  pid_t process = 0;
  {
    RunningChild child({}, nullptr);
    child.Start({"/bin/sleep", "60"}, {});
    process = child.process();
    ASSERT_GT(process, 0);
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_NE(kill(process, 0), 0);
}

// What it was before is its owner's, what it is now is ended with it.
TEST(RunningChild, MayBecomeAnotherProcess) {
  const auto sleeper = [] {
    const pid_t process = fork();
    if (process == 0) {
      execl("/bin/sleep", "sleep", "60", nullptr);
      _exit(127);
    }
    return process;
  };
  const pid_t other = sleeper();
  pid_t before = 0;
  {
    RunningChild child({}, nullptr);
    EXPECT_EQ(child.Become(other), 0) << "it was none";
    EXPECT_EQ(child.Become(other), other);
    before = child.Become(sleeper());
    EXPECT_EQ(before, other);
    EXPECT_NE(child.process(), other);
  }
  EXPECT_EQ(kill(other, 0), 0);
  ChildGuard::Forget(other);
  EndAndReap(other, nullptr);
}

ChildResult Shelled(const std::string& script, const ChildLimits& limits = {}) {
  return RunChild({"/bin/sh", "-c", script}, limits);
}

// Beside those that every program of this one inherits.
TEST(ChildsSurroundings, AreTheDescriptorsThatItIsGivenAndNoOthers) {
  std::string candidates, inherited;
  for (int i = 5; i < 40; ++i) {
    const int flags = fcntl(i, F_GETFD);
    candidates += " " + std::to_string(i);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) inherited += " " + std::to_string(i);
  }
  const auto there = [](const std::string& numbers) {
    return Shelled("for i in " + numbers +
                   "; do [ -e /proc/self/fd/$i ] && found=\"$found $i\"; done; printf \"$found\" >&3")
        .result;
  };
  EXPECT_EQ(there("0 1 2 3 4"), " 0 1 2 3 4");
  EXPECT_EQ(there(candidates), inherited);
  EXPECT_EQ(Shelled("readlink /proc/$$/fd/0 >&3").result, "/dev/null\n");
}

// A pipe that nobody reads ends it, as it ends programs of a shell, and it leaves no image of itself.
TEST(ChildsSurroundings, AreTheSignalsAndLimitsOfAProgram) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const ChildResult child = Shelled("kill -PIPE $$; exit 0");
  std::signal(SIGPIPE, before);
  EXPECT_EQ(child.end, ChildEnd::kSignal);
  EXPECT_EQ(child.signal, SIGPIPE);
  EXPECT_EQ(Shelled("ulimit -c >&3").result, "0\n");
}

TEST(ChildsSurroundings, HaveNoMoreAddressesThanTheShellAllows) {
  constexpr rlim_t kMost = rlim_t{1} << 45;  // enough for this program with AddressSanitizer too
  ChildLimits limits;
  limits.memory_bytes = std::size_t{1} << 40;
  EXPECT_EQ(Shelled("ulimit -v >&3", limits).result, "1073741824\n");
  rlimit shell{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &shell), 0);
  const rlimit now = {kMost, shell.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &now), 0);
  limits.memory_bytes = std::size_t{1} << 46;
  const std::string most = Shelled("ulimit -v >&3", limits).result;
  setrlimit(RLIMIT_AS, &shell);
  EXPECT_EQ(most, std::to_string(kMost / 1024) + "\n");
  limits.limit_address_space = false;
  EXPECT_EQ(Shelled("ulimit -v >&3", limits).result,
            shell.rlim_cur == RLIM_INFINITY ? "unlimited\n" : std::to_string(shell.rlim_cur / 1024) + "\n");
}

}  // namespace
}  // namespace arenaproof

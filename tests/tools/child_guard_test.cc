// Whose the signals are that end a process: the guard's as long as it has a child, else the caller's.
#include "tools/command/child_guard.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace arenaproof {
namespace {

using Handler = void (*)(int);

Handler HandlerOf(int signal) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

bool IsBlocked(int signal) {
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  return sigismember(&blocked, signal) != 0;
}

pid_t SleepingChild() {
  ChildGuard guard;
  EXPECT_TRUE(IsBlocked(SIGTERM)) << "while a child is started";
  const pid_t child = fork();
  if (child == 0) {
    guard.LeaveToChild();
    execl("/bin/sleep", "sleep", "60", nullptr);
    _exit(127);
  }
  guard.Started(child);
  EXPECT_FALSE(IsBlocked(SIGTERM));
  return child;
}

void End(pid_t child) {
  ChildGuard::Forget(child);
  const int status = EndAndReap(child, nullptr);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(ChildGuard, HasTheSignalsUntilTheLastChildIsForgotten) {
  ASSERT_EQ(HandlerOf(SIGTERM), SIG_DFL);
  const pid_t first = SleepingChild(), second = SleepingChild();
  EXPECT_NE(HandlerOf(SIGTERM), SIG_DFL);
  EXPECT_NE(HandlerOf(SIGHUP), SIG_DFL);
  ChildGuard::Forget(getpid());  // nobody's child
  ChildGuard::Forget(0);
  ChildGuard::Forget(-1);
  End(first);
  EXPECT_NE(HandlerOf(SIGTERM), SIG_DFL);
  ChildGuard::Forget(first);  // once more
  EXPECT_NE(HandlerOf(SIGTERM), SIG_DFL);
  End(second);
  EXPECT_EQ(HandlerOf(SIGTERM), SIG_DFL);
  EXPECT_EQ(HandlerOf(SIGHUP), SIG_DFL);
}

TEST(ChildGuard, GivesTheSignalsBackWhereThereIsNoChild) {
  {
    const ChildGuard unused;
  }
  EXPECT_EQ(HandlerOf(SIGTERM), SIG_DFL);
  EXPECT_FALSE(IsBlocked(SIGTERM));
  {
    ChildGuard failed;
    failed.Started(-1);
    EXPECT_EQ(HandlerOf(SIGTERM), SIG_DFL);
    EXPECT_FALSE(IsBlocked(SIGTERM));
  }
  const pid_t child = SleepingChild();
  {
    const ChildGuard unused;
  }
  EXPECT_NE(HandlerOf(SIGTERM), SIG_DFL) << "there is another child";
  EXPECT_FALSE(IsBlocked(SIGTERM));
  End(child);
}

TEST(ChildGuard, LeavesSignalsThatAreIgnoredOrHandledAlone) {
  const Handler own = [](int) {};
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGUSR1, own);
  const pid_t child = SleepingChild();
  EXPECT_EQ(HandlerOf(SIGHUP), SIG_IGN);
  EXPECT_EQ(HandlerOf(SIGUSR1), own);
  End(child);
  EXPECT_EQ(HandlerOf(SIGHUP), SIG_IGN);
  EXPECT_EQ(HandlerOf(SIGUSR1), own);
  std::signal(SIGHUP, SIG_DFL);
  std::signal(SIGUSR1, SIG_DFL);
}

// A child that another process made is guarded from then on.
TEST(ChildGuard, TakesChildrenOfOthers) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sleep", "sleep", "60", nullptr);
    _exit(127);
  }
  ChildGuard::Add(child);
  EXPECT_NE(HandlerOf(SIGTERM), SIG_DFL);
  End(child);
  EXPECT_EQ(HandlerOf(SIGTERM), SIG_DFL);
}

TEST(SignalsWait, HoldsThemAsLongAsItLives) {
  {
    const SignalsWait outer;
    {
      const SignalsWait inner;
    }
    EXPECT_TRUE(IsBlocked(SIGINT));
    EXPECT_FALSE(IsBlocked(SIGSEGV));
  }
  EXPECT_FALSE(IsBlocked(SIGINT));
}

}  // namespace
}  // namespace arenaproof

#include "tools/command/child_guard.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "tools/command/progress_line.h"

namespace arenaproof {
namespace {

constexpr int kEnding[] = {SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGIO};

std::atomic<pid_t> guarded = -1;
static_assert(std::atomic<pid_t>::is_always_lock_free);

void OnSignal(int signal) {
  const int error = errno;
  if (const pid_t child = guarded.exchange(-1); child > 0) EndAndReap(child, nullptr);
  ProgressLine::Clear();
  std::signal(signal, SIG_DFL);
  errno = error;
  raise(signal);  // it is delivered when this handler returns
}

}  // namespace

sigset_t EndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : kEnding) sigaddset(&signals, signal);
  return signals;
}

int EndAndReap(pid_t child, rusage* used) {
  constexpr int kTries = 100;
  constexpr timespec kPause = {0, 10'000'000};
  int status = 0;
  kill(child, SIGTERM);
  kill(child, SIGCONT);  // a stopped process ends too
  for (int i = 0; i < kTries; ++i) {
    const pid_t reaped = wait4(child, &status, WNOHANG, used);
    if (reaped == child || (reaped < 0 && errno != EINTR)) return status;
    nanosleep(&kPause, nullptr);
  }
  kill(child, SIGKILL);
  while (wait4(child, &status, 0, used) < 0 && errno == EINTR) {
  }
  return status;
}

ChildGuard::ChildGuard() {
  const sigset_t signals = EndingSignals();
  sigprocmask(SIG_BLOCK, &signals, &before_);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_mask = signals;
  for (const int signal : kEnding) {
    // One that is ignored (nohup) or handled already stays so.
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

ChildGuard::~ChildGuard() {
  Forget();
  if (!started_) sigprocmask(SIG_SETMASK, &before_, nullptr);
  for (const int signal : kEnding) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == OnSignal) std::signal(signal, SIG_DFL);
  }
}

void ChildGuard::Started(pid_t child) {
  guarded = child;
  started_ = true;
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void ChildGuard::LeaveToChild() const {
  for (const int signal : kEnding) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == OnSignal) std::signal(signal, SIG_DFL);
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void ChildGuard::Forget() { guarded = -1; }

SignalsWait::SignalsWait() {
  const sigset_t signals = EndingSignals();
  sigprocmask(SIG_BLOCK, &signals, &before_);
}

SignalsWait::~SignalsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace arenaproof

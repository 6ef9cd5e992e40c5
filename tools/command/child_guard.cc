#include "tools/command/child_guard.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>

#include "tools/command/progress_line.h"

namespace arenaproof {
namespace {

constexpr int kEnding[] = {SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGIO};

std::array<std::atomic<pid_t>, ChildGuard::kMostChildren> guarded;  // 0: a free place
static_assert(std::atomic<pid_t>::is_always_lock_free);
std::size_t guarded_count = 0;

void Ask(pid_t child) {
  kill(child, SIGTERM);
  kill(child, SIGCONT);  // a stopped process ends too
}

// All are asked before the first one is waited for.
void EndAndReapAll() {
  for (const std::atomic<pid_t>& child : guarded) {
    if (child > 0) Ask(child);
  }
  for (std::atomic<pid_t>& place : guarded) {
    if (const pid_t child = place.exchange(0); child > 0) EndAndReap(child, nullptr);
  }
}

void OnSignal(int signal) {
  const int error = errno;
  EndAndReapAll();
  ProgressLine::Clear();
  std::signal(signal, SIG_DFL);
  errno = error;
  raise(signal);  // it is delivered when this handler returns
}

void TakeSignals() {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_mask = EndingSignals();
  for (const int signal : kEnding) {
    // One that is ignored (nohup) or handled already stays so.
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

void GiveSignalsBack() {
  for (const int signal : kEnding) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == OnSignal) std::signal(signal, SIG_DFL);
  }
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
  Ask(child);
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
  TakeSignals();
}

ChildGuard::~ChildGuard() {
  if (started_) return;
  if (guarded_count == 0) GiveSignalsBack();
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void ChildGuard::Started(pid_t child) {
  if (child > 0) Add(child);
  if (guarded_count == 0) GiveSignalsBack();
  started_ = true;
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void ChildGuard::LeaveToChild() const {
  GiveSignalsBack();
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void ChildGuard::Add(pid_t child) {
  const auto place = std::find(guarded.begin(), guarded.end(), 0);
  if (place == guarded.end()) return;
  *place = child;
  if (guarded_count++ == 0) TakeSignals();
}

void ChildGuard::Forget(pid_t child) {
  const auto place = std::find(guarded.begin(), guarded.end(), child);
  if (child <= 0 || place == guarded.end()) return;
  *place = 0;
  if (--guarded_count == 0) GiveSignalsBack();
}

SignalsWait::SignalsWait() {
  const sigset_t signals = EndingSignals();
  sigprocmask(SIG_BLOCK, &signals, &before_);
}

SignalsWait::~SignalsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace arenaproof

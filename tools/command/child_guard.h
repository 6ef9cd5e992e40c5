// A signal that ends this process ends its child first: the process dies of the signal all the same, and leaves
// nothing.
#pragma once

#include <sys/types.h>

#include <csignal>

struct rusage;

namespace arenaproof {

// Signals that end a process that does not expect them, other than those of its own faults.
sigset_t EndingSignals();

// Asks the child to end, makes it after a second, and reaps it. May be called in a signal's handler. `used` may be
// null.
int EndAndReap(pid_t child, rusage* used);

// One at a time.
class ChildGuard {
 public:
  // From here to Started() the signals wait.
  ChildGuard();
  // The signals are the caller's again.
  ~ChildGuard();
  ChildGuard(const ChildGuard&) = delete;
  ChildGuard& operator=(const ChildGuard&) = delete;

  // In the parent, also when there is no child (-1).
  void Started(pid_t child);
  // In the child, before it becomes another program.
  void LeaveToChild() const;
  // Before the child is reaped: then its number may be another process's.
  static void Forget();

 private:
  sigset_t before_;
  bool started_ = false;
};

// While it lives the signals wait.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;
};

}  // namespace arenaproof

// A signal that ends this process ends its children first: the process dies of the signal all the same, and leaves
// nothing.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>

struct rusage;

namespace arenaproof {

// Signals that end a process that does not expect them, other than those of its own faults.
sigset_t EndingSignals();

// Asks the child to end, makes it after a second, and reaps it. May be called in a signal's handler. `used` may be
// null.
int EndAndReap(pid_t child, rusage* used);

// The start of a child.
class ChildGuard {
 public:
  static constexpr std::size_t kMostChildren = 512;  // at a time; those beyond it die with this process all the same

  // From here to Started() the signals wait.
  ChildGuard();
  ~ChildGuard();
  ChildGuard(const ChildGuard&) = delete;
  ChildGuard& operator=(const ChildGuard&) = delete;

  // In the parent, also when there is no child (-1).
  void Started(pid_t child);
  // In the child, before it becomes another program.
  void LeaveToChild() const;

  // A child that another process made.
  static void Add(pid_t child);
  // Before the child is reaped: then its number may be another process's. With the last one the signals are the
  // caller's again.
  static void Forget(pid_t child);

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

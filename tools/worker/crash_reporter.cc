#include "tools/worker/crash_reporter.h"

#include <unistd.h>

#include <csignal>
#include <utility>

namespace arenaproof {
namespace {

CrashReporter* current_reporter = nullptr;
int first_signal = 0;

// The process has to die of the first signal: that one shows what happened.
void OnSignalWhileReporting(int) {
  sigset_t first;
  sigemptyset(&first);
  sigaddset(&first, first_signal);
  std::signal(first_signal, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &first, nullptr);
  raise(first_signal);
}

void OnSignal(int signal) {
  first_signal = signal;
  std::signal(SIGALRM, OnSignalWhileReporting);
  if (signal != SIGABRT) std::signal(SIGABRT, OnSignalWhileReporting);
  alarm(10);  // a heap that was overwritten may hold its locks for ever
  if (CrashReporter* reporter = std::exchange(current_reporter, nullptr)) reporter->ReportBeforeCrash();
  raise(signal);
}

}  // namespace

void ReportCrashesTo(CrashReporter* reporter) {
  static char stack[1 << 16];
  if (current_reporter == nullptr) {
    const stack_t alternative{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
    sigaltstack(&alternative, nullptr);
  }
  current_reporter = reporter;
  struct sigaction action = {};
  // Once: a second signal, from the handler's own work, is the last.
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  action.sa_handler = reporter == nullptr ? SIG_DFL : OnSignal;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

}  // namespace arenaproof

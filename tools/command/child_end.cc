#include "tools/command/child_end.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include "tools/command/resource_limits.h"

namespace arenaproof {
namespace {

// Signals that a program raises itself: an abort, a trap, a call that the system does not know.
bool EndsItself(int signal) { return signal == SIGABRT || signal == SIGTRAP || signal == SIGSYS; }

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

bool IsFault(int signal) { return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL; }

std::string SignalText(int signal) { return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")"; }

std::string EndedFromOutside(const ChildResult& child) {
  if (child.end == ChildEnd::kKilledForCpuTime) return "was ended by the system: " + LimitText(RLIMIT_CPU);
  if (child.end != ChildEnd::kSignal || IsFault(child.signal) || EndsItself(child.signal)) return {};
  const bool is_timer = child.signal == SIGALRM || child.signal == SIGVTALRM || child.signal == SIGPROF;
  return "was ended by " + SignalText(child.signal) + (is_timer ? ", by a timer of its own or" : "") + " from outside" +
         (child.signal == SIGKILL ? " (out of memory?)" : "");
}

std::string MemoryLimitOfShell(std::size_t memory_bytes) {
  return LimitTooLow({{RLIMIT_AS, memory_bytes}, {RLIMIT_DATA, memory_bytes}});
}

std::string FailedStart(const ChildResult& child) {
  if (child.end == ChildEnd::kExited && child.exit_status == 127) {  // of the dynamic linker, or of a shell
    return "its program ended with status 127: " + FirstLine(child.diagnostics);
  }
  const bool died = child.end == ChildEnd::kSignal && EndedFromOutside(child).empty();
  // A program that got as far as to refuse something did start.
  const bool failed =
      child.end == ChildEnd::kExited && child.exit_status != 0 && !child.diagnostics.starts_with("arenaproof");
  return died || failed ? LimitOnStart() : std::string();
}

std::string CannotStart(const std::string& what, int error) {
  const std::string limit = error == EMFILE   ? LimitText(RLIMIT_NOFILE)
                            : error == EAGAIN ? LimitText(RLIMIT_NPROC)
                            : error == ENOMEM ? MemoryLimitOfShell(std::size_t{1} << 30)
                                              : std::string();
  return what + " cannot be started: " + std::strerror(error) + (limit.empty() ? "" : "; " + limit);
}

}  // namespace arenaproof

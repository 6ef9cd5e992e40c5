#include "sanitizers/instrument/valgrind/scout.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "sanitizers/instrument/valgrind/memcheck_requests.h"

namespace arenaproof {
namespace {

// Nobody but the caller hears of the copy: neither what it prints nor how it dies.
void BecomeCopy(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before that
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

}  // namespace

bool Scout::Possible() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == 1;
}

bool Scout::Go() {
  process_ = 0;
  error_count_.reset();
  std::array<int, 2> pipe_ends = {-1, -1};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return false;
  const pid_t parent = getpid();
  const pid_t copy = fork();
  if (copy == 0) {
    BecomeCopy(parent);
    report_ = pipe_ends[1];
    memcheck::AllowReports();
    return true;
  }
  close(pipe_ends[1]);
  std::size_t count = 0;
  ssize_t got = -1;
  while (copy > 0 && (got = read(pipe_ends[0], &count, sizeof count)) < 0 && errno == EINTR) {
  }
  close(pipe_ends[0]);
  if (copy <= 0) return false;
  while (waitpid(copy, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = copy;
  if (got == sizeof count) error_count_ = count;
  return false;
}

void Scout::Finish() const {
  memcheck::StopReports();
  const std::size_t count = memcheck::CountErrors();
  [[maybe_unused]] const ssize_t written = write(report_, &count, sizeof count);
  _exit(0);
}

}  // namespace arenaproof

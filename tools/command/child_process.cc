#include "tools/command/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

namespace arenaproof {
namespace {

constexpr std::size_t kDiagnosticsBytes = 16 * 1024;
constexpr int kPollMilliseconds = 20;

class Pipe {
 public:
  Pipe() { ok_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ok_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void CloseRead() { Close(ends_[0]); }
  void CloseWrite() { Close(ends_[1]); }

 private:
  static void Close(int& descriptor) {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
  std::array<int, 2> ends_ = {-1, -1};
  bool ok_ = false;
};

// Passes errno to the parent.
[[noreturn]] void GiveUp(int errors) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(errors, &error, sizeof error);
  _exit(127);
}

// The descriptor again, under a number that is none of the child's. (The kernel returns EINVAL when that is beyond the
// limit on open files, which means too many open files.)
int MovedAway(int descriptor, int errors) {
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, kResultDescriptor + 1);
  if (moved >= 0) return moved;
  if (errno == EINVAL) errno = EMFILE;
  GiveUp(errors);
}

// Runs between fork and exec, with calls only that are safe there. What went wrong goes up the error pipe.
[[noreturn]] void BecomeChild(char* const* arguments, const ChildLimits& limits, int result, int diagnostics,
                              int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (limits.limit_address_space) {
    const rlimit space = {limits.memory_bytes, limits.memory_bytes};
    setrlimit(RLIMIT_AS, &space);
  }
  // Out of the way of descriptors 0 to 3 first: any of the pipes may sit there.
  errors = MovedAway(errors, errors);
  diagnostics = MovedAway(diagnostics, errors);
  result = MovedAway(result, errors);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(diagnostics, STDOUT_FILENO) < 0 ||
      dup2(diagnostics, STDERR_FILENO) < 0 || dup2(result, kResultDescriptor) < 0) {
    GiveUp(errors);
  }
  execv(arguments[0], arguments);
  GiveUp(errors);
}

// Appends what is there; false at the end of the stream.
bool Drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

std::size_t ResidentBytes(pid_t child) {
  std::ifstream file("/proc/" + std::to_string(child) + "/statm");
  std::size_t total_pages = 0, resident_pages = 0;
  file >> total_pages >> resident_pages;
  return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Reads both pipes until the child closes them and waits for its end, killing it when it passes a limit.
ChildEnd Watch(pid_t child, const ChildLimits& limits, Pipe& result_pipe, Pipe& diagnostics_pipe, ChildResult& result,
               int& status) {
  const auto deadline = std::chrono::steady_clock::now() + limits.time;
  bool result_open = true, diagnostics_open = true;
  while (result_open || diagnostics_open) {
    std::array<pollfd, 2> waited = {pollfd{result_open ? result_pipe.read_end() : -1, POLLIN, 0},
                                    pollfd{diagnostics_open ? diagnostics_pipe.read_end() : -1, POLLIN, 0}};
    poll(waited.data(), waited.size(), kPollMilliseconds);
    if (waited[0].revents != 0) result_open = Drain(result_pipe.read_end(), result.result);
    if (waited[1].revents != 0) diagnostics_open = Drain(diagnostics_pipe.read_end(), result.diagnostics);
    if (result.diagnostics.size() > kDiagnosticsBytes) {
      result.diagnostics.erase(0, result.diagnostics.size() - kDiagnosticsBytes);
    }
    ChildEnd end = ChildEnd::kExited;
    if (result.result.size() > limits.result_bytes) end = ChildEnd::kKilledForOutput;
    if (std::chrono::steady_clock::now() > deadline) end = ChildEnd::kKilledForTime;
    if (!limits.limit_address_space && ResidentBytes(child) > limits.memory_bytes) end = ChildEnd::kKilledForMemory;
    if (end != ChildEnd::kExited) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return end;
    }
  }
  // A child that closed its pipes may still hang.
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return ChildEnd::kKilledForTime;
    }
    usleep(1000);
  }
  return ChildEnd::kExited;
}

}  // namespace

ChildResult RunChild(const std::vector<std::string>& command, const ChildLimits& limits) {
  ChildResult result;
  Pipe result_pipe, diagnostics_pipe, error_pipe;
  if (!result_pipe.ok() || !diagnostics_pipe.ok() || !error_pipe.ok()) {
    result.start_error = errno;
    return result;
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  const pid_t child = fork();
  if (child < 0) {
    result.start_error = errno;
    return result;
  }
  if (child == 0) {
    BecomeChild(arguments.data(), limits, result_pipe.write_end(), diagnostics_pipe.write_end(),
                error_pipe.write_end());
  }
  result_pipe.CloseWrite();
  diagnostics_pipe.CloseWrite();
  error_pipe.CloseWrite();

  int status = 0;
  const ChildEnd watched = Watch(child, limits, result_pipe, diagnostics_pipe, result, status);
  int start_error = 0;
  if (read(error_pipe.read_end(), &start_error, sizeof start_error) == sizeof start_error) {
    result.start_error = start_error;
    return result;
  }
  result.end = watched;
  if (watched != ChildEnd::kExited) return result;
  if (WIFSIGNALED(status)) {
    result.end = ChildEnd::kSignal;
    result.signal = WTERMSIG(status);
  } else {
    result.exit_status = WEXITSTATUS(status);
  }
  return result;
}

}  // namespace arenaproof

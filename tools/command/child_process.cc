#include "tools/command/child_process.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

#include "tools/command/child_start.h"

namespace arenaproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDiagnosticsBytes = 16 * 1024;
constexpr int kPollMilliseconds = 20;

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

// Whether the child took all the CPU time that a shell's limit allows: the system ends it by SIGKILL as well.
bool TookAllCpuTime(int status, const rusage& used) {
  if (!WIFSIGNALED(status)) return false;
  rlimit limit{};
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  if (WTERMSIG(status) == SIGXCPU) return true;
  const auto milliseconds =
      (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
  // The limit is counted in ticks, these are measured: on a busy machine the two differ widely. A limit of 0 is one of
  // a second.
  return WTERMSIG(status) == SIGKILL &&
         static_cast<rlim_t>(milliseconds) * 2 >= std::max<rlim_t>(limit.rlim_cur, 1) * 1000;
}

class Watch {
 public:
  Watch(pid_t child, const ChildLimits& limits, const ChildProgress& progress, const SharedBoard& board)
      : child_(child), limits_(limits), progress_(progress), board_(board) {}

  // Reads both pipes until the child closes them and waits for its end, ending it when it passes a limit.
  ChildEnd ToTheEnd(const Pipe& result_pipe, const Pipe& diagnostics_pipe, ChildResult& result) {
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
      ShowProgress();
      if (result.result.size() > limits_.result_bytes) return End(ChildEnd::kKilledForOutput);
      if (Clock::now() > start_ + limits_.time) return End(ChildEnd::kKilledForTime);
      if (!limits_.limit_address_space && ResidentBytes(child_) > limits_.memory_bytes) {
        return End(ChildEnd::kKilledForMemory);
      }
    }
    // A child that closed its pipes may still hang.
    while (!Ended()) {
      if (Clock::now() > start_ + limits_.time) return End(ChildEnd::kKilledForTime);
      usleep(1000);
    }
    ChildGuard::Forget();
    rusage used{};
    wait4(child_, &status_, 0, &used);
    return TookAllCpuTime(status_, used) ? ChildEnd::kKilledForCpuTime : ChildEnd::kExited;
  }

  int status() const { return status_; }

 private:
  // It is reaped later: until then its number is nobody else's.
  bool Ended() const {
    siginfo_t ended{};
    return waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOWAIT | WNOHANG) != 0 || ended.si_pid != 0;
  }

  ChildEnd End(ChildEnd end) {
    ChildGuard::Forget();
    // What takes too much memory takes more while it is asked.
    if (end != ChildEnd::kKilledForTime) kill(child_, SIGKILL);
    status_ = EndAndReap(child_, nullptr);
    return end;
  }

  void ShowProgress() {
    if (!progress_) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
    if (seconds == shown_) return;
    shown_ = seconds;
    progress_(seconds, board_.Read());
  }

  const pid_t child_;
  const ChildLimits& limits_;
  const ChildProgress& progress_;
  const SharedBoard& board_;
  const Clock::time_point start_ = Clock::now();
  std::chrono::seconds shown_{0};
  int status_ = 0;
};

}  // namespace

ChildResult RunChild(const std::vector<std::string>& command, const ChildLimits& limits,
                     const ChildSurroundings& surroundings) {
  ChildResult result;
  Pipe result_pipe, diagnostics_pipe, error_pipe;
  if (!result_pipe.ok() || !diagnostics_pipe.ok() || !error_pipe.ok()) {
    result.start_error = errno;
    return result;
  }
  const SharedBoard board;
  ChildGuard guard;
  const pid_t child = StartChild(
      {&command, surroundings.sanitizer_options, limits.limit_address_space ? limits.memory_bytes : 0},
      {result_pipe.write_end(), diagnostics_pipe.write_end(), error_pipe.write_end(), board.descriptor()}, guard);
  if (child < 0) {
    result.start_error = errno;
    return result;
  }
  result_pipe.CloseWrite();
  diagnostics_pipe.CloseWrite();
  error_pipe.CloseWrite();

  Watch watch(child, limits, surroundings.progress, board);
  const ChildEnd watched = watch.ToTheEnd(result_pipe, diagnostics_pipe, result);
  result.running = board.Read();
  int start_error = 0;
  if (read(error_pipe.read_end(), &start_error, sizeof start_error) == sizeof start_error) {
    result.start_error = start_error;
    return result;
  }
  result.end = watched;
  if (watched != ChildEnd::kExited) return result;
  if (WIFSIGNALED(watch.status())) {
    result.end = ChildEnd::kSignal;
    result.signal = WTERMSIG(watch.status());
  } else {
    result.exit_status = WEXITSTATUS(watch.status());
  }
  return result;
}

}  // namespace arenaproof

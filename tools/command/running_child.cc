#include "tools/command/running_child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <utility>

namespace arenaproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDiagnosticsBytes = 16 * 1024;
constexpr auto kPatience = std::chrono::milliseconds(20);

// Appends what is there, a few megabytes at most; false at the end of the stream.
bool Drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  for (int i = 0; i < 64; ++i) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count <= 0) return count < 0 && (errno == EINTR || errno == EAGAIN);
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return true;
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

void ReadWithoutWaiting(int descriptor) { fcntl(descriptor, F_SETFL, O_NONBLOCK); }

}  // namespace

RunningChild::RunningChild(const ChildLimits& limits, ChildProgress progress)
    : limits_(limits), progress_(std::move(progress)) {
  if (!result_pipe_.ok() || !diagnostics_pipe_.ok() || !error_pipe_.ok()) {
    result_.start_error = errno;
    over_ = true;
    return;
  }
  ReadWithoutWaiting(result_pipe_.read_end());
  ReadWithoutWaiting(diagnostics_pipe_.read_end());
  result_open_ = diagnostics_open_ = true;
}

RunningChild::~RunningChild() {
  if (process_ <= 0) return;
  ChildGuard::Forget(process_);
  EndAndReap(process_, nullptr);
}

void RunningChild::Start(const std::vector<std::string>& command, const ChildSurroundings& surroundings, int jobs) {
  if (over_) return;
  ChildDescriptors given = descriptors();
  given.jobs = jobs;
  ChildGuard guard;
  start_ = Clock::now();
  const pid_t child = StartChild(
      {&command, surroundings.sanitizer_options, limits_.limit_address_space ? limits_.memory_bytes : 0}, given, guard);
  if (child < 0) {
    result_.start_error = errno;
    over_ = true;
  } else {
    process_ = child;
  }
  CloseWriteEnds();
}

ChildDescriptors RunningChild::descriptors() const {
  return {.result = result_pipe_.write_end(),
          .diagnostics = diagnostics_pipe_.write_end(),
          .errors = error_pipe_.write_end(),
          .board = board_.descriptor()};
}

void RunningChild::CloseWriteEnds() {
  result_pipe_.CloseWrite();
  diagnostics_pipe_.CloseWrite();
  error_pipe_.CloseWrite();
}

pid_t RunningChild::Become(pid_t process) {
  if (process != process_) ChildGuard::Add(process);
  return std::exchange(process_, process);
}

void RunningChild::AddPolled(std::vector<pollfd>& polled) const {
  if (result_open_) polled.push_back({result_pipe_.read_end(), POLLIN, 0});
  if (diagnostics_open_) polled.push_back({diagnostics_pipe_.read_end(), POLLIN, 0});
}

std::chrono::milliseconds RunningChild::Patience() const {
  if (over_) return std::chrono::milliseconds(0);
  // A child that closed its pipes is about to end; that cannot be polled.
  return result_open_ || diagnostics_open_ ? kPatience : std::chrono::milliseconds(1);
}

void RunningChild::Read() {
  if (result_open_) result_open_ = Drain(result_pipe_.read_end(), result_.result);
  if (diagnostics_open_) diagnostics_open_ = Drain(diagnostics_pipe_.read_end(), result_.diagnostics);
  if (result_.diagnostics.size() > kDiagnosticsBytes) {
    result_.diagnostics.erase(0, result_.diagnostics.size() - kDiagnosticsBytes);
  }
}

bool RunningChild::Ended() {
  if (over_) return true;
  ShowProgress();
  if (result_.result.size() > limits_.result_bytes) {
    End(ChildEnd::kKilledForOutput);
  } else if (!result_open_ && !diagnostics_open_ && process_ > 0 && HasExited()) {
    Reap();
  } else if (const Clock::time_point now = Clock::now(); now > start_ + limits_.time) {
    // Only now: while the owner was busy with another child this one may have ended in time.
    End(ChildEnd::kKilledForTime);
  } else if (TakesTooMuchMemory(now)) {
    End(ChildEnd::kKilledForMemory);
  }
  return over_;
}

bool RunningChild::TakesTooMuchMemory(Clock::time_point now) {
  if (limits_.limit_address_space || process_ <= 0 || now < measured_ + kPatience) return false;
  measured_ = now;
  return ResidentBytes(process_) > limits_.memory_bytes;
}

// It is reaped later: until then its number is nobody else's.
bool RunningChild::HasExited() const {
  siginfo_t ended{};
  return waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT | WNOHANG) != 0 || ended.si_pid != 0;
}

void RunningChild::End(ChildEnd end) {
  over_ = true;
  const pid_t child = std::exchange(process_, 0);
  if (child > 0) {
    ChildGuard::Forget(child);
    // What takes too much memory takes more while it is asked.
    if (end != ChildEnd::kKilledForTime) kill(child, SIGKILL);
    EndAndReap(child, nullptr);
  }
  result_.running = board_.Read();
  result_.end = end;
}

void RunningChild::Reap() {
  over_ = true;
  const pid_t child = std::exchange(process_, 0);
  ChildGuard::Forget(child);
  rusage used{};
  int status = 0;
  wait4(child, &status, 0, &used);
  result_.running = board_.Read();
  int start_error = 0;
  if (read(error_pipe_.read_end(), &start_error, sizeof start_error) == sizeof start_error) {
    result_.start_error = start_error;
    return;
  }
  if (TookAllCpuTime(status, used)) {
    result_.end = ChildEnd::kKilledForCpuTime;
  } else if (WIFSIGNALED(status)) {
    result_.end = ChildEnd::kSignal;
    result_.signal = WTERMSIG(status);
  } else {
    result_.end = ChildEnd::kExited;
    result_.exit_status = WEXITSTATUS(status);
  }
}

void RunningChild::ShowProgress() {
  if (!progress_) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
  if (seconds == shown_) return;
  shown_ = seconds;
  progress_(seconds, board_.Read());
}

}  // namespace arenaproof

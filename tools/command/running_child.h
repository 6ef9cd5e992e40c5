// A child process while it runs: what it writes is read, its limits are watched, its end is learned. Its owner waits
// for many of them at a time.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "tools/command/child_process.h"
#include "tools/command/child_start.h"

namespace arenaproof {

class RunningChild {
 public:
  RunningChild(const ChildLimits& limits, ChildProgress progress);
  ~RunningChild();
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;

  // Starts a program; `jobs` is a descriptor that it finds as kJobsDescriptor (-1: none).
  void Start(const std::vector<std::string>& command, const ChildSurroundings& surroundings, int jobs = -1);

  // Instead of Start(): another process gets these, and the child is the process that it makes.
  ChildDescriptors descriptors() const;
  void CloseWriteEnds();
  // The child is this process from now on, and the one that it was (0: none) is the caller's.
  pid_t Become(pid_t process);
  pid_t process() const { return process_; }

  void AddPolled(std::vector<pollfd>& polled) const;
  // How long to wait at most.
  std::chrono::milliseconds Patience() const;
  // Takes what was written since.
  void Read();
  // Whether it has ended, by itself or for a limit: then it is reaped, and this is not called again.
  bool Ended();
  ChildResult& result() { return result_; }

 private:
  bool TakesTooMuchMemory(std::chrono::steady_clock::time_point now);
  void End(ChildEnd end);
  void Reap();
  bool HasExited() const;
  void ShowProgress();

  ChildLimits limits_;
  ChildProgress progress_;
  Pipe result_pipe_, diagnostics_pipe_, error_pipe_;
  SharedBoard board_;
  ChildResult result_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), measured_ = start_;
  std::chrono::seconds shown_{0};
  pid_t process_ = 0;  // 0: none
  bool result_open_ = false, diagnostics_open_ = false, over_ = false;
};

}  // namespace arenaproof

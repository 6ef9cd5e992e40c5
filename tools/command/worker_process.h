// A worker of one instrument, which does the checks of a call one after the other or several at a time, each in a
// process of its own (tools/worker/job_loop.h). A program that takes one check alone, and then ends, serves as well.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/command/running_child.h"

namespace arenaproof {

class WorkerProcess {
 public:
  WorkerProcess() = default;
  ~WorkerProcess() { End(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Starts the program when it is not there. Until it answers, `child` is the worker itself where that was started for
  // it, and no process otherwise.
  void Give(const std::vector<std::string>& command, const ChildSurroundings& surroundings, RunningChild& child);

  // Whether it has not answered yet: it takes no other check meanwhile.
  bool busy() const { return given_ != nullptr; }
  bool AwaitsAnswerFor(const RunningChild& child) const { return given_ == &child; }
  int socket() const { return socket_; }
  pid_t process() const { return process_; }  // 0: none, or the child that it was started for

  // Takes the answer that is there. False when there never will be one: the check has to be given again.
  bool TakeAnswer();
  // The check that was given last is over without an answer.
  void GiveUp();

 private:
  void End();

  int socket_ = -1;    // -1: no worker is there
  pid_t process_ = 0;  // 0: it is the child's that it was started for
  RunningChild* given_ = nullptr;
  bool started_for_given_ = false;
};

}  // namespace arenaproof

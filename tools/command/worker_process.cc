#include "tools/command/worker_process.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "tools/worker/job_message.h"

namespace arenaproof {

void WorkerProcess::Give(const std::vector<std::string>& command, const ChildSurroundings& surroundings,
                         RunningChild& child) {
  if (socket_ >= 0) {
    const ChildDescriptors given = child.descriptors();
    if (SendJob(socket_, {{command.begin() + 2, command.end()}, given.result, given.diagnostics, given.board})) {
      child.CloseWriteEnds();
      given_ = &child;
      started_for_given_ = false;
      return;
    }
    End();
  }
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    child.Start(command, surroundings);
    return;
  }
  std::vector<std::string> words = command;
  words.push_back("--jobs-fd=" + std::to_string(kJobsDescriptor));
  child.Start(words, surroundings, ends[1]);
  close(ends[1]);
  socket_ = ends[0];
  given_ = &child;
  started_for_given_ = true;
}

bool WorkerProcess::TakeAnswer() {
  if (given_ == nullptr) return true;
  const ReceivedProcess answer = ReceiveProcess(socket_);
  if (answer.process > 0) {
    const pid_t before = std::exchange(given_, nullptr)->Become(answer.process);
    if (before > 0) process_ = before;
    if (process_ != answer.process) return true;
    process_ = 0;  // it does the check itself
    End();
    return true;
  }
  if (answer.open) return true;
  const bool lost = !started_for_given_;
  given_ = nullptr;
  End();
  return !lost;
}

void WorkerProcess::GiveUp() {
  given_ = nullptr;
  End();
}

void WorkerProcess::End() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  const pid_t process = std::exchange(process_, 0);
  if (process <= 0) return;
  ChildGuard::Forget(process);
  kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace arenaproof

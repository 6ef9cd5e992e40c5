#include "tools/worker/job_loop.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "tools/model/operator_board.h"
#include "tools/worker/job_message.h"
#include "tools/worker/protocol.h"
#include "tools/worker/sibling_process.h"

namespace arenaproof {
namespace {

// What a check was not given must not become the number of a socket.
void OccupyDescriptors(int result_descriptor) {
  for (const int descriptor : {result_descriptor, kOperatorBoardDescriptor}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, descriptor) < 0) _exit(protocol::kExitInternalError);
    if (nothing != descriptor) close(nothing);
  }
}

// The ends that a check's pipes have in this process are its copy's: held here they would never be at their end. Their
// numbers stay taken, so that none of the next check's lies there when it arrives.
void LeaveDescriptors(int result_descriptor) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO, result_descriptor, kOperatorBoardDescriptor}) {
    if (nothing < 0 || dup2(nothing, descriptor) < 0) _exit(protocol::kExitInternalError);
  }
  close(nothing);
}

void TakeDescriptors(const Job& job, int result_descriptor) {
  const std::pair<int, int> taken[] = {{job.diagnostics, STDOUT_FILENO},
                                       {job.diagnostics, STDERR_FILENO},
                                       {job.result, result_descriptor},
                                       {job.board, kOperatorBoardDescriptor}};
  for (const auto& [from, to] : taken) {
    if (from >= 0 && dup2(from, to) < 0) _exit(protocol::kExitInternalError);
  }
  for (const int descriptor : {job.diagnostics, job.result, job.board}) {
    if (descriptor >= 0) close(descriptor);
  }
}

// It may be standard input.
void LeaveSocket(int socket) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, socket) < 0) _exit(protocol::kExitInternalError);
  close(nothing);
}

bool ReadByte(int descriptor) {
  char byte = 0;
  ssize_t count = 0;
  while ((count = read(descriptor, &byte, 1)) < 0 && errno == EINTR) {
  }
  return count == 1;
}

}  // namespace

int DoJobs(int socket, int result_descriptor, std::vector<std::string> words, const DoCheck& check) {
  const pid_t parent = getppid();
  SelfTestRecord self_test;
  OccupyDescriptors(result_descriptor);
  for (;;) {
    std::array<int, 2> passed = {-1, -1};
    // Sockets: a copy may write to this process when it has gone, and must not die of that.
    const bool connected = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, passed.data()) == 0;
    const pid_t copy = connected ? MakeSibling(parent) : -1;
    const pid_t process = copy > 0 ? copy : getpid();
    if (copy != 0 && !SendProcess(socket, process)) _exit(protocol::kExitInternalError);
    if (copy <= 0) {
      LeaveSocket(socket);
      if (connected) close(passed[0]);
      self_test.OnPass([&] { send(passed[1], "", 1, MSG_NOSIGNAL); });
      return check(words, self_test);
    }
    close(passed[1]);
    LeaveDescriptors(result_descriptor);
    if (!self_test.passed() && ReadByte(passed[0])) self_test.Pass();
    close(passed[0]);
    std::optional<Job> job = ReceiveJob(socket);
    if (!job) _exit(protocol::kExitClean);
    TakeDescriptors(*job, result_descriptor);
    words = std::move(job->words);
  }
}

}  // namespace arenaproof

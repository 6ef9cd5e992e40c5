// What a worker and its parent write to the socket of --jobs-fd, which keeps messages apart: checks that are asked for
// one way, the numbers of the processes that do them the other.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace arenaproof {

struct Job {
  std::vector<std::string> words;  // of protocol.h, from the third on
  int result = -1, diagnostics = -1;
  int board = -1;  // -1: none
};

// False: nothing was sent, because the words are too many for one message or nobody is there.
bool SendJob(int socket, const Job& job);

// Waits. The descriptors are the caller's to close. None: nobody asks any more.
std::optional<Job> ReceiveJob(int socket);

bool SendProcess(int socket, pid_t process);

struct ReceivedProcess {
  bool open;      // false: no number comes any more
  pid_t process;  // -1: there is none yet
};

// Does not wait.
ReceivedProcess ReceiveProcess(int socket);

}  // namespace arenaproof

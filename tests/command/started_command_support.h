// The command as a process that a test starts itself: under limits, on a terminal, to be sent signals.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace arenaproof::testing {

struct CommandSetting {
  std::vector<std::pair<int, rlimit>> limits = {};  // RLIMIT_..., and what it is
  std::vector<int> ignored_signals = {};
  bool errors_to_terminal = false;                                    // standard error is a terminal of 400 columns
  bool output_to_terminal = false;                                    // likewise standard output
  std::vector<std::pair<std::string, std::string>> environment = {};  // variables that it has besides, or otherwise
};

struct CommandEnd {
  int exit_status = -1;  // -1: it died of `signal`
  int signal = 0;
  std::string output, errors;
};

class StartedCommand {
 public:
  // `words` of the command line, without the program.
  explicit StartedCommand(const std::vector<std::string>& words, const CommandSetting& setting = {});
  ~StartedCommand();
  StartedCommand(const StartedCommand&) = delete;
  StartedCommand& operator=(const StartedCommand&) = delete;

  pid_t process() const { return process_; }
  // Its children now.
  std::vector<pid_t> Children() const;
  // Waits until there is one, ten seconds at most; -1: there was none.
  pid_t AwaitChild() const;

  CommandEnd AwaitEnd();

 private:
  pid_t process_ = -1;
  int output_ = -1, errors_ = -1;
};

// Whether a process of this number is there (a zombie is).
bool IsThere(pid_t process);

// The same within five seconds for one that has lost its parent. Whoever adopts it may take its time to reap it: then
// it is a zombie, which has no memory.
bool IsGoneSoon(pid_t process);

}  // namespace arenaproof::testing

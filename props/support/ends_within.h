// A case without an end would look like a slow one until whoever runs it loses patience. While this lives, the process
// has so many seconds of processor time, whatever else the machine does. One at a time.
#pragma once

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace arenaproof::testing {

class EndsWithin {
 public:
  // `what` is a literal: "VIOLATED: what has no end" is printed, and the process ends with status 1.
  EndsWithin(int seconds, const char* what) {
    subject_ = what;
    std::signal(SIGPROF, Report);
    Arm(seconds);
  }
  ~EndsWithin() { Arm(0); }
  EndsWithin(const EndsWithin&) = delete;
  EndsWithin& operator=(const EndsWithin&) = delete;

 private:
  static void Arm(int seconds) {
    const itimerval timer{{}, {seconds, 0}};
    setitimer(ITIMER_PROF, &timer, nullptr);
  }

  // Only what a signal handler may do.
  static void Report(int) {
    for (const char* words : {"\nVIOLATED: ", subject_, " has no end\n"}) {
      if (write(STDERR_FILENO, words, std::strlen(words)) < 0) break;
    }
    _exit(1);
  }

  static inline const char* subject_ = "";
};

}  // namespace arenaproof::testing

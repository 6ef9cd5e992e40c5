#include "tools/worker/sibling_process.h"

#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

namespace arenaproof {

pid_t MakeSibling(pid_t parent) {
  // The order of the other arguments differs between processors; none of them is used.
  const auto sibling = static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
  if (sibling != 0) return sibling;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before that
  return 0;
}

}  // namespace arenaproof

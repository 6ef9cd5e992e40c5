// A worker that does more than one check. It never runs a kernel or reads a model itself: each check is done by a copy
// of it (sibling_process.h), so that whatever a model and its kernels do to memory, or how they end, is no other's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/worker/self_test_record.h"

namespace arenaproof {

// Does the check that `words` ask for and returns the exit status.
using DoCheck = std::function<int(const std::vector<std::string>& words, SelfTestRecord& self_test)>;

// `words` are those of the first check, whose descriptors this process was started with. For each check the number of
// its process is sent (job_message.h), before this process closes its own ends of the check's pipes; where no copy can
// be made it is this very process's number, and the socket is closed. Then the next check is received. Returns what
// `check` returned, in the process that did one; when no more is asked for this process ends.
int DoJobs(int socket, int result_descriptor, std::vector<std::string> words, const DoCheck& check);

}  // namespace arenaproof

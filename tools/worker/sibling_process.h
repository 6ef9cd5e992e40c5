// A copy of this process that is not its child but its parent's, who watches it, limits it and learns how it ends.
#pragma once

#include <sys/types.h>

namespace arenaproof {

// 0 in the copy, the copy's number here; -1 where the system makes none. `parent` is this process's parent: the copy
// dies with it. Only while there is one thread.
pid_t MakeSibling(pid_t parent);

}  // namespace arenaproof

// Which function of a kernel library runs just now, noted where the parent process reads it: an end of the process in
// the middle of it is the library's. A copy of the process that the function makes ends where it would return: two
// would go on with the set-up, and with the next one four.
#pragma once

#include <unistd.h>

#include "tools/model/operator_board.h"

namespace arenaproof {

class LibraryCallNote {
 public:
  // `subject`: the operator's name, or the library's.
  LibraryCallNote(LibraryCall call, const char* subject) { BoardOfParent().BeginLibraryCall(call, subject); }
  ~LibraryCallNote() {
    if (getpid() != process_) _exit(0);
    BoardOfParent().EndLibraryCall();
  }
  LibraryCallNote(const LibraryCallNote&) = delete;
  LibraryCallNote& operator=(const LibraryCallNote&) = delete;

 private:
  const pid_t process_ = getpid();
};

}  // namespace arenaproof

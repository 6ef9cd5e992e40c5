// Which function of a kernel library runs just now, noted where the parent process reads it: an end of the process in
// the middle of it is the library's.
#pragma once

#include "tools/model/operator_board.h"

namespace arenaproof {

class LibraryCallNote {
 public:
  // `subject`: the operator's name, or the library's.
  LibraryCallNote(LibraryCall call, const char* subject) { BoardOfParent().BeginLibraryCall(call, subject); }
  ~LibraryCallNote() { BoardOfParent().EndLibraryCall(); }
  LibraryCallNote(const LibraryCallNote&) = delete;
  LibraryCallNote& operator=(const LibraryCallNote&) = delete;
};

}  // namespace arenaproof

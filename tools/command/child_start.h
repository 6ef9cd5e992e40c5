// What a child gets from its parent: pipes, shared memory, an environment, limits.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "tools/command/child_guard.h"
#include "tools/model/operator_board.h"

namespace arenaproof {

class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ok_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void CloseWrite();

 private:
  std::array<int, 2> ends_ = {-1, -1};
  bool ok_ = false;
};

// A board in memory that a child shares. Without it (too many open files, no memory) the child runs all the same.
class SharedBoard {
 public:
  SharedBoard();
  ~SharedBoard();
  SharedBoard(const SharedBoard&) = delete;
  SharedBoard& operator=(const SharedBoard&) = delete;

  int descriptor() const { return descriptor_; }  // -1: there is none
  ActiveOperators Read() const { return board_ == nullptr ? ActiveOperators() : board_->Read(); }

 private:
  int descriptor_ = -1;
  const OperatorBoard* board_ = nullptr;
};

struct ChildDescriptors {
  int result = -1, diagnostics = -1, errors = -1;
  int board = -1;  // -1: none
  int jobs = -1;   // for standard input; -1: nothing is there
};

struct ChildProgram {
  const std::vector<std::string>* command;
  bool sanitizer_options;
  std::size_t address_space_bytes;  // 0: not limited
};

// The child's number; -1 with errno when there is none. What goes wrong between fork and exec is written to
// `descriptors.errors`, an errno.
pid_t StartChild(const ChildProgram& program, const ChildDescriptors& descriptors, ChildGuard& guard);

}  // namespace arenaproof

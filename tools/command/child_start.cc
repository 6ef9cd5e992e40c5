#include "tools/command/child_start.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "sanitizers/instrument/asan/sanitizer_options.h"
#include "tools/command/child_process.h"

namespace arenaproof {
namespace {

// Passes errno to the parent.
[[noreturn]] void GiveUp(int errors) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(errors, &error, sizeof error);
  _exit(127);
}

// The descriptor again, under a number that is none of the child's. (The kernel returns EINVAL when that is beyond the
// limit on open files, which means too many open files.)
int MovedAway(int descriptor, int errors) {
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, std::max(kResultDescriptor, kOperatorBoardDescriptor) + 1);
  if (moved >= 0) return moved;
  if (errno == EINVAL) errno = EMFILE;
  GiveUp(errors);
}

// Never more than the shell allows.
void LimitAddressSpace(rlim_t bytes) {
  rlimit space{};
  getrlimit(RLIMIT_AS, &space);
  bytes = std::min(bytes, space.rlim_cur);
  space = {bytes, bytes};
  setrlimit(RLIMIT_AS, &space);
}

// Runs between fork and exec, with calls only that are safe there. What went wrong goes up the error pipe.
[[noreturn]] void BecomeChild(const ChildProgram& program, char* const* arguments, char* const* environment,
                              ChildDescriptors descriptors, const ChildGuard& guard, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before that
  std::signal(SIGPIPE, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (program.address_space_bytes != 0) LimitAddressSpace(program.address_space_bytes);
  // Out of the way of descriptors 0 to 4 first: any of the pipes may sit there.
  const int errors = MovedAway(descriptors.errors, descriptors.errors);
  const int diagnostics = MovedAway(descriptors.diagnostics, errors);
  const int result = MovedAway(descriptors.result, errors);
  const int board = descriptors.board < 0 ? -1 : MovedAway(descriptors.board, errors);
  const int jobs = descriptors.jobs < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : descriptors.jobs;
  if (jobs < 0) GiveUp(errors);
  const int input = MovedAway(jobs, errors);
  if (dup2(input, kJobsDescriptor) < 0 || dup2(diagnostics, STDOUT_FILENO) < 0 ||
      dup2(diagnostics, STDERR_FILENO) < 0 || dup2(result, kResultDescriptor) < 0) {
    GiveUp(errors);
  }
  if (board < 0) {
    close(kOperatorBoardDescriptor);
  } else if (dup2(board, kOperatorBoardDescriptor) < 0) {
    GiveUp(errors);
  }
  guard.LeaveToChild();
  execve(arguments[0], arguments, environment);
  GiveUp(errors);
}

bool IsSanitizerOption(std::string_view variable) {
  return std::any_of(std::begin(kSanitizerOptionVariables), std::end(kSanitizerOptionVariables),
                     [&](std::string_view name) {
                       return variable.starts_with(name) && variable.substr(name.size()).starts_with('=');
                     });
}

}  // namespace

Pipe::Pipe() { ok_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }

Pipe::~Pipe() {
  if (ends_[0] >= 0) close(ends_[0]);
  CloseWrite();
}

void Pipe::CloseWrite() {
  if (ends_[1] >= 0) close(ends_[1]);
  ends_[1] = -1;
}

SharedBoard::SharedBoard() {
  const int descriptor = memfd_create("arenaproof-operators", MFD_CLOEXEC);
  if (descriptor < 0) return;
  // A limit on the size of files is one on this memory too: its signal is ignored by the command.
  void* const memory = ftruncate(descriptor, sizeof(OperatorBoard)) != 0
                           ? MAP_FAILED
                           : mmap(nullptr, sizeof(OperatorBoard), PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) {
    close(descriptor);
    return;
  }
  descriptor_ = descriptor;
  board_ = static_cast<const OperatorBoard*>(memory);
}

SharedBoard::~SharedBoard() {
  if (descriptor_ < 0) return;
  munmap(const_cast<OperatorBoard*>(board_), sizeof(OperatorBoard));
  close(descriptor_);
}

pid_t StartChild(const ChildProgram& program, const ChildDescriptors& descriptors, ChildGuard& guard) {
  std::vector<char*> arguments, environment;
  for (const std::string& argument : *program.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (program.sanitizer_options || !IsSanitizerOption(*variable)) environment.push_back(*variable);
  }
  environment.push_back(nullptr);

  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) BecomeChild(program, arguments.data(), environment.data(), descriptors, guard, parent);
  const int error = errno;
  guard.Started(child);
  errno = error;
  return child;
}

}  // namespace arenaproof

#include "tools/worker/valgrind_start.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tools/worker/valgrind_program.h"

namespace arenaproof {
namespace {

// None of the numbers that a check's pipes have in a worker (tools/command/child_process.h).
constexpr int kLeastLogDescriptor = 10;

// Valgrind writes to it for the worker and all that it forks, at the same time, and by one position that the system
// does not guard: each has to append.
int MakeLog() {
  const int made = memfd_create("arenaproof-memcheck", MFD_CLOEXEC);
  if (made < 0 || fcntl(made, F_SETFL, O_APPEND) != 0) return -1;
  const int log = fcntl(made, F_DUPFD, kLeastLogDescriptor);
  close(made);
  return log;
}

// Settings of the user's are none of the check's.
std::vector<std::string> ValgrindOptions(int log) {
  return {"--command-line-only=yes",
          "--tool=memcheck",
          "--quiet",
          "--vgdb=no",
          "--leak-check=no",
          "--read-inline-info=no",
          "--show-mismatched-frees=no",
          "--num-callers=4",
          "--log-fd=" + std::to_string(log),
          "--partial-loads-ok=no",
          "--error-limit=no"};
}

}  // namespace

std::string StartUnderValgrind(std::span<const std::string> words) {
  const std::string valgrind = FindValgrind();
  if (valgrind.empty()) return kNoValgrind;
  // Under Valgrind the link would lead to Valgrind.
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) return "the worker's own path is not known: " + error.message();
  const int log = MakeLog();
  if (log < 0) return std::string("there is no file for Valgrind's log: ") + std::strerror(errno);
  std::vector<std::string> command = {valgrind};
  for (const std::string& option : ValgrindOptions(log)) command.push_back(option);
  command.push_back(program);
  command.emplace_back("check");
  command.insert(command.end(), words.begin(), words.end());
  command.push_back("--valgrind-log-fd=" + std::to_string(log));
  std::vector<char*> pointers;
  for (std::string& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(valgrind.c_str(), pointers.data());
  return valgrind + " cannot be started: " + std::strerror(errno);
}

}  // namespace arenaproof

// A main() for fuzz targets without a fuzzing engine: runs every file named on the command line, and every file below
// every folder named there, through the target once, in sorted order. Takes libFuzzer's flags without acting on them,
// so that one command line serves both. When the target dies, the last line says on which input.
//
//   -explain  the one input, in words (engine/explain.h); the empty input is not run before it
//   -serve    for each line of standard input, a file's path: runs that file in a process of its own, which begins
//   where
//             this one is ready; what it says on standard error goes to PATH.said, and how it ended to standard output:
//             its exit status, or the signal's number with a minus
//
// Exit status: 0 every input passed; 2 an input cannot be read. A finding ends the process as the target ends it.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "engine/explain.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argument_count, char*** arguments);
// Present when a sanitizer's runtime is linked.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the runtime chose this name
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

const char* current_input = "";
constexpr unsigned kMostSecondsServed = 20;

// Async-signal-safe on purpose: the process is dying.
void SayWhichInput() {
  static const char kPrefix[] = "\nwhile replaying ";
  (void)!write(STDERR_FILENO, kPrefix, sizeof(kPrefix) - 1);
  (void)!write(STDERR_FILENO, current_input, std::strlen(current_input));
  (void)!write(STDERR_FILENO, "\n", 1);
}

void OnFatalSignal(int signal_number) {
  SayWhichInput();
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

bool AddInputs(const char* argument, std::vector<std::string>& paths) {
  std::error_code error;
  if (std::filesystem::is_directory(argument, error)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argument, error)) {
      if (entry.is_regular_file(error)) paths.push_back(entry.path().string());
    }
  } else {
    paths.emplace_back(argument);
  }
  return !error;
}

bool Replay(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  current_input = path.c_str();
  // A heap block of the exact size: the first byte read past the input is caught where an instrument is present.
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return true;
}

// The child's side of -serve.
[[noreturn]] void RunAndExit(const std::string& path) {
  const int said = open((path + ".said").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (said < 0 || dup2(said, STDERR_FILENO) < 0) _exit(2);
  alarm(kMostSecondsServed);
  _exit(Replay(path) ? 0 : 2);
}

int Serve() {
  for (std::string path; std::getline(std::cin, path);) {
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) RunAndExit(path);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 2;
    std::printf("%d\n", WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argument_count, &arguments);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(SayWhichInput);
  std::signal(SIGABRT, OnFatalSignal);
  if (__sanitizer_set_death_callback == nullptr) {
    for (const int signal_number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
      std::signal(signal_number, OnFatalSignal);
  }

  std::vector<std::string> paths;
  for (int i = 1; i < argument_count; ++i) {
    if (std::strcmp(arguments[i], "-serve") == 0) return Serve();
    if (std::strcmp(arguments[i], "-explain") == 0) arenaproof::explaining = true;
    if (arguments[i][0] == '-') continue;
    if (!AddInputs(arguments[i], paths)) {
      std::fprintf(stderr, "cannot list %s\n", arguments[i]);
      return 2;
    }
  }
  std::sort(paths.begin(), paths.end());

  const auto start = std::chrono::steady_clock::now();
  current_input = "the empty input";
  if (!arenaproof::Explaining()) LLVMFuzzerTestOneInput(nullptr, 0);
  for (const std::string& path : paths) {
    if (!Replay(path)) {
      std::fprintf(stderr, "cannot read %s\n", path.c_str());
      return 2;
    }
  }
  current_input = "no input: all were taken";
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("replayed the empty input and %zu files in %.2f s\n", paths.size(), elapsed.count());
  return 0;
}

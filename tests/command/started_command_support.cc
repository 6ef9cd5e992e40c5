#include "tests/command/started_command_support.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/command/command_support.h"

namespace arenaproof::testing {
namespace {

struct Ends {
  int read = -1, write = -1;
};

Ends MakePipe() {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {ends[0], ends[1]};
}

Ends MakeTerminal() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) throw std::runtime_error("no terminal");
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (slave < 0) throw std::runtime_error("no terminal");
  const winsize size{.ws_row = 24, .ws_col = 400, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(slave, TIOCSWINSZ, &size);
  return {master, slave};
}

[[noreturn]] void BecomeCommand(const std::vector<char*>& words, const CommandSetting& setting, int output,
                                int errors) {
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  for (int descriptor = 3; descriptor < 64; ++descriptor) close(descriptor);
  // Whoever runs the tests in the background may ignore them.
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT}) std::signal(signal, SIG_DFL);
  for (const int signal : setting.ignored_signals) std::signal(signal, SIG_IGN);
  for (const auto& [resource, limit] : setting.limits) {
    if (setrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) != 0) _exit(126);
  }
  for (const auto& [name, value] : setting.environment) setenv(name.c_str(), value.c_str(), 1);
  execv(words[0], words.data());
  _exit(126);
}

}  // namespace

StartedCommand::StartedCommand(const std::vector<std::string>& words, const CommandSetting& setting) {
  const std::string command = CommandPath();
  std::vector<char*> arguments = {const_cast<char*>(command.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const Ends output = setting.output_to_terminal ? MakeTerminal() : MakePipe();
  const Ends errors = setting.errors_to_terminal ? MakeTerminal() : MakePipe();
  process_ = fork();
  if (process_ == 0) BecomeCommand(arguments, setting, output.write, errors.write);
  close(output.write);
  close(errors.write);
  output_ = output.read;
  errors_ = errors.read;
  if (process_ < 0) throw std::runtime_error("no process");
}

StartedCommand::~StartedCommand() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(output_);
  close(errors_);
}

std::vector<pid_t> StartedCommand::Children() const {
  const std::string number = std::to_string(process_);
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  std::vector<pid_t> children;
  for (pid_t child; file >> child;) children.push_back(child);
  return children;
}

pid_t StartedCommand::AwaitChild() const {
  for (int i = 0; i < 1000; ++i) {
    if (const std::vector<pid_t> children = Children(); !children.empty()) return children.front();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return -1;
}

CommandEnd StartedCommand::AwaitEnd() {
  CommandEnd end;
  std::array<pollfd, 2> waited = {pollfd{output_, POLLIN, 0}, pollfd{errors_, POLLIN, 0}};
  std::string* const texts[] = {&end.output, &end.errors};
  while (waited[0].fd >= 0 || waited[1].fd >= 0) {
    poll(waited.data(), waited.size(), -1);
    for (std::size_t i = 0; i < waited.size(); ++i) {
      if (waited[i].fd < 0 || waited[i].revents == 0) continue;
      std::array<char, 4096> buffer;
      const ssize_t count = read(waited[i].fd, buffer.data(), buffer.size());
      if (count > 0) texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) waited[i].fd = -1;  // a terminal ends with an error
    }
  }
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  if (WIFEXITED(status)) {
    end.exit_status = WEXITSTATUS(status);
  } else {
    end.signal = WTERMSIG(status);
  }
  return end;
}

bool IsThere(pid_t process) { return kill(process, 0) == 0 || errno != ESRCH; }

bool IsGoneSoon(pid_t process) {
  for (int i = 0; i < 500 && IsThere(process); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::error_code error;
  return !IsThere(process) || std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", error).empty();
}

}  // namespace arenaproof::testing

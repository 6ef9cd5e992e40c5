#include "tools/command/piped_model.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "tools/command/written_file.h"
#include "tools/text/quoting.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

// Whether a name leads to one of this process's descriptors, by links or as it is.
bool IsOwnDescriptor(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path path = name;
  for (int links = 0; !error && links < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++links) {
    const std::string own = fs::canonical("/proc/self", error).string();
    const std::string folder = fs::canonical(fs::absolute(path, error).parent_path(), error).string();
    if (error) return false;
    if (folder == own + "/fd" || (folder.starts_with(own + "/task/") && folder.ends_with("/fd"))) return true;
    path = fs::path(folder) / fs::read_symlink(path, error);
  }
  return false;
}

}  // namespace

PipedModel::~PipedModel() {
  if (file_ >= 0) close(file_);
}

bool PipedModel::Is(const std::string& model) {
  struct stat status{};
  if (model == "-") return true;
  if (stat(model.c_str(), &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || (S_ISREG(status.st_mode) && IsOwnDescriptor(model));
}

std::string NameInReports(const std::string& model, const std::string& file) {
  return !file.empty() || PipedModel::Is(model) ? kPipeInReports : model;
}

std::string CommandOn(const std::string& model, bool piped, const std::string& command, const std::string& words) {
  return command + " " + (piped ? "-" : ShellPath(model)) + words + (piped ? " <FILE" : "");
}

std::string PipedModel::path() const { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_); }

std::string PipedModel::Read(const std::string& model, const PipeLimits& limits) {
  const bool standard = model == "-";
  struct stat status{};
  const bool file = stat(model.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  const std::string name = standard ? "standard input" : (file ? "'" : "the pipe '") + model + "'";
  if (standard && isatty(STDIN_FILENO) != 0) {
    return "standard input is a terminal; '" + limits.command + " - <FILE' would be right";
  }
  const int pipe = standard ? dup(STDIN_FILENO) : open(model.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (pipe < 0) return name + " cannot be read: " + std::strerror(errno);
  file_ = memfd_create("model", MFD_CLOEXEC);
  std::string problem =
      file_ < 0 ? std::string("cannot be kept in memory: ") + std::strerror(errno) : Fill(pipe, limits);
  close(pipe);
  return problem.empty() ? problem : name + " " + problem;
}

std::string PipedModel::Fill(int pipe, const PipeLimits& limits) {
  std::array<std::byte, 1 << 16> buffer;
  std::size_t bytes = 0;
  const auto deadline = std::chrono::steady_clock::now() + limits.longest_wait;
  for (;;) {
    pollfd waited{pipe, POLLIN, 0};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    const int ready = left > 0 ? poll(&waited, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      return "came to no end in " + Counted(limits.longest_wait.count(), "second") + limits.advice;
    }
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return std::string("cannot be read: ") + std::strerror(errno);
    if (count == 0) return {};
    bytes += static_cast<std::size_t>(count);
    if (bytes > limits.most_bytes) {
      return "has more than " + std::to_string(limits.most_bytes) + " bytes, which is the most that is read";
    }
    if (!WriteAll(file_, std::span(buffer).first(static_cast<std::size_t>(count)))) {
      return std::string("cannot be kept in memory: ") + std::strerror(errno);
    }
  }
}

void NameThePipe(const std::string& file, const std::string& model, std::string& sentence) {
  if (file.empty()) return;
  for (auto at = sentence.find(file); at != std::string::npos; at = sentence.find(file, at)) {
    sentence.replace(at, file.size(), model);
    at += model.size();
  }
}

}  // namespace arenaproof

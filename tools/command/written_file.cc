#include "tools/command/written_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "tools/command/child_guard.h"

namespace arenaproof {
namespace {

// As a file that was just made has them.
mode_t UsualMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

std::string NotWritten(const std::string& path, int error) {
  return "'" + path + "' cannot be written: " + std::strerror(error);
}

// What stands where a file is to be written, without a link when nothing does; a sentence when that is no regular file.
std::string WhatIsThere(const std::string& path, struct stat& there) {
  if (stat(path.c_str(), &there) == 0) {
    return S_ISREG(there.st_mode) ? std::string() : "'" + path + "' is there and is not a regular file";
  }
  there = {};
  return errno == ENOENT ? std::string() : NotWritten(path, errno);
}

}  // namespace

bool WriteAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::string WhyNotWritable(const std::string& path) {
  const SignalsWait nothing_is_left;
  struct stat there{};
  if (const std::string other = WhatIsThere(path, there); !other.empty()) return other;
  std::string temporary = EndOfLinks(path) + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return NotWritten(path, errno);
  close(file);
  unlink(temporary.c_str());
  return {};
}

std::string WriteWholeFile(const std::string& path, std::span<const std::byte> bytes) {
  const SignalsWait all_or_nothing_is_written;
  const auto problem = [&](int error) { return NotWritten(path, error); };
  struct stat there{};
  if (const std::string other = WhatIsThere(path, there); !other.empty()) return other;
  const mode_t mode = there.st_nlink > 0 ? there.st_mode & 0777 : UsualMode();
  const std::string target = EndOfLinks(path);
  std::string temporary = target + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return problem(errno);
  bool written = WriteAll(file, bytes) && fchmod(file, mode) == 0 && fsync(file) == 0;
  int error = errno;
  if (close(file) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written && std::rename(temporary.c_str(), target.c_str()) == 0) return {};
  if (written) error = errno;
  unlink(temporary.c_str());
  return problem(error);
}

std::string EndOfLinks(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path end = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(end, error)); ++links) {
    const fs::path next = fs::read_symlink(end, error);
    if (error || links == 40) return path;
    end = next.is_absolute() ? next : end.parent_path() / next;
  }
  return end;
}

}  // namespace arenaproof

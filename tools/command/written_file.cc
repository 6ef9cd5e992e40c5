#include "tools/command/written_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/command/child_guard.h"

namespace arenaproof {
namespace {

// As a file that was just made has them.
mode_t UsualMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool WriteAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

std::string WriteWholeFile(const std::string& path, std::span<const std::byte> bytes) {
  const SignalsWait all_or_nothing_is_written;
  const auto problem = [&](int error) { return "'" + path + "' cannot be written: " + std::strerror(error); };
  struct stat there{};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    return "'" + path + "' is there and is not a regular file";
  }
  std::string temporary = path + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return problem(errno);
  bool written = WriteAll(file, bytes) && fchmod(file, UsualMode()) == 0 && fsync(file) == 0;
  int error = errno;
  if (close(file) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  if (written) error = errno;
  unlink(temporary.c_str());
  return problem(error);
}

}  // namespace arenaproof

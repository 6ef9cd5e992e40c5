#include "tools/command/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace arenaproof {
namespace {

constexpr std::string_view kClearLine = "\r\033[K";

volatile std::sig_atomic_t progress_shown = 0;

void Write(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

std::size_t Columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::Show(const std::string& text) const {
  if (!terminal_) return;
  std::string line(kClearLine);
  // A line that fills the last column would go on in the next one.
  line += text.substr(0, Columns() - 1);
  progress_shown = 1;
  Write(line);
}

void ProgressLine::Clear() {
  if (progress_shown == 0) return;
  progress_shown = 0;
  Write(kClearLine);
}

}  // namespace arenaproof

#include "sanitizers/instrument/valgrind/memcheck_log.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "sanitizers/instrument/valgrind/memcheck_requests.h"

namespace arenaproof {
namespace {

using Kind = MemcheckError::Kind;

int log_descriptor = -1;

template <typename Number>
Number NumberIn(std::string_view text, int base = 10) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// What stands behind `token`. Valgrind writes long lines in pieces, behind which those of another process may come:
// their own lines begin in the middle of one then. What this file reads is in the first piece.
bool TakeBehind(std::string_view& line, std::string_view token) {
  const std::size_t at = line.find(token);
  if (at == std::string_view::npos) return false;
  line.remove_prefix(at + token.size());
  return true;
}

// No error, or the name of the thread that makes the next one.
bool StandsAlone(std::string_view line) {
  return line.starts_with("WARNING") || line.starts_with("Warning") || line.starts_with("Thread ");
}

bool IsAboutNoAccess(std::string_view line) {
  for (const std::string_view beginning : {"Invalid free() ", "Mismatched ", "Source and destination overlap ",
                                           "Argument ", "Illegal memory pool ", "Jump to the invalid address "}) {
    if (line.starts_with(beginning)) return true;
  }
  return false;
}

// What the first line of an error says; the address follows in a later one.
MemcheckError ErrorOf(std::string_view line) {
  if (TakePrefix(line, "Invalid read of size ")) return {Kind::kRead, NumberIn<std::size_t>(line)};
  if (TakePrefix(line, "Invalid write of size ")) return {Kind::kWrite, NumberIn<std::size_t>(line)};
  if (line.find("uninitialised") != std::string_view::npos) return {Kind::kUnwrittenUse};
  if (line.starts_with("Syscall param ") && line.find("unaddressable") != std::string_view::npos) {
    return {Kind::kRead, 1};
  }
  return {IsAboutNoAccess(line) ? Kind::kOther : Kind::kUnknown};
}

}  // namespace

std::vector<MemcheckError> ReadMemcheckLog(std::string_view text, pid_t process) {
  const std::string own = "==" + std::to_string(process) + "==", marks = "**" + std::to_string(process) + "** ";
  std::vector<MemcheckError> errors;
  bool in_error = false, counts = false;
  unsigned mark = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (TakeBehind(line, marks)) {
      if (TakePrefix(line, memcheck::kMarkWord)) mark = NumberIn<unsigned>(line);
      continue;
    }
    if (!TakeBehind(line, own)) continue;
    TakePrefix(line, " ");
    if (line.empty()) {
      in_error = false;
    } else if (!in_error) {
      if (StandsAlone(line)) continue;
      in_error = true;
      counts = !line.starts_with("Process terminating");
      if (!counts) continue;
      errors.push_back(ErrorOf(line));
      errors.back().mark = mark;
    } else if (counts && TakePrefix(line, " Address 0x")) {
      errors.back().address = NumberIn<std::uintptr_t>(line, 16);
    }
  }
  return errors;
}

void MemcheckLog::UseDescriptor(int descriptor) { log_descriptor = descriptor; }
bool MemcheckLog::Exists() { return log_descriptor >= 0; }

std::string MemcheckLog::TakeText() {
  std::string text;
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t count = pread(log_descriptor, buffer.data(), buffer.size(), taken_);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    taken_ += count;
  }
}

}  // namespace arenaproof

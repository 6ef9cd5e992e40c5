#include "tools/kernel_library/own_memory.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace arenaproof {
namespace {

// No more than a pipe takes at once, and never across a page: then a write is whole or refused.
constexpr std::size_t kPageBytes = 4096;

std::size_t LeftOfPage(const void* address) {
  return kPageBytes - reinterpret_cast<std::uintptr_t>(address) % kPageBytes;
}

}  // namespace

OwnMemory::OwnMemory() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  read_end_ = ends[0];
  write_end_ = ends[1];
}

OwnMemory::~OwnMemory() {
  if (read_end_ >= 0) close(read_end_);
  if (write_end_ >= 0) close(write_end_);
}

// The system reads for us, and answers with an error where a load would be a fault. The call is made past the C
// library: sanitizers would examine its arguments.
bool OwnMemory::Read(const void* from, void* to, std::size_t bytes) const {
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, LeftOfPage(source));
    if (syscall(SYS_write, write_end_, source, part) != static_cast<long>(part)) return false;
    if (read(read_end_, target, part) != static_cast<ssize_t>(part)) return false;
    source += part;
    target += part;
    bytes -= part;
  }
  return true;
}

OwnMemory::TextEnd OwnMemory::ReadText(const char* from, std::size_t most_bytes, std::string* text) const {
  text->clear();
  std::array<char, kPageBytes> letters{};
  while (most_bytes > 0) {
    const std::size_t part = std::min(most_bytes, LeftOfPage(from));
    if (!Read(from, letters.data(), part)) return TextEnd::kUnreadable;
    const char* const end = letters.data() + part;
    const char* const zero = std::find(std::as_const(letters).data(), end, '\0');
    text->append(std::as_const(letters).data(), zero);
    if (zero != end) return TextEnd::kTerminated;
    from += part;
    most_bytes -= part;
  }
  return TextEnd::kTooLong;
}

}  // namespace arenaproof

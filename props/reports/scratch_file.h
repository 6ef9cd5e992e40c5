// A file that lives as long as the process, for programs that want a name or a descriptor.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace arenaproof::testing {

class ScratchFile {
 public:
  ScratchFile() : descriptor_(memfd_create("arenaproof", 0)) {}
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  int descriptor() const { return descriptor_; }
  void Replace(std::string_view bytes) const {
    if (ftruncate(descriptor_, 0) != 0) std::abort();
    if (pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
    lseek(descriptor_, 0, SEEK_SET);
  }
  std::string Text() const {
    std::string text(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)), ' ');
    if (pread(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
    return text;
  }

 private:
  int descriptor_;
};

}  // namespace arenaproof::testing

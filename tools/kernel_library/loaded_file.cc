#include "tools/kernel_library/loaded_file.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

namespace arenaproof {
namespace {

constexpr int kHow = RTLD_NOW | RTLD_LOCAL;

bool loads_copies = false;

// A descriptor of the copy; -1: there is none.
int CopyOf(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat about{};
  int copy = fstat(file, &about) == 0 ? memfd_create("kernels", MFD_CLOEXEC) : -1;
  for (off_t at = 0; copy >= 0 && at < about.st_size;) {
    if (sendfile(copy, file, &at, static_cast<std::size_t>(about.st_size - at)) > 0) continue;
    close(copy);
    copy = -1;
  }
  close(file);
  return copy;
}

}  // namespace

void LoadCopiesOfFiles() { loads_copies = true; }

void* LoadFile(const std::string& path) {
  const int copy = loads_copies ? CopyOf(path) : -1;
  if (copy < 0) return dlopen(path.c_str(), kHow);
  const std::string copy_path = "/proc/self/fd/" + std::to_string(copy);
  void* library = dlopen(copy_path.c_str(), kHow);
  if (library == nullptr) {
    // Once more, for dlerror() has been asked. What the library needs may lie where the file does.
    const bool lacks_others = std::string(dlerror()).find("cannot open shared object") != std::string::npos;
    library = dlopen(lacks_others ? path.c_str() : copy_path.c_str(), kHow);
  }
  // A copy that is loaded keeps its number: another one under it would be taken for this one.
  if (library == nullptr) close(copy);
  return library;
}

}  // namespace arenaproof

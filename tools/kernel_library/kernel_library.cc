#include "tools/kernel_library/kernel_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <utility>

#include "tools/kernel_library/library_call.h"
#include "tools/kernel_library/loaded_file.h"
#include "tools/kernel_library/table_check.h"

namespace arenaproof {
namespace {

// An exception that its constructors or its function let out is the library's: noexcept ends the process while the call
// is noted.
void* LoadNoted(const std::string& path) noexcept {
  const LibraryCallNote note(LibraryCall::kLoad, "the library");
  return LoadFile(path);
}

const ArenaproofKernelLibrary* TableOf(void* symbol) noexcept {
  const LibraryCallNote note(LibraryCall::kTable, ARENAPROOF_KERNEL_LIBRARY_FUNCTION);
  return reinterpret_cast<decltype(&arenaproof_kernel_library)>(symbol)();
}

std::string ErrorOfLoader() {
  const char* const text = dlerror();
  return text == nullptr ? "no reason is known" : text;
}

}  // namespace

std::optional<KernelRefusal> KernelLibrary::Load(const std::string& file, LibraryHooks build,
                                                 const KernelSet* fallback) {
  const std::string name = "'" + file + "'";
  // A name without a slash would be searched for elsewhere.
  const std::string path = std::filesystem::absolute(file).string();
  const std::optional<LibraryHooks> hooks = HooksOfFile(path);
  if (!hooks) {
    return KernelRefusal{ToolRefusal::kKernelFileNotLoaded,
                         name +
                             " is no shared library for this machine; 'arenaproof flags --plain' prints how to compile "
                             "one"};
  }
  hooks_ = *hooks;
  if (hooks_ != LibraryHooks::kNone && hooks_ != build) {
    const std::string own = BuildName(hooks_), here = BuildName(build);
    return KernelRefusal{ToolRefusal::kKernelsNotSeen, name + " is compiled for " + own +
                                                           ", whose hooks are not here; --kernels=" + own + ":FILE," +
                                                           here + ":FILE names a build for each ('arenaproof flags --" +
                                                           here + "' prints how to compile it)"};
  }
  void* const library = LoadNoted(path);
  if (library == nullptr) {
    return KernelRefusal{ToolRefusal::kKernelFileNotLoaded, name + " cannot be loaded: " + ErrorOfLoader()};
  }
  void* const symbol = dlsym(library, ARENAPROOF_KERNEL_LIBRARY_FUNCTION);
  if (symbol == nullptr) {
    return KernelRefusal{ToolRefusal::kKernelFileNotLoaded,
                         name + " has no function " + ARENAPROOF_KERNEL_LIBRARY_FUNCTION +
                             "(), which gives the table of kernels (kernels/vendor/kernel_abi.h)"};
  }
  CheckedTable table;
  if (const auto refused = CheckTable(TableOf(symbol), &table)) {
    return KernelRefusal{ToolRefusal::kKernelTableRefused, name + ": " + refused->sentence};
  }
  kernels_ = std::make_unique<LibraryKernels>(std::move(table), fallback);
  return {};
}

}  // namespace arenaproof

// Which instrument a shared library was compiled for, by the symbols that its file asks for: code that was compiled
// with an instrument's hooks calls them before each access.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace arenaproof {

enum class LibraryHooks {
  kNone,    // no instrument that needs hooks sees its accesses
  kShadow,  // it calls __asan_load*_noabort and __asan_store*_noabort, and defines none of them
  kAsan     // it calls __asan_init: AddressSanitizer's runtime
};

// Nothing when the bytes are no shared library of this machine's word size. Only what the file asks others for counts:
// hooks that a library defines itself tell nobody. One file of hooked code is enough: the symbols do not show that all
// of the library has them.
std::optional<LibraryHooks> HooksOf(std::span<const std::byte> file);
// The same of the file at a path, which is read and not loaded; nothing either when it cannot be read.
std::optional<LibraryHooks> HooksOfFile(const std::string& path);

// Whether the instrument sees accesses of code with these hooks. Instruments other than shadow and asan need none.
constexpr bool SeesWithHooks(std::string_view instrument, LibraryHooks hooks) {
  if (instrument == "shadow") return hooks == LibraryHooks::kShadow;
  if (instrument == "asan") return hooks == LibraryHooks::kAsan;
  return true;
}

// The word for a build in --kernels=shadow:FILE, and in `arenaproof flags`.
constexpr const char* BuildName(LibraryHooks hooks) {
  return hooks == LibraryHooks::kShadow ? "shadow" : hooks == LibraryHooks::kAsan ? "asan" : "plain";
}

}  // namespace arenaproof

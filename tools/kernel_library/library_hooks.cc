#include "tools/kernel_library/library_hooks.h"

#include "tools/kernel_library/elf_file.h"

namespace arenaproof {
namespace {

bool IsAccessHook(std::string_view name) {
  return (name.starts_with("__asan_load") || name.starts_with("__asan_store")) && name.ends_with("_noabort");
}

struct Symbols {
  bool access_asked = false, access_defined = false, runtime_asked = false, runtime_defined = false;

  void Add(std::string_view name, bool defined) {
    if (IsAccessHook(name)) (defined ? access_defined : access_asked) = true;
    if (name == "__asan_init") (defined ? runtime_defined : runtime_asked) = true;
  }
};

}  // namespace

std::optional<LibraryHooks> HooksOf(std::span<const std::byte> bytes) {
  const ElfFile file(bytes);
  if (!file.is_library()) return {};
  Symbols symbols;
  file.ForEachSymbol(SHT_DYNSYM, [&](std::string_view name, const ElfW(Sym) & symbol) {
    symbols.Add(name, symbol.st_shndx != SHN_UNDEF);
  });
  if (symbols.runtime_asked && !symbols.runtime_defined && !symbols.access_defined) return LibraryHooks::kAsan;
  if (symbols.access_asked && !symbols.access_defined && !symbols.runtime_defined) return LibraryHooks::kShadow;
  return LibraryHooks::kNone;
}

std::optional<LibraryHooks> HooksOfFile(const std::string& path) { return HooksOf(MappedFile(path).bytes()); }

}  // namespace arenaproof

#include "tools/kernel_library/library_hooks.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace arenaproof {
namespace {

constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

// The file may say anything of itself: every read is inside it, or there is nothing.
class File {
 public:
  explicit File(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename Structure>
  std::optional<Structure> At(std::uint64_t offset) const {
    Structure structure;
    if (offset > bytes_.size() || sizeof structure > bytes_.size() - offset) return {};
    std::memcpy(&structure, bytes_.data() + offset, sizeof structure);
    return structure;
  }

  std::span<const std::byte> Part(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > bytes_.size() || bytes > bytes_.size() - offset) return {};
    return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
  }

 private:
  std::span<const std::byte> bytes_;
};

// Empty where the text does not end.
std::string_view TextAt(std::span<const std::byte> texts, std::uint64_t offset) {
  if (offset >= texts.size()) return {};
  const auto rest = texts.subspan(static_cast<std::size_t>(offset));
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) return {};
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

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

void AddSymbols(const File& file, const ElfW(Shdr) & section, const ElfW(Shdr) & names_section, Symbols& symbols) {
  const auto names = file.Part(names_section.sh_offset, names_section.sh_size);
  for (std::uint64_t at = 0; at + sizeof(ElfW(Sym)) <= section.sh_size; at += sizeof(ElfW(Sym))) {
    const auto symbol = file.At<ElfW(Sym)>(section.sh_offset + at);
    if (!symbol) return;
    symbols.Add(TextAt(names, symbol->st_name), symbol->st_shndx != SHN_UNDEF);
  }
}

// Nothing when the file is no shared library of this machine's word size.
std::optional<ElfW(Ehdr)> HeaderOf(const File& file) {
  const auto header = file.At<ElfW(Ehdr)>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != kClass ||
      header->e_type != ET_DYN) {
    return {};
  }
  return header;
}

std::vector<ElfW(Shdr)> SectionsOf(const File& file) {
  const auto header = HeaderOf(file);
  if (!header) return {};
  std::vector<ElfW(Shdr)> sections;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = file.At<ElfW(Shdr)>(header->e_shoff + std::uint64_t{i} * sizeof(ElfW(Shdr)));
    if (!section) break;
    sections.push_back(*section);
  }
  return sections;
}

// In memory while it exists; no bytes when it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    struct stat status{};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      const auto bytes = static_cast<std::size_t>(status.st_size);
      void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(memory), bytes};
    }
    close(file);
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::optional<LibraryHooks> HooksOf(std::span<const std::byte> bytes) {
  const File file(bytes);
  const std::vector<ElfW(Shdr)> sections = SectionsOf(file);
  if (!HeaderOf(file)) return {};
  Symbols symbols;
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    AddSymbols(file, section, sections[section.sh_link], symbols);
  }
  if (symbols.runtime_asked && !symbols.runtime_defined && !symbols.access_defined) return LibraryHooks::kAsan;
  if (symbols.access_asked && !symbols.access_defined && !symbols.runtime_defined) return LibraryHooks::kShadow;
  return LibraryHooks::kNone;
}

std::optional<LibraryHooks> HooksOfFile(const std::string& path) { return HooksOf(MappedFile(path).bytes()); }

bool HasSymbolTable(const std::string& path) {
  const MappedFile mapped(path);
  const std::vector<ElfW(Shdr)> sections = SectionsOf(File(mapped.bytes()));
  return std::any_of(sections.begin(), sections.end(),
                     [](const ElfW(Shdr) & section) { return section.sh_type == SHT_SYMTAB; });
}

}  // namespace arenaproof

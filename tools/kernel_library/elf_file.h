// An ELF file's sections and symbols, from bytes that may say anything of themselves: every read is inside of them, or
// there is nothing.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace arenaproof {

// In memory while it exists; no bytes when it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

// Of this machine's word size; without sections when it is none.
class ElfFile {
 public:
  explicit ElfFile(std::span<const std::byte> bytes);

  bool is_library() const { return header_ && header_->e_type == ET_DYN; }
  std::span<const ElfW(Shdr)> sections() const { return sections_; }
  // Empty where the section has none, or lies outside of the file.
  std::string_view NameOf(const ElfW(Shdr) & section) const;
  std::span<const std::byte> BytesOf(const ElfW(Shdr) & section) const;

  // visit(name, symbol) for each symbol of sections of the type, SHT_DYNSYM or SHT_SYMTAB.
  template <typename Visit>
  void ForEachSymbol(std::uint32_t type, Visit visit) const {
    for (const ElfW(Shdr) & section : sections_) {
      if (section.sh_type != type || section.sh_link >= sections_.size()) continue;
      const std::span<const std::byte> names = BytesOf(sections_[section.sh_link]);
      for (std::uint64_t at = 0; at + sizeof(ElfW(Sym)) <= section.sh_size; at += sizeof(ElfW(Sym))) {
        const auto symbol = At<ElfW(Sym)>(section.sh_offset + at);
        if (!symbol) break;
        visit(TextAt(names, symbol->st_name), *symbol);
      }
    }
  }

 private:
  template <typename Structure>
  std::optional<Structure> At(std::uint64_t offset) const {
    Structure structure;
    const std::span<const std::byte> part = Part(offset, sizeof structure);
    if (part.empty()) return {};
    std::memcpy(&structure, part.data(), sizeof structure);
    return structure;
  }
  std::span<const std::byte> Part(std::uint64_t offset, std::uint64_t bytes) const;
  // Empty where the text does not end.
  static std::string_view TextAt(std::span<const std::byte> texts, std::uint64_t offset);

  std::span<const std::byte> bytes_;
  std::optional<ElfW(Ehdr)> header_;
  std::vector<ElfW(Shdr)> sections_;
};

}  // namespace arenaproof

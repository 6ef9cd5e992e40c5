// Shared libraries of a few sections, whose sections and symbols are whatever a test says.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace arenaproof::testing {

struct MadeUpSection {
  std::string name;
  std::string bytes = {};
  std::uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
  std::uint64_t address = 0x1000;
};

struct MadeUpSymbol {
  std::string name;
  std::uint64_t address = 0, bytes = 0;
  std::uint16_t section = SHN_UNDEF;  // the first of the test's own sections is 1
  unsigned char type = STT_FUNC;
  bool dynamic = false;  // of SHT_DYNSYM, else of SHT_SYMTAB
};

// Behind the test's sections stand those of the symbols and the names.
inline std::vector<std::byte> MadeUpElf(const std::vector<MadeUpSection>& sections,
                                        const std::vector<MadeUpSymbol>& symbols, std::uint16_t type = ET_DYN) {
  std::string names(1, '\0');
  const auto name_at = [&](const std::string& name) {
    if (name.empty()) return std::uint32_t{0};
    const std::size_t at = names.size();
    names.append(name).push_back('\0');
    return static_cast<std::uint32_t>(at);
  };
  std::vector<ElfW(Shdr)> headers(1);
  std::string contents;
  const auto add = [&](const std::string& name, std::uint32_t section_type, const std::string& bytes) {
    ElfW(Shdr) header = {};
    header.sh_name = name_at(name);
    header.sh_type = section_type;
    header.sh_offset = sizeof(ElfW(Ehdr)) + contents.size();
    header.sh_size = bytes.size();
    headers.push_back(header);
    contents += bytes;
  };
  for (const MadeUpSection& section : sections) {
    add(section.name, SHT_PROGBITS, section.bytes);
    headers.back().sh_flags = section.flags;
    headers.back().sh_addr = section.address;
  }
  for (const bool dynamic : {true, false}) {
    std::string table;
    for (const MadeUpSymbol& one : symbols) {
      if (one.dynamic != dynamic) continue;
      ElfW(Sym) symbol = {};
      symbol.st_name = name_at(one.name);
      symbol.st_info = one.type;
      symbol.st_shndx = one.section;
      symbol.st_value = one.address;
      symbol.st_size = one.bytes;
      table.append(reinterpret_cast<const char*>(&symbol), sizeof symbol);
    }
    if (table.empty()) continue;
    add(dynamic ? ".dynsym" : ".symtab", dynamic ? SHT_DYNSYM : SHT_SYMTAB, table);
  }
  const std::uint32_t name_of_names = name_at(".strtab");
  add("", SHT_STRTAB, names);
  headers.back().sh_name = name_of_names;
  for (ElfW(Shdr) & header : headers) {
    if (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) {
      header.sh_link = static_cast<std::uint32_t>(headers.size() - 1);
    }
  }
  contents.resize((contents.size() + 7) / 8 * 8);  // the headers lie where they may be read in place
  ElfW(Ehdr) file = {};
  std::memcpy(file.e_ident, ELFMAG, SELFMAG);
  file.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  file.e_type = type;
  file.e_shoff = sizeof file + contents.size();
  file.e_shnum = static_cast<std::uint16_t>(headers.size());
  file.e_shstrndx = static_cast<std::uint16_t>(headers.size() - 1);
  std::vector<std::byte> bytes(file.e_shoff + headers.size() * sizeof headers[0]);
  std::memcpy(bytes.data(), &file, sizeof file);
  std::memcpy(bytes.data() + sizeof file, contents.data(), contents.size());
  std::memcpy(bytes.data() + file.e_shoff, headers.data(), headers.size() * sizeof headers[0]);
  return bytes;
}

}  // namespace arenaproof::testing

#include "tools/kernel_library/library_symbols.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "tools/kernel_library/elf_file.h"
#include "tools/kernel_library/harmless_calls.h"

namespace arenaproof {
namespace {

unsigned TypeOf(const ElfW(Sym) & symbol) { return symbol.st_info & 0xfU; }

bool MayBeFunction(const ElfW(Sym) & symbol) {
  const unsigned type = TypeOf(symbol);
  return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

// What the library reads of another's data, where tables of functions may be.
bool IsData(const ElfW(Sym) & symbol) { return TypeOf(symbol) == STT_OBJECT || TypeOf(symbol) == STT_TLS; }

// What assemblers and linkers put between functions: bytes of which every x86 instruction for padding is made. No
// function is, for want of a return or a jump.
bool IsPadding(std::byte byte) {
  constexpr std::string_view kPadding("\x66\x2e\x0f\x1f\x40\x44\x80\x84\x00\x90\xcc", 11);
  return kPadding.find(static_cast<char>(byte)) != std::string_view::npos;
}

using Extent = std::pair<std::uint64_t, std::uint64_t>;  // where code with a name begins, and its bytes

// Code that begins with a symbol without a size, as assembly has them, goes on until the next one.
bool IsCovered(std::span<const std::byte> code, std::vector<Extent>& extents) {
  std::sort(extents.begin(), extents.end());
  std::uint64_t covered = 0;
  const auto pads = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return true;
    const auto gap = code.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    return std::all_of(gap.begin(), gap.end(), IsPadding);
  };
  bool open = false;
  for (const auto& [begin, bytes] : extents) {
    if (begin >= code.size()) break;
    if (!open && !pads(covered, begin)) return false;
    open = bytes == 0 && begin >= covered;
    const std::uint64_t end = begin + std::min<std::uint64_t>(bytes, code.size() - begin);
    covered = std::max(covered, end);
  }
  return open || pads(covered, code.size());
}

}  // namespace

std::vector<std::string> UnwatchedCalls(std::span<const std::byte> library, std::span<const std::byte> instrument) {
  std::set<std::string> calls;
  ElfFile(library).ForEachSymbol(SHT_DYNSYM, [&](std::string_view name, const ElfW(Sym) & symbol) {
    if (symbol.st_shndx != SHN_UNDEF || name.empty()) return;
    const bool counts = IsData(symbol) ? !IsHarmlessData(name) : MayBeFunction(symbol) && !IsHarmlessCall(name);
    if (counts) calls.emplace(name);
  });
  ElfFile(instrument).ForEachSymbol(SHT_DYNSYM, [&](std::string_view name, const ElfW(Sym) & symbol) {
    if (symbol.st_shndx != SHN_UNDEF) calls.erase(std::string(name));
  });
  return {calls.begin(), calls.end()};
}

bool NamesItsFunctions(std::span<const std::byte> library) {
  const ElfFile file(library);
  const auto sections = file.sections();
  std::vector<std::vector<Extent>> extents(sections.size());
  bool has_table = false;
  file.ForEachSymbol(SHT_SYMTAB, [&](std::string_view, const ElfW(Sym) & symbol) {
    has_table = true;
    if (!MayBeFunction(symbol) || symbol.st_shndx >= sections.size()) return;
    const std::uint64_t begin = sections[symbol.st_shndx].sh_addr;
    if (symbol.st_value >= begin) extents[symbol.st_shndx].push_back({symbol.st_value - begin, symbol.st_size});
  });
  if (!has_table) return false;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::string_view name = file.NameOf(sections[i]);
    // The linker's own jumps to functions of others have no names anywhere.
    const bool jumps = name.starts_with(".plt") || name.starts_with(".iplt");
    if ((sections[i].sh_flags & SHF_EXECINSTR) == 0 || jumps) continue;
    if (!IsCovered(file.BytesOf(sections[i]), extents[i])) return false;
  }
  return true;
}

}  // namespace arenaproof

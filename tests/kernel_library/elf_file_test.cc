// Files whose headers say more of themselves than there is: what lies outside is nothing.
#include "tools/kernel_library/elf_file.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/made_up_elf.h"

namespace arenaproof {
namespace {

using testing::MadeUpElf;

std::vector<std::byte> TwoSections() {
  return MadeUpElf({{".first", "abc"}, {".second", "defgh"}},
                   {{"f", 0x1000, 3, 1}, {"g", 0x1000, 5, 2}, {"asked", 0, 0, SHN_UNDEF, STT_FUNC, true}});
}

std::string TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string NamesOf(const ElfFile& file, std::uint32_t type) {
  std::string names;
  file.ForEachSymbol(type, [&](std::string_view name, const ElfW(Sym)&) { names += std::string(name) + "|"; });
  return names;
}

TEST(ElfFile, HasSectionsAndSymbolsOfEachTable) {
  const std::vector<std::byte> bytes = TwoSections();
  const ElfFile file(bytes);
  EXPECT_TRUE(file.is_library());
  ASSERT_EQ(file.sections().size(), 6u);
  EXPECT_EQ(file.NameOf(file.sections()[1]), ".first");
  EXPECT_EQ(file.NameOf(file.sections()[2]), ".second");
  EXPECT_EQ(TextOf(file.BytesOf(file.sections()[2])), "defgh");
  EXPECT_EQ(NamesOf(file, SHT_SYMTAB), "f|g|");
  EXPECT_EQ(NamesOf(file, SHT_DYNSYM), "asked|");
}

TEST(ElfFile, IsNoLibraryOfAnotherKindOrMachine) {
  EXPECT_FALSE(ElfFile(MadeUpElf({}, {}, ET_EXEC)).is_library());
  EXPECT_FALSE(ElfFile(MadeUpElf({}, {}, ET_REL)).is_library());
  for (const std::size_t at : {std::size_t{EI_MAG0}, std::size_t{EI_MAG3}, std::size_t{EI_CLASS}}) {
    std::vector<std::byte> bytes = TwoSections();
    bytes[at] ^= std::byte{3};
    const ElfFile other(bytes);
    EXPECT_FALSE(other.is_library()) << at;
    EXPECT_TRUE(other.sections().empty()) << at;
  }
}

TEST(ElfFile, HasNoBytesOutsideOfTheFile) {
  const std::vector<std::byte> bytes = TwoSections();
  const ElfFile file(bytes);
  ElfW(Shdr) section = file.sections()[1];
  const auto bytes_of = [&](std::uint64_t offset, std::uint64_t size) {
    section.sh_offset = offset;
    section.sh_size = size;
    return file.BytesOf(section).size();
  };
  EXPECT_EQ(bytes_of(0, bytes.size()), bytes.size());
  EXPECT_EQ(bytes_of(bytes.size() - 1, 1), 1u);
  EXPECT_EQ(bytes_of(bytes.size() - 1, 2), 0u);
  EXPECT_EQ(bytes_of(bytes.size() + 1, 0), 0u);
  // Their sum wraps to a place inside.
  EXPECT_EQ(bytes_of(UINT64_MAX - 7, 16), 0u);
  EXPECT_EQ(bytes_of(16, UINT64_MAX - 7), 0u);
  section.sh_type = SHT_NOBITS;
  EXPECT_EQ(bytes_of(0, 16), 0u);
}

TEST(ElfFile, HasNoNameThatLiesOutsideOrDoesNotEnd) {
  std::vector<std::byte> bytes = TwoSections();
  const ElfFile file(bytes);
  const ElfW(Shdr) names = file.sections().back();
  ElfW(Shdr) section = file.sections()[1];
  section.sh_name = static_cast<std::uint32_t>(names.sh_size);
  EXPECT_EQ(file.NameOf(section), "");
  section.sh_name = static_cast<std::uint32_t>(names.sh_size - 2);
  EXPECT_EQ(file.NameOf(section), "b") << "the end of .strtab";
  bytes[names.sh_offset + names.sh_size - 1] = std::byte{'x'};
  EXPECT_EQ(file.NameOf(section), "") << "there is no zero behind it";
  auto header = reinterpret_cast<ElfW(Ehdr)*>(bytes.data());
  header->e_shstrndx = header->e_shnum;
  const ElfFile nameless(bytes);
  EXPECT_EQ(nameless.NameOf(nameless.sections()[1]), "");
}

TEST(ElfFile, HasTheSectionsThatLieInTheFileAlone) {
  std::vector<std::byte> bytes = TwoSections();
  bytes.pop_back();
  EXPECT_EQ(ElfFile(bytes).sections().size(), 5u);
  auto header = reinterpret_cast<ElfW(Ehdr)*>(bytes.data());
  header->e_shoff = UINT64_MAX - 63;
  EXPECT_TRUE(ElfFile(bytes).sections().empty());
}

// A table says how long it is: half an entry at its end is none, and no more is read of one that leaves the file.
TEST(ElfFile, HasWholeSymbolsAlone) {
  std::vector<std::byte> bytes = TwoSections();
  auto header = reinterpret_cast<ElfW(Ehdr)*>(bytes.data());
  auto* const sections = reinterpret_cast<ElfW(Shdr)*>(bytes.data() + header->e_shoff);
  ElfW(Shdr)& table = sections[4];
  ASSERT_EQ(table.sh_type, SHT_SYMTAB);
  table.sh_size -= 1;
  EXPECT_EQ(NamesOf(ElfFile(bytes), SHT_SYMTAB), "f|");
  table.sh_size += 1;
  table.sh_link = header->e_shnum;
  EXPECT_EQ(NamesOf(ElfFile(bytes), SHT_SYMTAB), "") << "it has no names";
}

TEST(MappedFile, HasTheBytesOfARegularFileAlone) {
  EXPECT_GT(MappedFile("/proc/self/exe").bytes().size(), 1000u);
  for (const char* none : {"/nowhere", "/", "/dev/zero", "/dev/null", "/proc/self/status"}) {
    EXPECT_TRUE(MappedFile(none).bytes().empty()) << none;
  }
}

}  // namespace
}  // namespace arenaproof

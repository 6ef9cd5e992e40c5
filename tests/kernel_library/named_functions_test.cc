// Which code of a library belongs to functions with names, and which of its calls nobody watches: on files that are
// made up symbol by symbol.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/made_up_elf.h"
#include "tools/kernel_library/library_hooks.h"
#include "tools/kernel_library/library_symbols.h"

namespace arenaproof {
namespace {

using ::testing::ElementsAre;
using testing::MadeUpElf;
using testing::MadeUpSection;
using testing::MadeUpSymbol;

constexpr std::uint64_t kStart = 0x1000;

// "c" is a byte of code, "." one that pads.
std::string Code(std::string text) {
  for (char& letter : text) letter = letter == '.' ? '\x90' : '\xc3';
  return text;
}

MadeUpSymbol Named(std::uint64_t offset, std::uint64_t bytes, std::uint16_t section = 1) {
  return {"f", kStart + offset, bytes, section};
}

bool AreNamed(const std::string& code, const std::vector<MadeUpSymbol>& symbols) {
  return NamesItsFunctions(MadeUpElf({{".text", Code(code)}}, symbols));
}

TEST(NamedFunctions, CoverAllCodeButPadding) {
  EXPECT_TRUE(AreNamed("cccc", {Named(0, 4)}));
  EXPECT_TRUE(AreNamed("..cc..cc..", {Named(2, 2), Named(6, 2)}));
  EXPECT_FALSE(AreNamed("cccc", {Named(0, 3)})) << "at the end";
  EXPECT_FALSE(AreNamed("cccc", {Named(1, 3)})) << "at the start";
  EXPECT_FALSE(AreNamed("cccc", {Named(0, 1), Named(2, 2)})) << "in between";
  EXPECT_FALSE(AreNamed("cc", {}));
}

// What x86's instructions for padding are made of; other bytes may be those of a function.
TEST(NamedFunctions, LeaveNothingButPaddingBetweenThem) {
  const std::string padding("\x66\x2e\x0f\x1f\x40\x44\x80\x84\x00\x90\xcc", 11);
  for (int byte = 0; byte < 256; ++byte) {
    const auto letter = static_cast<char>(byte);
    const bool pads = padding.find(letter) != std::string::npos;
    EXPECT_EQ(NamesItsFunctions(MadeUpElf({{".text", std::string("\xc3\xc3") + letter}}, {Named(0, 2)})), pads) << byte;
  }
}

TEST(NamedFunctions, AreInAnyOrderAndInEachOther) {
  EXPECT_TRUE(AreNamed("cc..cc", {Named(4, 2), Named(0, 2)}));
  EXPECT_TRUE(AreNamed("cccccc", {Named(0, 6), Named(2, 1)})) << "the larger one covers what is behind the smaller";
  EXPECT_TRUE(AreNamed("cccccc", {Named(0, 4), Named(2, 4)}));
  EXPECT_FALSE(AreNamed("cccccc", {Named(0, 4), Named(1, 1)}));
}

TEST(NamedFunctions, WithoutASizeGoOnUntilTheNext) {
  EXPECT_TRUE(AreNamed("cccc", {Named(0, 0)}));
  EXPECT_TRUE(AreNamed("cccc", {Named(0, 0), Named(3, 1)}));
  EXPECT_FALSE(AreNamed("cccc", {Named(0, 0), Named(1, 1)})) << "behind the next";
  EXPECT_FALSE(AreNamed("cccc", {Named(1, 0)}));
  EXPECT_FALSE(AreNamed("cccc", {Named(0, 2), Named(1, 0)})) << "a label in a function names no code behind it";
  EXPECT_FALSE(AreNamed("cccc", {Named(4, 0)})) << "at the end";
}

TEST(NamedFunctions, MayReachBeyondTheirSection) {
  EXPECT_TRUE(AreNamed("cccc", {Named(0, UINT64_MAX)}));
  EXPECT_FALSE(AreNamed("cccc", {Named(1, UINT64_MAX)}));
  EXPECT_TRUE(AreNamed("cccc", {Named(0, 4), Named(9, 4)})) << "nothing is between them";
  EXPECT_FALSE(AreNamed("cccc", {{"before", kStart - 8, 12, 1}})) << "it begins in front of the section";
}

TEST(NamedFunctions, AreThoseOfTheirOwnSection) {
  const MadeUpSection one = {".text", Code("cc")}, other = {".other", Code("cc")};
  EXPECT_TRUE(NamesItsFunctions(MadeUpElf({one, other}, {Named(0, 2, 1), Named(0, 2, 2)})));
  EXPECT_FALSE(NamesItsFunctions(MadeUpElf({one, other}, {Named(0, 2, 1)})));
  EXPECT_FALSE(NamesItsFunctions(MadeUpElf({one, other}, {Named(0, 2, 2)})));
  // Sections that are no code, and the linker's jumps, have no names.
  for (const MadeUpSection& nameless :
       {MadeUpSection{".rodata", Code("cc"), SHF_ALLOC}, MadeUpSection{".plt", Code("cc")},
        MadeUpSection{".plt.got", Code("cc")}, MadeUpSection{".iplt", Code("cc")}}) {
    EXPECT_TRUE(NamesItsFunctions(MadeUpElf({nameless, one}, {Named(0, 2, 2)}))) << nameless.name;
  }
}

TEST(NamedFunctions, AreSymbolsOfCode) {
  for (const int type : {STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE}) {
    EXPECT_TRUE(AreNamed("cc", {{"f", kStart, 2, 1, static_cast<unsigned char>(type)}})) << type;
  }
  for (const int type : {STT_OBJECT, STT_SECTION, STT_FILE, STT_TLS}) {
    EXPECT_FALSE(AreNamed("cc", {{"f", kStart, 2, 1, static_cast<unsigned char>(type)}})) << type;
  }
  // What is exported alone is not all that there is.
  EXPECT_FALSE(AreNamed("cc", {{"f", kStart, 2, 1, STT_FUNC, true}}));
}

MadeUpSymbol Asked(const std::string& name, unsigned char type = STT_FUNC) {
  return {name, 0, 0, SHN_UNDEF, type, true};
}
MadeUpSymbol Defined(const std::string& name) { return {name, kStart, 1, 1, STT_FUNC, true}; }

TEST(UnwatchedCalls, AreFunctionsThatTheLibraryAsksOthersFor) {
  const std::vector<std::byte> library = MadeUpElf({}, {Asked("strcpy"),
                                                        Asked("copy_elsewhere"),
                                                        Defined("own_function"),
                                                        Asked("environ", STT_OBJECT),
                                                        Asked(""),
                                                        Asked("sin"),
                                                        Asked("strcpy"),
                                                        Asked("no_type", STT_NOTYPE),
                                                        {"local", 0, 0, SHN_UNDEF, STT_FUNC, false}});
  EXPECT_THAT(UnwatchedCalls(library, {}), ElementsAre("copy_elsewhere", "no_type", "strcpy"));
}

// What the program merely asks others for is no checked function of its own.
TEST(UnwatchedCalls, AreWatchedWhereTheProgramDefinesThem) {
  const std::vector<std::byte> library = MadeUpElf({}, {Asked("strcpy"), Asked("strcat")});
  EXPECT_THAT(UnwatchedCalls(library, MadeUpElf({}, {Defined("strcpy"), Asked("strcat")})), ElementsAre("strcat"));
}

TEST(LibraryHooks, AreThoseThatNobodyInTheLibraryDefines) {
  const auto hooks = [](const std::vector<MadeUpSymbol>& symbols) { return HooksOf(MadeUpElf({}, symbols)); };
  const MadeUpSymbol load = Asked("__asan_load4_noabort"), store = Asked("__asan_storeN_noabort"),
                     init = Asked("__asan_init");
  EXPECT_EQ(hooks({load}), LibraryHooks::kShadow);
  EXPECT_EQ(hooks({store}), LibraryHooks::kShadow);
  EXPECT_EQ(hooks({init}), LibraryHooks::kAsan);
  EXPECT_EQ(hooks({init, load}), LibraryHooks::kAsan);
  EXPECT_EQ(hooks({load, Defined("__asan_load1_noabort")}), LibraryHooks::kNone);
  EXPECT_EQ(hooks({load, Defined("__asan_store1_noabort")}), LibraryHooks::kNone);
  EXPECT_EQ(hooks({load, Defined("__asan_init")}), LibraryHooks::kNone);
  EXPECT_EQ(hooks({init, Defined("__asan_init")}), LibraryHooks::kNone);
  EXPECT_EQ(hooks({init, Defined("__asan_load1_noabort")}), LibraryHooks::kNone);
  for (const char* other : {"__asan_load4", "__asan_init_v5", "__asan_register_globals", "my__asan_load4_noabort"}) {
    EXPECT_EQ(hooks({Asked(other)}), LibraryHooks::kNone) << other;
  }
  // Only what the dynamic linker resolves counts.
  EXPECT_EQ(hooks({{"__asan_init", 0, 0, SHN_UNDEF, STT_FUNC, false}}), LibraryHooks::kNone);
  EXPECT_EQ(HooksOf(MadeUpElf({}, {load}, ET_EXEC)), std::nullopt);
}

}  // namespace
}  // namespace arenaproof

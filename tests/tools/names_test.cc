#include "tools/text/names.h"

#include <gtest/gtest.h>

#include <string>

namespace arenaproof {
namespace {

TEST(Printable, KeepsWhatCanBeRead) {
  for (const char* name : {"conv2d/Relu;x", "größe", "имя", "层_3", "été", "λ→μ", "a\\b", "🙂"}) {
    EXPECT_EQ(Printable(name), name);
  }
}

TEST(Printable, KeepsNamesFromDrivingATerminal) {
  EXPECT_EQ(Printable("conv\x1b[2J\n"), "conv\\x1b[2J\\x0a");
  EXPECT_EQ(Printable(std::string("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b") << "a control character of two bytes";
}

// A name that is turned around, or of which a part is not seen, is taken for another one.
TEST(Printable, ShowsCharactersThatAreNotSeen) {
  EXPECT_EQ(Printable("a\u202Eb"), "a\\xe2\\x80\\xaeb");
  for (const char* hidden : {"\u200B", "\u200D", "\u00AD", "\u2066", "\uFEFF", "\u00A0", "\u2028", "\U000E0041"}) {
    EXPECT_TRUE(Printable(hidden).starts_with("\\x")) << Printable(hidden);
  }
}

TEST(Printable, ShowsTheBytesOfWhatIsNoUtf8) {
  EXPECT_EQ(Printable("gr\xf6\xdf"
                      "e"),
            "gr\\xf6\\xdfe");
  EXPECT_EQ(Printable("\xc3"), "\\xc3") << "the end is missing";
  EXPECT_EQ(Printable("\xc3("), "\\xc3(");
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf") << "longer than it needs to be";
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(Printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80") << "behind the last character";
  EXPECT_EQ(Printable("\xbf"), "\\xbf");
}

TEST(Printable, EndsALongNameBetweenTwoCharacters) {
  EXPECT_LE(Printable(std::string(100000, 'x')).size(), 210u);
  std::string umlauts = "x";
  for (int i = 0; i < 200; ++i) umlauts += "ü";
  const std::string printed = Printable(umlauts);
  EXPECT_EQ(printed, umlauts.substr(0, 199) + "...");
}

TEST(PrintableSentence, ChangesNothingTheSecondTime) {
  for (const char* text : {"'\xff\x1b': no model", "größe\u202E", "a\\x1b"}) {
    EXPECT_EQ(PrintableSentence(PrintableSentence(text)), PrintableSentence(text));
  }
  EXPECT_EQ(PrintableSentence(std::string(1000, 'x')).size(), 1000u);
}

TEST(Columns, AreThoseOfCharacters) {
  EXPECT_EQ(Columns(""), 0u);
  EXPECT_EQ(Columns("größe"), 5u);
}

}  // namespace
}  // namespace arenaproof

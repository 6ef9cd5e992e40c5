#include "tools/text/text.h"

#include <gtest/gtest.h>

namespace arenaproof {
namespace {

TEST(TextTable, MakesColumnsAsWideAsTheyNeedToBe) {
  TextTable table({"name", ">bytes"});
  table.AddRow({"a", "12345678"});
  table.AddRow({"longer", "1"});
  EXPECT_EQ(table.Text(2), "  name       bytes\n  a       12345678\n  longer         1\n");
}

TEST(Printable, KeepsNamesFromDrivingATerminal) {
  EXPECT_EQ(Printable("conv\x1b[2J\n"), "conv\\x1b[2J\\x0a");
  EXPECT_LE(Printable(std::string(100000, 'x')).size(), 210u);
}

TEST(ShellWord, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(ShellWord("corpus/models/a-1.tflite"), "corpus/models/a-1.tflite");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord(""), "''");
}

TEST(Counted, AddsAnSWhereThereAreSeveral) {
  EXPECT_EQ(Counted(1, "byte"), "1 byte");
  EXPECT_EQ(Counted(0, "byte"), "0 bytes");
}

}  // namespace
}  // namespace arenaproof

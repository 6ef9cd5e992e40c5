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

TEST(TextTable, CountsCharactersAndNotBytes) {
  TextTable table({"name", ">bytes"});
  table.AddRow({"größe", "1"});
  table.AddRow({"abcde", "2"});
  EXPECT_EQ(table.Text(0), "name   bytes\ngröße      1\nabcde      2\n");
}

TEST(LinesOf, AreWithoutTheirBreaks) {
  EXPECT_EQ(LinesOf("a\n\nb\n"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(LinesOf("").empty());
}

TEST(Counted, AddsAnSWhereThereAreSeveral) {
  EXPECT_EQ(Counted(1, "byte"), "1 byte");
  EXPECT_EQ(Counted(0, "byte"), "0 bytes");
}

}  // namespace
}  // namespace arenaproof

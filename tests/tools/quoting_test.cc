#include "tools/text/quoting.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace arenaproof {
namespace {

// What bash makes of a word.
std::string ReadByBash(const std::string& word) {
  std::string script = (std::filesystem::temp_directory_path() / "quoting-XXXXXX").string();
  const int descriptor = mkstemp(script.data());
  if (descriptor < 0) return "no file for the shell";
  close(descriptor);
  std::ofstream(script, std::ios::binary) << "printf %s " + word + "\n";
  std::string read;
  std::FILE* const bash = popen(("bash '" + script + "'").c_str(), "r");
  for (int byte = std::fgetc(bash); byte != EOF; byte = std::fgetc(bash)) read += static_cast<char>(byte);
  pclose(bash);
  std::filesystem::remove(script);
  return read;
}

TEST(ShellWord, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(ShellWord("corpus/models/a-1.tflite"), "corpus/models/a-1.tflite");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("größe"), "'größe'");
  EXPECT_EQ(ShellWord("a\x1b"), "$'a\\x1b'");
}

TEST(ShellWord, IsReadBackToTheByte) {
  for (const char* word : {"",
                           "plain",
                           "two words",
                           "it's",
                           "\"",
                           "$(x)",
                           "`x`",
                           "a\nb",
                           "\n",
                           "\\",
                           "\\x41",
                           "a\\'b",
                           "!x",
                           "~",
                           "*",
                           "#",
                           "a=b",
                           "%1",
                           "-x",
                           "größe",
                           "\u202Ex",
                           "\xff",
                           "\xff\x1b'\\",
                           "\x1b[2J",
                           "\xe4"
                           "1",
                           "\tx ",
                           "a;b",
                           "&",
                           "|"}) {
    EXPECT_EQ(ReadByBash(ShellWord(word)), word) << ShellWord(word);
  }
}

TEST(ShellPath, IsNeverAnOption) {
  EXPECT_EQ(ShellPath("-x.tflite"), "./-x.tflite");
  EXPECT_EQ(ShellPath("--help"), "./--help");
  EXPECT_EQ(ShellPath("- x"), "'./- x'");
  EXPECT_EQ(ShellPath("a-x"), "a-x");
}

}  // namespace
}  // namespace arenaproof

// The program behind ./dev kernels: its words, its exit statuses, and that nothing but the report is printed.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/command/command_support.h"

namespace arenaproof {
namespace {

using testing::CompareKernels;

TEST(CompareKernels, ReportsWhatWasEqualAndTheSpeedOfBoth) {
  const auto run = CompareKernels("--op=CEIL --set=reference --against=reference --cases=5");
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_EQ(run.errors, "");  // no progress where nobody looks
  EXPECT_TRUE(run.output.starts_with("  operator  cases  elements         ns for each  reference  reference  ratio"))
      << run.output;
  EXPECT_NE(run.output.find("\n  CEIL          5  "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("  equal  element  "), std::string::npos) << run.output;
  EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 2) << run.output;
}

TEST(CompareKernels, ComparesTheAlignedSetWithTheReferenceByItself) {
  const auto run = CompareKernels("--cases=20");
  EXPECT_EQ(run.exit_status, 0) << run.output << run.errors;
  EXPECT_NE(run.output.find("\n  FULLY_CONNECTED     20  "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("  equal  multiply  "), std::string::npos) << run.output;
}

TEST(CompareKernels, NamesWhatWouldBeRight) {
  const std::pair<const char*, const char*> kSentences[] = {
      {"--set=fast", "there is no kernel set 'fast'; known are reference, aligned, "},
      {"--against=fast", "there is no kernel set 'fast'; known are reference, aligned, "},
      {"--against=reference --op=Ceil",
       "'Ceil' is no operator with cases that reference and reference both serve with kernels of their own; those "
       "are "},
      {"--op=CONJURE",
       "'CONJURE' is no operator with cases that reference and aligned both serve with kernels of their own; those are "
       "FULLY_CONNECTED"},
      {"--op=IF --against=reference", "'IF' is no operator with cases"},
      {"--op", "--op is given no value"},
      {"--cases=0", "--cases: 0 is not in the range from 1 to 999999"},
      {"--cases=1e3", "--cases: '1e3' is not a whole decimal number; it has to be one from 1 to 999999"},
      {"--seed=", "--seed is given no value; it has to be a decimal number from 1 to 999999999999"},
      {"--seed=1 --seed=2", "--seed is given 2 times; once is right"},
      {"--help=3", "--help takes no value"},
      {"CEIL", "not expected: CEIL"},
      {"--shapes=3", "not expected: --shapes=3"},
  };
  for (const auto& [words, sentence] : kSentences) {
    const auto run = CompareKernels(words);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_EQ(run.output, "") << words;
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << words << "\n" << run.errors;
    EXPECT_TRUE(run.errors.starts_with("arenaproof-compare-kernels: ")) << run.errors;
    EXPECT_NE(run.errors.find(sentence), std::string::npos) << words << "\n" << run.errors;
  }
}

TEST(CompareKernels, ExplainsItself) {
  const auto run = CompareKernels("--help");
  EXPECT_EQ(run.exit_status, 0);
  for (const char* word : {"--op", "--set", "--against", "--cases", "--seed", "Exit status: 0 equal; 1 a difference"}) {
    EXPECT_NE(run.output.find(word), std::string::npos) << word;
  }
}

TEST(CompareKernels, CouldNotRunWhenItsReportIsNotTaken) {
  const auto run = CompareKernels("--op=CEIL --against=reference --cases=1 >/dev/full 2>/dev/null; (exit $?)");
  EXPECT_EQ(run.exit_status, 2);
}

}  // namespace
}  // namespace arenaproof

// A worker's words: each sets its own field, at its limits too, and what is wrong with one is said.
#include "tools/worker/check_arguments.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/text/version.h"

namespace arenaproof {
namespace {

std::string Parse(std::vector<std::string> words, CheckArguments* arguments) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return ParseCheckArguments(pointers, arguments);
}

// Of a word beside a model.
CheckArguments With(const std::string& word) {
  CheckArguments arguments;
  EXPECT_EQ(Parse({"--model=m", word}, &arguments), "") << word;
  return arguments;
}

std::string ProblemOfWord(const std::string& word) {
  CheckArguments arguments;
  return Parse({"--model=m", word}, &arguments);
}

TEST(CheckArguments, HaveDefaultsForEverythingButTheModel) {
  const CheckArguments none = With("--seed=1");
  EXPECT_EQ(none.kernels, "reference");
  EXPECT_EQ(none.fallback, "none");
  EXPECT_EQ(none.instrument, "none");
  EXPECT_EQ(none.layout, Layout::kFaithful);
  EXPECT_FALSE(none.arena_bytes || none.persistent_arena_bytes);
  EXPECT_FALSE(none.two_arenas || none.extents || none.trust_plan || none.strict_plan || none.no_sharing);
  EXPECT_EQ(none.reserve_front_bytes, 0u);
  EXPECT_EQ(none.runs, 1u);
  EXPECT_EQ(none.result_descriptor, 1);
  EXPECT_EQ(none.jobs_descriptor, -1);
  EXPECT_EQ(none.valgrind_log_descriptor, -1);
  CheckArguments arguments;
  EXPECT_EQ(Parse({"--seed=1"}, &arguments), "--model=PATH is missing");
  EXPECT_EQ(Parse({"--model="}, &arguments), "--model=PATH is missing");
}

TEST(CheckArguments, TakeTheSmallestAndTheLargestNumber) {
  EXPECT_EQ(With("--arena-bytes=0").arena_bytes, 0u);
  EXPECT_EQ(With("--arena-bytes=1099511627776").arena_bytes, 1099511627776u);
  EXPECT_FALSE(With("--arena-bytes=5").persistent_arena_bytes);
  EXPECT_EQ(With("--persistent-arena-bytes=1099511627776").persistent_arena_bytes, 1099511627776u);
  EXPECT_EQ(With("--reserve-front=65536").reserve_front_bytes, 65536u);
  EXPECT_EQ(With("--seed=4294967295").seed, 4294967295u);
  EXPECT_EQ(With("--runs=1000000").runs, 1000000u);
  EXPECT_EQ(With("--result-fd=1").result_descriptor, 1);
  EXPECT_EQ(With("--result-fd=65535").result_descriptor, 65535);
  EXPECT_EQ(With("--jobs-fd=0").jobs_descriptor, 0);
  EXPECT_EQ(With("--valgrind-log-fd=0").valgrind_log_descriptor, 0);
}

TEST(CheckArguments, SayWhichNumberWouldBeRight) {
  const std::pair<std::string, std::string> kWrong[] = {
      {"--arena-bytes=1099511627777", "0 to 1099511627776"},
      {"--persistent-arena-bytes=1099511627777", "0 to 1099511627776"},
      {"--reserve-front=65537", "0 to 65536"},
      {"--seed=0", "1 to 4294967295"},
      {"--seed=4294967296", "1 to 4294967295"},
      {"--runs=0", "1 to 1000000"},
      {"--runs=1000001", "1 to 1000000"},
      {"--result-fd=0", "1 to 65535"},
      {"--jobs-fd=65536", "0 to 65535"},
      {"--valgrind-log-fd=-1", "0 to 65535"},
      {"--two-arenas=2", "0 to 1"},
      {"--extents=yes", "0 to 1"},
      {"--runs=", "1 to 1000000"},
      {"--runs=3x", "1 to 1000000"},
      {"--runs= 3", "1 to 1000000"},
      {"--trust-plan=2", "0 to 1"},
      {"--strict-plan=2", "0 to 1"},
      {"--no-sharing=2", "0 to 1"}};
  for (const auto& [word, limits] : kWrong) {
    EXPECT_EQ(ProblemOfWord(word), word.substr(0, word.find('=')) + " is '" + word.substr(word.find('=') + 1) +
                                       "'; a number from " + limits + " would be right");
  }
}

// One flag is no other's.
TEST(CheckArguments, SetTheFlagThatTheyName) {
  const std::pair<const char*, bool CheckArguments::*> kFlags[] = {{"two-arenas", &CheckArguments::two_arenas},
                                                                   {"extents", &CheckArguments::extents},
                                                                   {"trust-plan", &CheckArguments::trust_plan},
                                                                   {"strict-plan", &CheckArguments::strict_plan},
                                                                   {"no-sharing", &CheckArguments::no_sharing}};
  for (const auto& [name, flag] : kFlags) {
    const CheckArguments set = With("--" + std::string(name) + "=1");
    for (const auto& [other_name, other] : kFlags) EXPECT_EQ(set.*other, name == other_name) << name << other_name;
    CheckArguments taken_back;
    EXPECT_EQ(Parse({"--model=m", "--" + std::string(name) + "=1", "--" + std::string(name) + "=0"}, &taken_back), "");
    EXPECT_FALSE(taken_back.*flag) << name;
  }
}

TEST(CheckArguments, TakeTextsAsTheyAre) {
  CheckArguments arguments;
  ASSERT_EQ(Parse({"--model=a=b", "--kernels=k", "--fallback=reference", "--instrument=i", "--layout=dilated",
                   "--planner=linear", "--input=0:x=y", "--input=1:z", std::string("--version=") + kVersion},
                  &arguments),
            "");
  EXPECT_EQ(arguments.model, "a=b");
  EXPECT_EQ(arguments.kernels, "k");
  EXPECT_EQ(arguments.fallback, "reference");
  EXPECT_EQ(arguments.instrument, "i");
  EXPECT_EQ(arguments.layout, Layout::kDilated);
  EXPECT_EQ(arguments.planner, "linear");
  EXPECT_EQ(arguments.inputs, (std::vector<std::string>{"0:x=y", "1:z"}));
}

TEST(CheckArguments, AreRefusedWhereTheyMeanNothing) {
  for (const std::string word : {"model", "-model=m", "--seed", "--unheard-of=1", "--layout=flat", "--fallback=aligned",
                                 "--version=0", "--planner=lucky", "--=1", ""}) {
    EXPECT_NE(ProblemOfWord(word), "") << word;
  }
  // The first that is wrong ends it, whatever follows.
  CheckArguments arguments;
  EXPECT_TRUE(Parse({"--version=other", "--unheard-of=1"}, &arguments).starts_with("it is of version "));
}

}  // namespace
}  // namespace arenaproof

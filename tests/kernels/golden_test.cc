// Every reference case of the operators that the kernels serve, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "kernels/kernel_sets.h"
#include "kernels/reference/reference_kernels.h"
#include "tests/kernels/golden_case_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

std::size_t FirstDifference(const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
  return static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first -
                                  one.begin());
}

// Empty where all outputs are the reference's.
std::string Difference(const KernelSet& set, const GoldenCase& golden) {
  const RunResult result = RunKernel(set, golden.subject);
  if (!result.broken_promise.empty()) return result.broken_promise;
  if (!result.status.ok()) return "not served: " + Sentence(result.status);
  if (result.outputs.size() != golden.subject.outputs.size()) return "another number of outputs";
  for (std::size_t output = 0; output < result.outputs.size(); ++output) {
    const std::vector<std::byte>& expected = golden.subject.outputs[output].bytes;
    if (result.outputs[output] == expected) continue;
    return "output " + std::to_string(output) + " differs first at byte " +
           std::to_string(FirstDifference(result.outputs[output], expected));
  }
  return golden.sequence.empty() ? "" : DifferenceInSequence(set, golden.subject, golden.sequence);
}

void CheckFile(const std::filesystem::path& path) {
  const std::string kind = path.stem().string();
  const std::vector<GoldenCase> cases = ReadGoldenCases(path);
  EXPECT_FALSE(cases.empty()) << kind << " holds no case";
  std::size_t equal = 0;
  for (const GoldenCase& golden : cases) {
    bool is_equal = true;
    for (const KernelSet* set : {&ReferenceKernels(), FindKernelSet("aligned")}) {
      const std::string difference = Difference(*set, golden);
      EXPECT_EQ(difference, "") << kind << ": " << golden.name << ", kernels " << set->name;
      is_equal = is_equal && difference.empty();
    }
    equal += is_equal ? 1 : 0;
  }
  std::cout << kind << ": " << equal << " of " << cases.size() << " cases equal to the bit\n";
}

// Every kind of case that the shared material has; none where it is absent, or named wrongly: then the test of the
// folder says so, while these names are needed before any test runs.
std::vector<std::string> SharedKinds() try {
  std::vector<std::string> kinds;
  if (const auto folder = SharedFile("golden/kernels")) {
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
      if (entry.path().extension() == ".json") kinds.push_back(entry.path().stem().string());
    }
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
} catch (const std::runtime_error&) {
  return {};
}

class GoldenKernels : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenKernels);

TEST_P(GoldenKernels, EqualTheReferenceToTheBit) { CheckFile(*SharedFile("golden/kernels/" + GetParam() + ".json")); }

std::string TestName(const ::testing::TestParamInfo<std::string>& kind) {
  std::string name = kind.param;
  std::replace_if(name.begin(), name.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shared, GoldenKernels, ::testing::ValuesIn(SharedKinds()), TestName);

TEST(GoldenKernelFiles, AreThere) {
  if (!SharedFile("golden/kernels")) GTEST_SKIP() << SharedAbsent("golden/kernels");
  EXPECT_FALSE(SharedKinds().empty()) << "no .json in " << *SharedFile("golden/kernels");
}

// The project stands alone: a few cases of each file are in the repository.
TEST(GoldenExcerpts, EqualTheReferenceToTheBit) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SourceFolder() / "tests/kernels/data")) {
    if (entry.path().extension() != ".json") continue;
    CheckFile(entry.path());
    ++files;
  }
  EXPECT_GT(files, 10);
}

}  // namespace
}  // namespace arenaproof::testing

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

namespace arenaproof::testing {
namespace {

std::size_t FirstDifference(const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
  return static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first -
                                  one.begin());
}

void CheckFile(const std::filesystem::path& path) {
  int equal = 0;
  for (const GoldenCase& golden : ReadGoldenCases(path)) {
    SCOPED_TRACE(golden.name);
    for (const KernelSet* set : {&ReferenceKernels(), FindKernelSet("aligned")}) {
      const RunResult result = RunKernel(*set, golden.subject);
      ASSERT_EQ(result.broken_promise, "") << set->name;
      ASSERT_TRUE(result.status.ok()) << "code " << static_cast<int>(result.status.code) << " detail "
                                      << result.status.detail[0] << " " << result.status.detail[1] << " "
                                      << result.status.detail[2];
      ASSERT_EQ(result.outputs.size(), golden.subject.outputs.size());
      for (std::size_t output = 0; output < result.outputs.size(); ++output) {
        const std::vector<std::byte>& expected = golden.subject.outputs[output].bytes;
        EXPECT_EQ(result.outputs[output], expected)
            << set->name << ", output " << output << ", first difference at byte "
            << FirstDifference(result.outputs[output], expected);
      }
      if (!golden.sequence.empty())
        EXPECT_EQ(DifferenceInSequence(*set, golden.subject, golden.sequence), "") << set->name;
      ++equal;
    }
  }
  std::cout << path.stem().string() << ": " << equal / 2 << " cases equal to the bit\n";
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

// Limits of a shell in words, under limits that the test sets itself.
#include "tools/command/resource_limits.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tools/command/parts_run.h"

namespace arenaproof {
namespace {

// As long as it lives.
class SoftLimit {
 public:
  SoftLimit(int resource, rlim_t limit) : resource_(resource) {
    getrlimit(static_cast<decltype(RLIMIT_AS)>(resource_), &before_);
    Set(limit);
  }
  ~SoftLimit() { Set(before_.rlim_cur); }
  SoftLimit(const SoftLimit&) = delete;
  SoftLimit& operator=(const SoftLimit&) = delete;

 private:
  void Set(rlim_t limit) const {
    const rlimit now = {limit, before_.rlim_max};
    EXPECT_EQ(setrlimit(static_cast<decltype(RLIMIT_AS)>(resource_), &now), 0);
  }

  const int resource_;
  rlimit before_{};
};

TEST(ResourceLimits, AreNamedInUnitsOfTheShell) {
  const SoftLimit files(RLIMIT_FSIZE, 4097 * 1024), time(RLIMIT_CPU, 1000), open(RLIMIT_NOFILE, 77);
  EXPECT_EQ(LimitText(RLIMIT_FSIZE), "the limit on the size of files is 4097 KiB (ulimit -f)");
  EXPECT_EQ(LimitText(RLIMIT_CPU), "the limit on CPU time is 1000 seconds (ulimit -t)");
  EXPECT_EQ(LimitText(RLIMIT_NOFILE), "the limit on open files is 77 (ulimit -n)");
}

TEST(ResourceLimits, AreNoneWhereTheShellSetsNone) {
  const SoftLimit none(RLIMIT_FSIZE, RLIM_INFINITY);
  EXPECT_EQ(LimitText(RLIMIT_FSIZE), "");
  EXPECT_EQ(LimitTooLow({{RLIMIT_FSIZE, UINT64_MAX}}), "");
}

TEST(ResourceLimits, AreTooLowBelowWhatIsNeededAndNotAtIt) {
  const SoftLimit files(RLIMIT_FSIZE, 64 * 1024), open(RLIMIT_NOFILE, 100);
  EXPECT_EQ(LimitTooLow({{RLIMIT_FSIZE, 64 * 1024}, {RLIMIT_NOFILE, 100}}), "");
  // Rounded up: what is named is enough.
  EXPECT_EQ(LimitTooLow({{RLIMIT_FSIZE, 64 * 1024 + 1}}),
            "the limit on the size of files is 64 KiB (ulimit -f); 65 KiB or 'unlimited' would be right");
  EXPECT_EQ(LimitTooLow({{RLIMIT_FSIZE, 66 * 1024}}),
            "the limit on the size of files is 64 KiB (ulimit -f); 66 KiB or 'unlimited' would be right");
  EXPECT_EQ(LimitTooLow({{RLIMIT_FSIZE, 1}, {RLIMIT_NOFILE, 101}}),
            "the limit on open files is 100 (ulimit -n); 101 or 'unlimited' would be right")
      << "the first of them that is too low";
  EXPECT_TRUE(LimitTooLow({{RLIMIT_NOFILE, 101}, {RLIMIT_FSIZE, 66 * 1024}}).starts_with("the limit on open files"));
}

TEST(ResourceLimits, OfMemoryAreNamedByTheSmallerOfTwo) {
#if defined(ARENAPROOF_ASAN)
  GTEST_SKIP() << "AddressSanitizer needs more than any of these";
#endif
  std::array<char, 200> buffer;
  const rlim_t large = rlim_t{1} << 40;
  {
    const SoftLimit space(RLIMIT_AS, large), data(RLIMIT_DATA, large / 2);
    EXPECT_EQ(NoMemoryLeft(buffer),
              "arenaproof: no memory is left for the command: the limit on data is 536870912 KiB (ulimit -d); more, or "
              "'unlimited', would be right\n");
  }
  const SoftLimit space(RLIMIT_AS, large), data(RLIMIT_DATA, RLIM_INFINITY);
  EXPECT_EQ(NoMemoryLeft(buffer),
            "arenaproof: no memory is left for the command: the limit on address space is 1073741824 KiB (ulimit -v); "
            "more, or 'unlimited', would be right\n");
  // A buffer that is too small has what fits.
  EXPECT_EQ(NoMemoryLeft({buffer.data(), 12}), "arenaproof:");
}

TEST(PartsAtATime, AreAsManyAsTheLimitOnOpenFilesAllows) {
  const auto at_limit = [](rlim_t files, std::uint32_t asked) {
    const SoftLimit limit(RLIMIT_NOFILE, files);
    return PartsAtATime(asked);
  };
  EXPECT_EQ(at_limit(20, 9), 1u);
  EXPECT_EQ(at_limit(32, 9), 1u);
  EXPECT_EQ(at_limit(39, 9), 1u);
  EXPECT_EQ(at_limit(47, 9), 1u);
  EXPECT_EQ(at_limit(48, 9), 2u);
  EXPECT_EQ(at_limit(400, 9), 9u);
  EXPECT_EQ(at_limit(400, 100), 46u);
  EXPECT_EQ(at_limit(400, 1), 1u);
  const std::size_t processors = at_limit(400, 0);
  EXPECT_GE(processors, 1u);
  EXPECT_LE(processors, 46u);
  EXPECT_EQ(at_limit(33, 0), 1u);
}

}  // namespace
}  // namespace arenaproof

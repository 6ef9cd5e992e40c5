// The last words of a process that dies of a fault, each in a process of its own.
#include "tools/worker/crash_reporter.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace arenaproof {
namespace {

void Say(std::string_view words) {
  if (write(STDERR_FILENO, words.data(), words.size()) < 0) _exit(99);
}

class Reporter final : public CrashReporter {
 public:
  explicit Reporter(void (*and_then)() = nullptr) : and_then_(and_then) {}
  void ReportBeforeCrash() override {
    Say("[reported]");
    if (and_then_ != nullptr) and_then_();
  }

 private:
  void (*and_then_)();
};

[[noreturn]] void DieReporting(int signal, void (*and_then)() = nullptr) {
  Reporter reporter(and_then);
  ReportCrashesTo(&reporter);
  raise(signal);
  _exit(0);
}

// Once.
constexpr const char* kReported = "^\\[reported\\]$";

TEST(CrashReporter, ReportsOnceAndLetsTheSignalEndTheProcess) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    EXPECT_EXIT(DieReporting(signal), ::testing::KilledBySignal(signal), kReported) << signal;
  }
}

TEST(CrashReporter, DiesOfTheFirstSignalWhateverItsOwnWorkMeets) {
  EXPECT_EXIT(DieReporting(SIGSEGV, [] { raise(SIGSEGV); }), ::testing::KilledBySignal(SIGSEGV), kReported);
  EXPECT_EXIT(DieReporting(SIGSEGV, [] { raise(SIGABRT); }), ::testing::KilledBySignal(SIGSEGV), kReported);
  EXPECT_EXIT(DieReporting(SIGILL, [] { raise(SIGALRM); }), ::testing::KilledBySignal(SIGILL), kReported);
}

TEST(CrashReporter, ReportsOnceWhateverElseFaults) {
  const auto died = [](int status) { return WIFSIGNALED(status); };
  for (const auto other : {+[] { raise(SIGBUS); }, +[] { raise(SIGFPE); }}) {
    EXPECT_EXIT(DieReporting(SIGSEGV, other), died, kReported);
  }
}

TEST(CrashReporter, ReportsToTheLastOneThatWasNamedAndToNoneAfterwards) {
  EXPECT_EXIT(
      {
        Reporter first([] { Say("[of the first]"); });
        ReportCrashesTo(&first);
        ReportCrashesTo(nullptr);
        Reporter second;
        ReportCrashesTo(&second);
        raise(SIGSEGV);
      },
      ::testing::KilledBySignal(SIGSEGV), kReported);
  EXPECT_EXIT(
      {
        Reporter reporter;
        ReportCrashesTo(&reporter);
        ReportCrashesTo(nullptr);
        Say("[alone]");
        raise(SIGSEGV);
      },
      ::testing::KilledBySignal(SIGSEGV), "^\\[alone\\]$");
}

// A stack that has run out is a fault like the others: the handler has one of its own.
volatile int depth = 0;
[[gnu::noinline]] int Deeper(int level) {
  volatile char page[4096];
  page[0] = static_cast<char>(level);
  depth = depth + 1;
  return depth > 0 ? Deeper(level + 1) + page[0] : page[0];
}

TEST(CrashReporter, HasAStackOfItsOwn) {
#if defined(ARENAPROOF_ASAN)
  GTEST_SKIP() << "AddressSanitizer's stacks are its own";
#endif
  EXPECT_EXIT(
      {
        Reporter reporter;
        ReportCrashesTo(&reporter);
        Deeper(0);
      },
      ::testing::KilledBySignal(SIGSEGV), kReported);
}

}  // namespace
}  // namespace arenaproof

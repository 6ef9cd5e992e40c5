#include "tools/command/child_process.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace arenaproof {
namespace {

ChildResult Shell(const std::string& script, const ChildLimits& limits = {}) {
  return RunChild({"/bin/sh", "-c", script}, limits);
}

TEST(ChildProcess, GivesResultDiagnosticsAndExitStatus) {
  const ChildResult child = Shell("echo result >&3; echo out; echo error >&2; exit 7");
  EXPECT_EQ(child.end, ChildEnd::kExited);
  EXPECT_EQ(child.exit_status, 7);
  EXPECT_EQ(child.result, "result\n");
  EXPECT_EQ(child.diagnostics, "out\nerror\n");
}

TEST(ChildProcess, SurvivesTheChildsDeath) {
  const ChildResult child = Shell("echo so far >&3; kill -SEGV $$");
  EXPECT_EQ(child.end, ChildEnd::kSignal);
  EXPECT_EQ(child.signal, SIGSEGV);
  EXPECT_EQ(child.result, "so far\n");
}

TEST(ChildProcess, SaysWhyAProgramCannotBeStarted) {
  const ChildResult child = RunChild({"/nowhere/program"}, {});
  EXPECT_EQ(child.end, ChildEnd::kNotStarted);
  EXPECT_EQ(child.start_error, ENOENT);
}

TEST(ChildProcess, SaysThatTheChildGetsNoDescriptors) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = dup(STDERR_FILENO);
  ASSERT_GE(next, 0);
  close(next);
  // Room for the three pipes and the shared memory, and for no more.
  const rlimit few = {static_cast<rlim_t>(next) + 7, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const ChildResult child = Shell("exit 0");
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(child.end, ChildEnd::kNotStarted);
  EXPECT_EQ(child.start_error, EMFILE);
}

TEST(ChildProcess, EndsAChildThatTakesTooLong) {
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(200);
  EXPECT_EQ(Shell("exec sleep 60", limits).end, ChildEnd::kKilledForTime);
  EXPECT_EQ(Shell("exec sleep 60 >/dev/null 2>&1 3>&-", limits).end, ChildEnd::kKilledForTime);
}

TEST(ChildProcess, AsksAChildToEndBeforeItMakesIt) {
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(200);
  const ChildResult asked = Shell("trap 'echo asked; exit 0' TERM; while :; do :; done", limits);
  EXPECT_EQ(asked.end, ChildEnd::kKilledForTime);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Shell("trap '' TERM; while :; do :; done", limits).end, ChildEnd::kKilledForTime);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ChildProcess, SaysThatALimitOnCpuTimeEndedTheChild) {
  const ChildResult child = Shell("ulimit -t 1; while :; do :; done");
  EXPECT_EQ(child.end, ChildEnd::kSignal);  // the limit is the child's own
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_CPU, &before), 0);
  const rlimit used = {std::max<rlim_t>(1, static_cast<rlim_t>(std::clock() / CLOCKS_PER_SEC) + 2), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_CPU, &used), 0);
  EXPECT_EQ(Shell("while :; do :; done").end, ChildEnd::kKilledForCpuTime);
  setrlimit(RLIMIT_CPU, &before);
}

TEST(ChildProcess, LeavesTheOptionsOfSanitizersOutWhenAsked) {
  const char* script = "echo \"$ASAN_OPTIONS,$UBSAN_OPTIONS,$LSAN_OPTIONS,$ASAN_OPTIONS_TOO\" >&3";
  const char* names[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "ASAN_OPTIONS_TOO"};
  std::vector<std::string> before;
  for (const char* name : names) {
    const char* value = std::getenv(name);
    before.emplace_back(value == nullptr ? "" : value);
    setenv(name, "x=1", 1);
  }
  EXPECT_EQ(Shell(script).result, "x=1,x=1,x=1,x=1\n");
  EXPECT_EQ(RunChild({"/bin/sh", "-c", script}, {}, {.sanitizer_options = false}).result, ",,,x=1\n");
  for (std::size_t i = 0; i < before.size(); ++i) {
    before[i].empty() ? unsetenv(names[i]) : setenv(names[i], before[i].c_str(), 1);
  }
}

TEST(ChildProcess, ReportsTheChildsProgressOnceASecond) {
  std::vector<std::chrono::seconds> seconds;
  const ChildProgress progress = [&](std::chrono::seconds passed, const ActiveOperators& running) {
    seconds.push_back(passed);
    EXPECT_TRUE(running.nested.empty());
  };
  RunChild({"/bin/sh", "-c", "exec sleep 2.5"}, {}, {.progress = progress});
  ASSERT_FALSE(seconds.empty());
  EXPECT_GE(seconds.front(), std::chrono::seconds(1));
  EXPECT_TRUE(std::is_sorted(seconds.begin(), seconds.end(), std::less_equal<>())) << "more than one in a second";
}

TEST(ChildProcess, EndsAChildThatTakesTooMuchMemory) {
  ChildLimits limits;
  limits.limit_address_space = false;
  limits.memory_bytes = std::size_t{64} << 20;
  const char* script = "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; while :; do x=$x$x; done";
  EXPECT_EQ(Shell(script, limits).end, ChildEnd::kKilledForMemory);
}

TEST(ChildProcess, LimitsTheAddressSpace) {
  ChildLimits limits;
  limits.memory_bytes = std::size_t{64} << 20;
  const ChildResult child = Shell("x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; while :; do x=$x$x; done", limits);
  EXPECT_TRUE(child.end == ChildEnd::kSignal || (child.end == ChildEnd::kExited && child.exit_status != 0));
}

TEST(ChildProcess, EndsAChildWhoseReportDoesNotEnd) {
  ChildLimits limits;
  limits.result_bytes = 100'000;
  EXPECT_EQ(Shell("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa >&3; done", limits).end,
            ChildEnd::kKilledForOutput);
}

TEST(ChildProcess, KeepsOnlyTheEndOfLongDiagnostics) {
  const ChildResult child = Shell("i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done");
  EXPECT_LE(child.diagnostics.size(), 16u * 1024u);
  EXPECT_TRUE(child.diagnostics.ends_with("line 4999\n"));
}

}  // namespace
}  // namespace arenaproof

#include "tools/command/child_process.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

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
  // Room for the three pipes, and for no more.
  const rlimit few = {static_cast<rlim_t>(next) + 6, before.rlim_max};
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

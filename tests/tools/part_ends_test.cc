// What a part comes to for ends of children that are rare: other versions, limits, instructions that nobody knows.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tests/tools/made_up_parts.h"
#include "tools/command/check.h"
#include "tools/text/version.h"
#include "tools/worker/protocol.h"

namespace arenaproof {
namespace {

CheckPart EndedAs(const char* instrument, const ChildResult& child, const WorkerReport& report,
                  const CheckOptions& options = {}) {
  CheckPart part = MadeUpPart(instrument, "dilated", ExitStatus::kClean);
  part.report = report;
  EvaluatePart(options, child, part);
  return part;
}

ChildResult EndOf(ChildEnd end, int number = 0) {
  ChildResult child;
  child.end = end;
  (end == ChildEnd::kSignal ? child.signal : child.exit_status) = number;
  child.result = "words";
  return child;
}

WorkerReport Refused(const std::string& stage) {
  WorkerReport report;
  report.started = true;
  report.refusal.emplace(WorkerRefusal{.stage = stage, .code = "a_code", .sentence = "a sentence"});
  return report;
}

// That came as far as the kernels.
WorkerReport Invoked(std::size_t violations, bool finished) {
  WorkerReport report;
  report.started = true;
  report.self_test.emplace();
  report.plan.emplace();
  report.violations.resize(violations);
  report.finished = finished;
  return report;
}

TEST(PartEnds, OfARefusedPlanAreAViolationWhereTensorsShareBytes) {
  const CheckPart shared = EndedAs("shadow", EndOf(ChildEnd::kExited, 1), Refused("certify"));
  EXPECT_EQ(shared.status, ExitStatus::kViolations);
  EXPECT_EQ(shared.problem, "a sentence");
  EXPECT_EQ(shared.problem_code, "a_code");
  EXPECT_FALSE(shared.stopped);
  EXPECT_EQ(EndedAs("shadow", EndOf(ChildEnd::kExited, 2), Refused("certify")).status, ExitStatus::kCouldNotRun);
  EXPECT_EQ(EndedAs("shadow", EndOf(ChildEnd::kExited, 1), Refused("allocate")).status, ExitStatus::kInternalError);
  EXPECT_EQ(EndedAs("shadow", EndOf(ChildEnd::kExited, 0), Refused("certify")).status, ExitStatus::kInternalError);
}

TEST(PartEnds, OfAWorkerOfAnotherVersionNameIt) {
  const CheckPart part = EndedAs("shadow", EndOf(ChildEnd::kExited, 2), Refused(protocol::kStageArguments));
  EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
  EXPECT_NE(part.problem.find(std::string("is not of this command's version, ") + kVersion + ": a sentence; install"),
            std::string::npos)
      << part.problem;
}

TEST(PartEnds, WithoutMemoryAreTheLimitsWhereTheWorkerSaysSo) {
  CheckOptions options;
  options.memory_limit_mebibytes = 77;
  const CheckPart part = EndedAs("shadow", EndOf(ChildEnd::kExited, 2), Refused(protocol::kStageMemory), options);
  EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
  EXPECT_EQ(part.problem_code, "memory_limit");
  EXPECT_NE(part.problem.find("more than 77 MiB"), std::string::npos) << part.problem;
  // Nor is it the fault of a library that was being set up.
  options.kernels = "./mine.so";
  ChildResult child = EndOf(ChildEnd::kExited, 2);
  child.running.library_call = LibraryCall::kInit;
  EXPECT_EQ(EndedAs("shadow", child, Refused(protocol::kStageMemory), options).problem_code, "memory_limit");
}

TEST(PartEnds, KeepWhatWasFoundBeforeThem) {
  for (const ChildResult& child :
       {EndOf(ChildEnd::kKilledForTime), EndOf(ChildEnd::kKilledForMemory), EndOf(ChildEnd::kSignal, SIGTERM)}) {
    const CheckPart found = EndedAs("canary", child, Invoked(1, false));
    EXPECT_EQ(found.status, ExitStatus::kViolations);
    EXPECT_TRUE(found.stopped);
    EXPECT_FALSE(found.kernels_died);
    EXPECT_NE(found.problem_code, "");
    const CheckPart nothing = EndedAs("canary", child, Invoked(0, false));
    EXPECT_EQ(nothing.status, ExitStatus::kCouldNotRun);
    EXPECT_FALSE(nothing.stopped);
  }
  WorkerReport failed = Invoked(1, false);
  failed.refusal.emplace(WorkerRefusal{.stage = "invoke", .code = "kernel_failed", .sentence = "it failed"});
  const CheckPart part = EndedAs("guard", EndOf(ChildEnd::kExited, 2), failed);
  EXPECT_EQ(part.status, ExitStatus::kViolations);
  EXPECT_TRUE(part.stopped);
  EXPECT_EQ(part.problem, "it failed");
}

TEST(PartEnds, ByAnIllegalInstructionAreNoKernelsFaultUnderValgrind) {
  const ChildResult illegal = EndOf(ChildEnd::kSignal, SIGILL);
  const CheckPart unknown = EndedAs("valgrind", illegal, Invoked(0, false));
  EXPECT_EQ(unknown.status, ExitStatus::kCouldNotRun);
  EXPECT_FALSE(unknown.kernels_died);
  EXPECT_EQ(unknown.problem_code, "ended_by_signal");
  EXPECT_EQ(EndedAs("valgrind", illegal, Invoked(1, false)).status, ExitStatus::kViolations);
  EXPECT_TRUE(EndedAs("valgrind", EndOf(ChildEnd::kSignal, SIGSEGV), Invoked(0, false)).kernels_died);
  EXPECT_TRUE(EndedAs("shadow", illegal, Invoked(0, false)).kernels_died);
}

TEST(PartEnds, AreNotCleanWhereKernelsThatRanHaveNoHooks) {
  const auto status_with = [](std::int64_t invokes, bool without_hooks) {
    WorkerReport report = Invoked(0, true);
    report.operators.push_back({.name = "ADD", .kernel = "mine", .seen = true, .invokes = 1, .invokes_seen = 1});
    report.operators.push_back(
        {.index = 1, .name = "MUL", .kernel = "mine", .invokes = invokes, .without_hooks = without_hooks});
    const CheckPart part = EndedAs("asan", EndOf(ChildEnd::kExited, 0), report);
    EXPECT_EQ(part.could_not_see, part.status == ExitStatus::kCouldNotRun);
    return part.status;
  };
  EXPECT_EQ(status_with(2, true), ExitStatus::kCouldNotRun);
  EXPECT_EQ(status_with(0, true), ExitStatus::kClean) << "it was not invoked";
  EXPECT_EQ(status_with(2, false), ExitStatus::kClean);
}

// Of kernels from outside nothing is an internal error; with those of this program it is.
TEST(PartEnds, OfLibrariesAreNoInternalErrors) {
  CheckOptions options;
  options.kernels = "./mine.so";
  const ChildResult aborted = EndOf(ChildEnd::kSignal, SIGABRT);
  EXPECT_EQ(EndedAs("canary", aborted, Invoked(0, true)).status, ExitStatus::kInternalError);
  const CheckPart after = EndedAs("canary", aborted, Invoked(0, true), options);
  EXPECT_EQ(after.status, ExitStatus::kCouldNotRun);
  EXPECT_EQ(after.problem_code, "kernel_file_died");
  ChildResult in_invoke = EndOf(ChildEnd::kExited, 3);
  in_invoke.running.library_call = LibraryCall::kInvoke;
  in_invoke.running.nested = {{OperatorPhase::kInvoke, 0, 3, "RELU", "mine"}};
  const CheckPart died = EndedAs("canary", in_invoke, Invoked(0, false), options);
  EXPECT_EQ(died.status, ExitStatus::kViolations);
  EXPECT_TRUE(died.kernels_died);
  EXPECT_EQ(died.problem_code, "kernels_died");
  EXPECT_EQ(died.died_how, "exit status 3 invoke of ");
  ASSERT_EQ(died.running.size(), 1u);
  in_invoke.running.library_call = LibraryCall::kPrepare;
  const CheckPart before = EndedAs("canary", in_invoke, Invoked(0, false), options);
  EXPECT_EQ(before.status, ExitStatus::kCouldNotRun);
  EXPECT_FALSE(before.kernels_died);
  EXPECT_TRUE(before.running.empty());
}

TEST(PartEnds, ForALimitOnTimeNameWhatRan) {
  for (const ChildEnd end : {ChildEnd::kKilledForTime, ChildEnd::kKilledForCpuTime}) {
    ChildResult child = EndOf(end);
    child.running.nested = {{OperatorPhase::kInvoke, 0, 3, "WHILE", "mine"}};
    const CheckPart part = EndedAs("none", child, Invoked(0, false));
    EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
    EXPECT_EQ(part.problem_code, "time_limit");
    ASSERT_EQ(part.running.size(), 1u);
    EXPECT_NE(part.problem.find("while WHILE (operator 3) ran"), std::string::npos) << part.problem;
  }
}

TEST(PartEnds, BeforeAWordAreThoseOfAProgramThatDidNotStart) {
  ChildResult child = EndOf(ChildEnd::kExited, 127);
  child.result.clear();
  child.diagnostics = "no library\n";
  const CheckPart part = EndedAs("shadow", child, {});
  EXPECT_TRUE(part.not_available);
  EXPECT_EQ(part.problem_code, "instrument_missing");
  child = EndOf(ChildEnd::kExited, 1);
  child.result.clear();
  child.diagnostics = "unknown option\nusage";
  const CheckPart valgrind = EndedAs("valgrind", child, {});
  EXPECT_TRUE(valgrind.not_available);
  EXPECT_NE(valgrind.problem.find("Valgrind ended with status 1 before its program began: unknown option"),
            std::string::npos)
      << valgrind.problem;
  EXPECT_EQ(valgrind.problem.find("usage"), std::string::npos);
  EXPECT_FALSE(EndedAs("shadow", child, {}).not_available);
}

}  // namespace
}  // namespace arenaproof

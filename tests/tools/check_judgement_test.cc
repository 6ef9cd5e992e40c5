// What becomes of a child's end and words, without any child.
#include <gtest/gtest.h>

#include <csignal>

#include "tools/check.h"

namespace arenaproof {
namespace {

CheckPart Judged(const ChildResult& child, const WorkerReport& report) {
  CheckPart part;
  part.instrument = FindInstrument("shadow");
  part.layout = "dilated";
  part.report = report;
  JudgePart(CheckOptions{}, child, part);
  return part;
}

ChildResult Exited(int status) {
  ChildResult child;
  child.end = ChildEnd::kExited;
  child.exit_status = status;
  return child;
}

WorkerReport Finished(std::size_t violations = 0) {
  WorkerReport report;
  report.plan = PlanReport{};
  report.violations.resize(violations);
  report.finished = true;
  return report;
}

TEST(CheckJudgement, BelievesWordsAndExitStatusThatAgree) {
  EXPECT_EQ(Judged(Exited(0), Finished()).status, ExitStatus::kClean);
  EXPECT_EQ(Judged(Exited(1), Finished(2)).status, ExitStatus::kViolations);
}

TEST(CheckJudgement, CallsEverythingElseAnInternalError) {
  EXPECT_EQ(Judged(Exited(0), Finished(2)).status, ExitStatus::kInternalError);
  EXPECT_EQ(Judged(Exited(1), Finished()).status, ExitStatus::kInternalError);
  EXPECT_EQ(Judged(Exited(0), WorkerReport{}).status, ExitStatus::kInternalError);
  EXPECT_EQ(Judged(Exited(2), WorkerReport{}).status, ExitStatus::kInternalError);
  EXPECT_EQ(Judged(Exited(3), Finished()).status, ExitStatus::kInternalError);
  WorkerReport broken = Finished();
  broken.malformed = "line 1";
  EXPECT_EQ(Judged(Exited(0), broken).status, ExitStatus::kInternalError);
}

TEST(CheckJudgement, PassesARefusalsSentenceOn) {
  WorkerReport report;
  report.refusal = WorkerRefusal{};
  report.refusal->sentence = "the file is no model";
  const CheckPart part = Judged(Exited(2), report);
  EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
  EXPECT_EQ(part.problem, "the file is no model");
}

TEST(CheckJudgement, TellsTheKernelsDeathFromOurOwn) {
  ChildResult child;
  child.end = ChildEnd::kSignal;
  child.signal = SIGSEGV;
  EXPECT_EQ(Judged(child, WorkerReport{}).status, ExitStatus::kInternalError);
  WorkerReport running = Finished();
  running.finished = false;
  const CheckPart part = Judged(child, running);
  EXPECT_EQ(part.status, ExitStatus::kViolations);
  EXPECT_TRUE(part.kernels_died);
  EXPECT_NE(part.problem.find("signal 11"), std::string::npos);
}

TEST(CheckJudgement, NamesTheOptionThatRaisesALimit) {
  ChildResult child;
  child.end = ChildEnd::kKilledForTime;
  EXPECT_NE(Judged(child, {}).problem.find("--time-limit"), std::string::npos);
  child.end = ChildEnd::kKilledForMemory;
  const CheckPart part = Judged(child, {});
  EXPECT_NE(part.problem.find("--memory-limit"), std::string::npos);
  EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
}

TEST(CheckRefusals, NameTheFileThatIsMissing) {
  CheckOptions options;
  options.model = "/nowhere/model.tflite";
  const CheckResult result = RunCheck(options, nullptr);
  EXPECT_EQ(result.status, ExitStatus::kCouldNotRun);
  EXPECT_NE(result.refusal.find("/nowhere/model.tflite"), std::string::npos);
  EXPECT_TRUE(result.parts.empty());
}

TEST(CheckCommandLine, CanBePastedIntoAShell) {
  CheckOptions options;
  options.model = "my model's.tflite";
  options.runs = 2;
  EXPECT_EQ(CheckCommandLine(options, "dilated", "asan"),
            "arenaproof check 'my model'\\''s.tflite' --kernels=reference --layout=dilated --instrument=asan --seed=1 "
            "--runs=2");
}

}  // namespace
}  // namespace arenaproof

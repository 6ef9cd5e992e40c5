// What becomes of a child's end and words, without any child.
#include <gtest/gtest.h>

#include <csignal>

#include "tools/command/check.h"

namespace arenaproof {
namespace {

CheckPart Evaluated(const ChildResult& child, const WorkerReport& report) {
  CheckPart part;
  part.instrument = FindInstrument("shadow");
  part.layout = "dilated";
  part.report = report;
  EvaluatePart(CheckOptions{}, child, part);
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

TEST(CheckEvaluation, BelievesWordsAndExitStatusThatAgree) {
  EXPECT_EQ(Evaluated(Exited(0), Finished()).status, ExitStatus::kClean);
  EXPECT_EQ(Evaluated(Exited(1), Finished(2)).status, ExitStatus::kViolations);
}

TEST(CheckEvaluation, CallsEverythingElseAnInternalError) {
  EXPECT_EQ(Evaluated(Exited(0), Finished(2)).status, ExitStatus::kInternalError);
  EXPECT_EQ(Evaluated(Exited(1), Finished()).status, ExitStatus::kInternalError);
  EXPECT_EQ(Evaluated(Exited(0), WorkerReport{}).status, ExitStatus::kInternalError);
  EXPECT_EQ(Evaluated(Exited(2), WorkerReport{}).status, ExitStatus::kInternalError);
  EXPECT_EQ(Evaluated(Exited(3), Finished()).status, ExitStatus::kInternalError);
  WorkerReport broken = Finished();
  broken.malformed = "line 1";
  EXPECT_EQ(Evaluated(Exited(0), broken).status, ExitStatus::kInternalError);
}

TEST(CheckEvaluation, PassesARefusalsSentenceOn) {
  WorkerReport report;
  report.refusal = WorkerRefusal{};
  report.refusal->sentence = "the file is no model";
  const CheckPart part = Evaluated(Exited(2), report);
  EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
  EXPECT_EQ(part.problem, "the file is no model");
}

TEST(CheckEvaluation, TellsTheKernelsDeathFromOurOwn) {
  ChildResult child;
  child.end = ChildEnd::kSignal;
  child.signal = SIGSEGV;
  EXPECT_EQ(Evaluated(child, WorkerReport{}).status, ExitStatus::kInternalError);
  WorkerReport running = Finished();
  running.finished = false;
  const CheckPart part = Evaluated(child, running);
  EXPECT_EQ(part.status, ExitStatus::kViolations);
  EXPECT_TRUE(part.kernels_died);
  EXPECT_NE(part.problem.find("signal 11"), std::string::npos);
}

ChildResult DiedOf(int signal) {
  ChildResult child;
  child.end = ChildEnd::kSignal;
  child.signal = signal;
  return child;
}

WorkerReport Running(std::size_t violations = 0) {
  WorkerReport report = Finished(violations);
  report.finished = false;
  return report;
}

TEST(CheckEvaluation, ChargesFaultsOnlyToTheKernels) {
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    EXPECT_EQ(Evaluated(DiedOf(fault), Running()).status, ExitStatus::kViolations) << fault;
  }
  for (const int outside : {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM}) {
    const CheckPart part = Evaluated(DiedOf(outside), Running());
    EXPECT_EQ(part.status, ExitStatus::kCouldNotRun) << outside;
    EXPECT_FALSE(part.kernels_died);
    EXPECT_NE(part.problem.find("from outside"), std::string::npos) << part.problem;
    EXPECT_EQ(part.problem.find("out of memory?") != std::string::npos, outside == SIGKILL) << part.problem;
  }
}

TEST(CheckEvaluation, ChargesAnAbortToTheKernelsOnlyWithEvidence) {
  EXPECT_EQ(Evaluated(DiedOf(SIGABRT), Running()).status, ExitStatus::kInternalError);
  EXPECT_EQ(Evaluated(DiedOf(SIGABRT), Running(1)).status, ExitStatus::kViolations);
  EXPECT_EQ(Evaluated(DiedOf(SIGABRT), Finished(1)).status, ExitStatus::kInternalError);
}

TEST(CheckEvaluation, ChargesNoKernelWithAnEndDuringTheSelfTest) {
  WorkerReport started;
  started.started = true;
  for (const ChildResult& child : {Exited(3), Exited(1), Exited(0), DiedOf(SIGABRT)}) {
    const CheckPart part = Evaluated(child, started);
    EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
    EXPECT_NE(part.problem.find("during its self-test"), std::string::npos) << part.problem;
  }
  EXPECT_EQ(Evaluated(DiedOf(SIGSEGV), started).status, ExitStatus::kInternalError);
  WorkerReport foreign = started;
  foreign.internal_errors.push_back("a report of the sanitizer");
  EXPECT_EQ(Evaluated(Exited(3), foreign).status, ExitStatus::kInternalError);
  WorkerReport tested = started;
  tested.self_test = WorkerSelfTest{};
  EXPECT_EQ(Evaluated(Exited(3), tested).status, ExitStatus::kInternalError);
}

TEST(CheckEvaluation, GivesEachProblemItsNameForPrograms) {
  const auto ended = [](ChildEnd end) {
    ChildResult child;
    child.end = end;
    return Evaluated(child, Running()).problem_code;
  };
  EXPECT_EQ(ended(ChildEnd::kKilledForTime), "time_limit");
  EXPECT_EQ(ended(ChildEnd::kKilledForMemory), "memory_limit");
  EXPECT_EQ(ended(ChildEnd::kNotStarted), "child_not_started");
  EXPECT_EQ(ended(ChildEnd::kKilledForOutput), "internal_error");
  EXPECT_EQ(Evaluated(DiedOf(SIGTERM), Running()).problem_code, "ended_by_signal");
  EXPECT_EQ(Evaluated(DiedOf(SIGSEGV), Running()).problem_code, "kernels_died");
  EXPECT_EQ(Evaluated(DiedOf(SIGSEGV), WorkerReport{}).problem_code, "internal_error");
  WorkerReport report;
  report.started = true;
  EXPECT_EQ(Evaluated(DiedOf(SIGABRT), report).problem_code, "instrument_missing");
  EXPECT_EQ(Evaluated(Exited(3), report).problem_code, "instrument_missing");
  report.refusal = WorkerRefusal{};
  report.refusal->stage = "allocate";
  report.refusal->code = "kernel_type";
  report.refusal->sentence = "input 0 has type FLOAT32";
  EXPECT_EQ(Evaluated(Exited(2), report).problem_code, "kernel_type");
  report.refusal->stage = "memory";
  EXPECT_EQ(Evaluated(Exited(2), report).problem_code, "memory_limit");
  WorkerReport capped = Finished();
  capped.capped = true;
  EXPECT_EQ(Evaluated(Exited(0), capped).problem_code, "capped");
  EXPECT_EQ(Evaluated(Exited(0), Finished()).problem_code, "");
}

TEST(CheckEvaluation, CallsNoCappedInstrumentClean) {
  WorkerReport report = Finished();
  report.capped = true;
  report.capped_at = CappedAt{0, 4, "ADD", "invoke"};
  CheckPart part;
  part.instrument = FindInstrument("asan");
  part.report = report;
  EvaluatePart(CheckOptions{}, Exited(0), part);
  EXPECT_EQ(part.status, ExitStatus::kCouldNotRun);
  EXPECT_NE(part.problem.find("capped at operator 4: later accesses were not checked"), std::string::npos);
}

CheckResult ResultOf(ExitStatus status, const WorkerReport& report, const char* instrument) {
  CheckResult result;
  result.status = status;
  CheckPart part;
  part.instrument = FindInstrument(instrument);
  part.layout = "faithful";
  part.report = report;
  part.status = status;
  result.parts.push_back(part);
  return result;
}

TEST(CheckReport, SaysByWhichInstrumentsAModelIsClean) {
  CheckResult result = ResultOf(ExitStatus::kClean, Finished(), "shadow");
  EXPECT_TRUE(CheckReportText({}, result).ends_with("clean: no access outside the running operator's operands\n"));
  result.absent_instruments = {"asan"};
  EXPECT_TRUE(CheckReportText({}, result).ends_with("\nclean by shadow alone; asan is not available\n"))
      << CheckReportText({}, result);
}

// What the last line is, of one part more in the dilated layout when there is a second report.
std::string VerdictOf(const WorkerReport& faithful, const WorkerReport* dilated = nullptr) {
  CheckResult result = ResultOf(ExitStatus::kClean, faithful, "shadow");
  if (dilated != nullptr) {
    result.parts.push_back(result.parts.front());
    result.parts.back().layout = "dilated";
    result.parts.back().report = *dilated;
  }
  const std::string text = CheckReportText({}, result);
  const std::string verdict = text.substr(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_NE(CheckReportJson({}, result).find("\"verdict\": \"" + verdict.substr(0, verdict.size() - 1) + "\""),
            std::string::npos);
  return verdict;
}

TEST(CheckReport, CallsAModelCleanOnlyAsFarAsItWasSeen) {
  const std::string clean = "clean: no access outside the running operator's operands";
  WorkerReport blind = Finished(), apart = Finished();
  blind.blind_pair_count = 9;
  apart.blind_pair_count = 0;
  EXPECT_EQ(VerdictOf(blind),
            "clean as far as seen: 9 blind pairs in the faithful layout, which --layout=dilated takes apart\n");
  EXPECT_EQ(VerdictOf(blind, &apart), clean + "\n") << "the dilated layout sees what the faithful one does not";
  WorkerReport together = Finished();
  together.blind_pair_count = 1;
  EXPECT_EQ(VerdictOf(blind, &together), "clean as far as seen: 1 blind pair in the dilated layout\n");
  apart.prepare_blind_pair_count = blind.prepare_blind_pair_count = 3;
  EXPECT_EQ(VerdictOf(blind, &apart), clean + "; in prepare as far as seen: 3 blind pairs\n");
  WorkerReport inexact = Finished();
  inexact.operators = {{0, 0, "ADD", "reference", true, 1, 1}};
  inexact.not_exact.resize(2);
  inexact.not_exact[1].index = 1;
  EXPECT_EQ(VerdictOf(inexact), "clean as far as seen: 2 operands around which shadow cannot decide to the byte\n");
  WorkerReport branch = Finished();
  branch.operators = {{0, 0, "IF", "reference", true, 1, 1}, {0, 1, "ADD", "reference", false, 0, 0}};
  EXPECT_EQ(VerdictOf(branch), "clean as far as seen: 1 operator not seen\n");
}

TEST(CheckReport, CountsOperatorsSeenInPart) {
  WorkerReport report = Finished(2);
  report.capped = true;
  report.operators = {{0, 0, "ADD", "reference", false, 1000, 56}, {1, 0, "SUB", "reference", false, 1000, 0}};
  const std::string text = CheckReportText({}, ResultOf(ExitStatus::kViolations, report, "asan"));
  EXPECT_NE(text.find("0 of 2, 1 in part"), std::string::npos) << text;
  EXPECT_NE(text.find("asan is capped: it checks until 2000 accesses without right in one run of an operator, 20000 in "
                      "all\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("saw 56 of 1000 invokes of ADD (operator 0), kernel reference\n"), std::string::npos) << text;
  EXPECT_NE(text.find("did not see SUB (operator 1), kernel reference\n"), std::string::npos) << text;
}

TEST(CheckReport, SaysWhereAnInstrumentWasCapped) {
  WorkerReport report = Finished(3);
  report.capped = true;
  report.capped_at = CappedAt{0, 4, "ADD", "invoke"};
  report.operators = {{3, 0, "SUB", "reference", true}, {4, 0, "ADD", "reference", false}};
  const CheckResult result = ResultOf(ExitStatus::kViolations, report, "asan");
  const std::string text = CheckReportText({}, result);
  EXPECT_NE(text.find("1 of 2"), std::string::npos) << text;
  EXPECT_NE(text.find("3 violations or more; capped at operator 4: later accesses were not checked\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(
      text.ends_with("\nviolations found; faithful, asan was capped at operator 4: later accesses were not checked\n"))
      << text;
  EXPECT_NE(CheckReportJson({}, result).find("\"capped_at_operator\": 4"), std::string::npos);
}

TEST(CheckReport, ShowsTheArenasSizeAndThePairsOfPrepare) {
  WorkerReport report = Finished();
  report.plan = PlanReport{64, 128, 192, 5000, 4096, 0, 0, {}};
  report.blind_pair_count = 0;
  report.prepare_blind_pair_count = 1;
  report.prepare_blind_pairs = {{0, 7, "ADD", "quantization", "quantization", 1, 2, 8}};
  const CheckResult result = ResultOf(ExitStatus::kClean, report, "shadow");
  const std::string text = CheckReportText({}, result);
  EXPECT_NE(text.find("4096, spread over 5000"), std::string::npos) << text;
  EXPECT_NE(text.find("blind pairs in prepare, faithful layout"), std::string::npos) << text;
  EXPECT_NE(text.find("ADD (operator 7): quantization 1 and quantization 2, 8 bytes apart"), std::string::npos) << text;
  EXPECT_EQ(text.find("more\n"), std::string::npos) << text;
  EXPECT_NE(CheckReportJson({}, result).find("blind_pairs_in_prepare"), std::string::npos);
}

TEST(CheckEvaluation, NamesTheOptionThatRaisesALimit) {
  ChildResult child;
  child.end = ChildEnd::kKilledForTime;
  EXPECT_NE(Evaluated(child, {}).problem.find("--time-limit"), std::string::npos);
  child.end = ChildEnd::kKilledForMemory;
  const CheckPart part = Evaluated(child, {});
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

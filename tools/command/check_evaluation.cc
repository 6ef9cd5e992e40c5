#include <algorithm>
#include <csignal>
#include <utility>

#include "tools/command/check.h"
#include "tools/command/child_end.h"
#include "tools/command/library_end.h"
#include "tools/command/running_text.h"
#include "tools/text/refusal_code.h"
#include "tools/text/text.h"
#include "tools/text/version.h"
#include "tools/worker/protocol.h"
#include "tools/worker/valgrind_program.h"

namespace arenaproof {
namespace {

constexpr const char* kEndedDuringSelfTest = "the instrument ended the program during its self-test";

// A worker that ends before the event of its self-test for another reason, such as a refusal, reports that reason.
bool EndedDuringSelfTest(const CheckPart& part) {
  const WorkerReport& report = part.report;
  return part.instrument->name != "none" && report.started && !report.self_test && !report.refusal &&
         report.internal_errors.empty() && report.malformed.empty() && !report.finished;
}

}  // namespace

std::string CappedText(const CheckPart& part) {
  // AddressSanitizer stops checking, the guard opens a page; elsewhere the log is full.
  const char* what = part.instrument->name == "asan"    ? "later accesses were not checked"
                     : part.instrument->name == "guard" ? "later accesses to the same page were not checked"
                                                        : "not all later accesses are listed";
  if (!part.report.capped_at) return std::string("capped: ") + what;
  std::string text = "capped at operator " + std::to_string(part.report.capped_at->operator_index);
  if (part.report.capped_at->subgraph != 0) {
    text += " of subgraph " + std::to_string(part.report.capped_at->subgraph);
  }
  return text + ": " + what;
}

namespace {

// Why the worker ended without a word; empty when nothing explains it.
std::string FailedStart(const Instrument& instrument, const ChildResult& child) {
  if (instrument.name == kValgrindInstrument && child.end == ChildEnd::kExited) {
    const std::string said = child.diagnostics.substr(0, child.diagnostics.find('\n'));
    return "Valgrind ended with status " + std::to_string(child.exit_status) + " before its program began" +
           (said.empty() ? said : ": " + said);
  }
  return FailedStart(child);
}

// Why the part says nothing of the kernels from outside; empty when it saw all of them that were invoked.
std::string NotSeenText(const CheckOptions& options, const CheckPart& part) {
  const auto count = std::count_if(part.report.operators.begin(), part.report.operators.end(),
                                   [](const OperatorSeen& one) { return one.without_hooks && one.invokes > 0; });
  if (count == 0) return {};
  const std::string name(part.instrument->name);
  return "the kernels of '" + options.kernels + "', which serve " + Counted(count, "operator") +
         ", are compiled without the hooks of " + name + ", which sees nothing of them; 'arenaproof flags --" + name +
         "' prints how to compile it, and --kernels=shadow:FILE,asan:FILE names a build for each";
}

void Evaluate(const CheckOptions& options, const ChildResult& child, CheckPart& part) {
  const auto conclude = [&](ExitStatus status, std::string problem) {
    part.status = status;
    part.problem = std::move(problem);
    if (status == ExitStatus::kInternalError) part.diagnostics = child.diagnostics;
  };
  const WorkerReport& report = part.report;
  if (child.result.empty()) {
    if (const std::string reason = FailedStart(*part.instrument, child); !reason.empty()) {
      part.not_available = true;
      return conclude(ExitStatus::kCouldNotRun, NotAvailable(*part.instrument, reason));
    }
  }
  // The limit is one of address space, or is watched from outside.
  const bool out_of_memory = child.end == ChildEnd::kExited && child.exit_status == protocol::kExitCouldNotRun &&
                             report.refusal && report.refusal->stage == protocol::kStageMemory;
  switch (out_of_memory ? ChildEnd::kKilledForMemory : child.end) {
    case ChildEnd::kNotStarted:
      return conclude(ExitStatus::kCouldNotRun,
                      CannotStart("the worker " + WorkerPath(*part.instrument).string(), child.start_error));
    case ChildEnd::kKilledForTime:
      part.running = child.running.nested;
      return conclude(ExitStatus::kCouldNotRun, "the child was ended after " +
                                                    Counted(options.time_limit_seconds, "second") +
                                                    WhileRunning(child.running) + "; --time-limit=SECONDS allows more");
    case ChildEnd::kKilledForCpuTime:
      part.running = child.running.nested;
      return conclude(ExitStatus::kCouldNotRun, "the child " + EndedFromOutside(child) + WhileRunning(child.running));
    case ChildEnd::kKilledForMemory: {
      const std::size_t memory_bytes = std::size_t{options.memory_limit_mebibytes} << 20;
      if (const std::string limit = MemoryLimitOfShell(memory_bytes); out_of_memory && !limit.empty()) {
        return conclude(ExitStatus::kCouldNotRun, "the child had no memory left: " + limit);
      }
      return conclude(ExitStatus::kCouldNotRun, "the child was ended when it used more than " +
                                                    std::to_string(options.memory_limit_mebibytes) +
                                                    " MiB of memory; --memory-limit=MEBIBYTES allows more");
    }
    case ChildEnd::kKilledForOutput:
      return conclude(ExitStatus::kInternalError, "the child was ended because its report did not end");
    case ChildEnd::kSignal: {
      const std::string died = "died of " + SignalText(child.signal);
      if (const std::string end = EndedFromOutside(child); !end.empty()) {
        return conclude(ExitStatus::kCouldNotRun, "the child " + end);
      }
      if (!IsFault(child.signal) && EndedDuringSelfTest(part)) {
        return conclude(ExitStatus::kCouldNotRun, kEndedDuringSelfTest);
      }
      if (!report.violations.empty() && !report.finished) {
        part.kernels_died = true;
        return conclude(ExitStatus::kViolations, "the child " + died + " after kernels of the set '" + options.kernels +
                                                     "' had made accesses that they had no right to");
      }
      // The plan is reported when the model is loaded and planned; from then on the kernels run.
      if (IsFault(child.signal) && report.plan && !report.finished) {
        part.kernels_died = true;
        const std::string set = "kernels of the set '" + options.kernels + "'";
        const std::string after = AfterLast(child.running);
        return conclude(
            ExitStatus::kViolations,
            "the child " + died +
                (after.empty() ? " while " + set + " ran: an access outside all memory, or a fault of its own"
                               : after + ": a thread of " + set + ", or bytes that they have overwritten"));
      }
      return conclude(
          ExitStatus::kInternalError,
          "the child " + died +
              (IsFault(child.signal) ? " outside the checked kernels" : ", which proves nothing against a kernel"));
    }
    case ChildEnd::kExited:
      break;
  }
  if (!report.malformed.empty()) return conclude(ExitStatus::kInternalError, report.malformed);
  if (!report.internal_errors.empty()) return conclude(ExitStatus::kInternalError, report.internal_errors.front());
  if (child.exit_status == 2 && report.refusal) {
    part.could_not_see = report.refusal->code == RefusalCode(ToolRefusal::kKernelsNotSeen);
  }
  if (child.exit_status == 2 && report.refusal && report.refusal->stage == protocol::kStageArguments) {
    return conclude(ExitStatus::kCouldNotRun, "the worker " + WorkerPath(*part.instrument).string() +
                                                  " is not of this command's version, " + kVersion + ": " +
                                                  report.refusal->sentence + "; " + kInstallAgain);
  }
  if (child.exit_status == 2 && report.refusal) return conclude(ExitStatus::kCouldNotRun, report.refusal->sentence);
  if (child.exit_status == 1 && report.refusal && report.refusal->stage == "certify") {
    return conclude(ExitStatus::kViolations, report.refusal->sentence);
  }
  if (EndedDuringSelfTest(part)) return conclude(ExitStatus::kCouldNotRun, kEndedDuringSelfTest);
  if (child.exit_status == 0 && report.finished && report.violations.empty()) {
    if (report.capped)
      return conclude(ExitStatus::kCouldNotRun, CappedText(part) + ", and those before it show nothing");
    if (const std::string problem = NotSeenText(options, part); !problem.empty()) {
      part.could_not_see = true;
      return conclude(ExitStatus::kCouldNotRun, problem);
    }
    return conclude(ExitStatus::kClean, {});
  }
  if (child.exit_status == 1 && report.finished && !report.violations.empty()) {
    return conclude(ExitStatus::kViolations, {});
  }
  conclude(ExitStatus::kInternalError,
           "the child's words do not fit its exit status " + std::to_string(child.exit_status));
}

// Replaces the end of a process that ran kernels from outside, where it is theirs or proves nothing; true when it did.
bool EvaluateLibrary(const CheckOptions& options, const ChildResult& child, CheckPart& part) {
  const auto take = [&](const LibraryEnd& end) {
    part.status = end.status;
    part.problem = end.sentence;
    part.problem_code = RefusalCode(end.code);
    part.diagnostics = child.diagnostics;
    part.kernels_died = end.status == ExitStatus::kViolations;
    return true;
  };
  const bool out_of_memory = part.report.refusal && part.report.refusal->stage == protocol::kStageMemory;
  if (const auto end = EndInLibrary(options, child); end && !out_of_memory) return take(*end);
  if (part.status != ExitStatus::kInternalError) return false;
  const auto end = EndAfterLibrary(options, part.problem);
  return end && take(*end);
}

// Signals have the same numbers on every machine that runs this; their names are the system's.
std::string HowItEnded(const ChildResult& child) {
  const bool signal = child.end == ChildEnd::kSignal;
  return (signal ? "signal " + std::to_string(child.signal) : "exit status " + std::to_string(child.exit_status)) +
         " " + LibraryCallText(child.running);
}

// A processor's newest instructions end a program under Valgrind: that is no fault of a kernel's.
bool MetWhatValgrindLacks(const ChildResult& child, CheckPart& part) {
  const bool illegal = child.end == ChildEnd::kSignal && child.signal == SIGILL;
  if (!illegal || part.instrument->name != kValgrindInstrument || !part.report.violations.empty()) return false;
  part.status = ExitStatus::kCouldNotRun;
  part.kernels_died = false;
  part.running = child.running.nested;
  part.problem = "the child came to an instruction that Valgrind does not know, or that is illegal" +
                 WhileRunning(child.running) + "; kernels for an older processor would be seen";
  part.problem_code = RefusalCode(ToolRefusal::kEndedBySignal);
  return true;
}

// Of a part that has been evaluated and has a problem.
std::string ProblemCode(const ChildResult& child, const CheckPart& part) {
  if (part.kernels_died) return RefusalCode(ToolRefusal::kKernelsDied);
  if (part.status == ExitStatus::kInternalError) return RefusalCode(ToolRefusal::kInternalError);
  if (part.not_available) return RefusalCode(ToolRefusal::kInstrumentMissing);
  switch (child.end) {
    case ChildEnd::kNotStarted:
      return RefusalCode(ToolRefusal::kChildNotStarted);
    case ChildEnd::kKilledForTime:
    case ChildEnd::kKilledForCpuTime:
      return RefusalCode(ToolRefusal::kTimeLimit);
    case ChildEnd::kKilledForMemory:
      return RefusalCode(ToolRefusal::kMemoryLimit);
    case ChildEnd::kKilledForOutput:
      return RefusalCode(ToolRefusal::kReportLimit);
    case ChildEnd::kSignal:
      return RefusalCode(EndedFromOutside(child).empty() ? ToolRefusal::kInstrumentMissing
                                                         : ToolRefusal::kEndedBySignal);
    case ChildEnd::kExited:
      break;
  }
  if (part.could_not_see) return RefusalCode(ToolRefusal::kKernelsNotSeen);
  if (part.report.refusal) {
    const bool memory = part.report.refusal->stage == protocol::kStageMemory;
    return memory ? RefusalCode(ToolRefusal::kMemoryLimit) : part.report.refusal->code;
  }
  return RefusalCode(part.report.capped ? ToolRefusal::kCapped : ToolRefusal::kInstrumentMissing);
}

// What was found stays found, whatever ended the run behind it.
void KeepFound(CheckPart& part) {
  if (part.status != ExitStatus::kCouldNotRun || part.report.violations.empty()) return;
  part.status = ExitStatus::kViolations;
  part.stopped = true;
}

}  // namespace

void EvaluatePart(const CheckOptions& options, const ChildResult& child, CheckPart& part) {
  Evaluate(options, child, part);
  if (MetWhatValgrindLacks(child, part)) return;
  const bool by_library = EvaluateLibrary(options, child, part);
  if (part.kernels_died) {
    part.running = child.running.nested;
    part.died_how = HowItEnded(child);
  }
  if (!by_library) part.problem_code = part.problem.empty() ? std::string() : ProblemCode(child, part);
  KeepFound(part);
}

}  // namespace arenaproof

// `arenaproof check`: runs a model's operators under each instrument and in each layout, every combination in a child
// process of its own, and merges their reports.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/baseline_comparison.h"
#include "tools/command/child_process.h"
#include "tools/command/code_scan.h"
#include "tools/command/instruments.h"
#include "tools/command/refused.h"
#include "tools/command/worker_report.h"
#include "tools/kernel_library/kernel_choice.h"
#include "tools/model/model_options.h"
#include "tools/text/exit_status.h"
#include "tools/text/json_text.h"

namespace arenaproof {

struct CheckOptions : SetUpOptions, KernelChoice {
  std::string program = "arenaproof";  // as the user called it, for commands to be repeated
  std::string model;
  std::string file = {};                     // where it is read, when `model` is a pipe; empty: there
  std::string layout = "both";               // faithful, dilated, both
  std::string instrument = "all-available";  // a name of instruments.h, or this
  std::optional<std::uint64_t> arena_bytes;  // of the single arena, or the one for head and temporaries
  bool two_arenas = false;
  std::optional<std::uint64_t> persistent_arena_bytes;  // of two arenas: the one for the tail
  std::uint32_t reserve_front_bytes = 0;                // closed bytes between the allocation's start and the head
  std::uint32_t seed = 1;
  std::uint32_t runs = 1;
  std::vector<std::string> inputs = {};  // INPUT:FILE each (tools/model/tensor_file.h); the others are generated
  bool extents = false;                  // which bytes invokes touched, by shadow
  std::uint32_t time_limit_seconds = kDefaultTimeLimitSeconds;  // of all parts together
  std::uint32_t memory_limit_mebibytes = 4096;
  bool json = false;
  bool verbose = false;  // the whole report instead of its summary
  bool quiet = false;    // the verdict alone
  bool colours = false;  // of the text, for a terminal
};

// What one call asks for: the same of every model.
struct CheckCall {
  CheckOptions options;
  std::vector<std::string> models;       // files, folders, "-" or pipes
  std::vector<std::string> reports;      // files (tools/command/report_files.h)
  std::string baseline, write_baseline;  // files (tools/command/baseline.h); empty: none
  std::uint32_t parts_at_a_time = 0;     // 0: as many as there are processors
};

// One child: one instrument over one layout.
struct CheckPart {
  const Instrument* instrument = nullptr;
  std::string layout;
  WorkerReport report;
  ExitStatus status = ExitStatus::kClean;
  std::string problem;         // why the status is kCouldNotRun or kInternalError, or how the kernels died; a sentence
  std::string problem_code;    // of the problem, for programs (tools/text/refusal_code.h)
  std::string diagnostics;     // what the child printed, for an internal error
  bool kernels_died = false;   // the child died of a fault while the checked kernels ran, or after they were found out
  bool stopped = false;        // it found violations, and then came to no end; the problem says why
  bool could_not_see = false;  // a file of kernels has no hooks for this instrument; the problem says so
  bool not_available = false;  // the worker could not start; the problem says why
  std::vector<ActiveOperator>
      running;           // when a limit ended the child, or its kernels died: what ran, the innermost last
  std::string died_how;  // with kernels_died: how, and in which function of a library; the same on every machine
  double seconds = 0;    // that the child took
};

struct CheckResult {
  std::vector<CheckPart> parts;
  std::vector<std::string> not_available;       // sentences, with all-available
  std::vector<std::string> absent_instruments;  // their names
  std::vector<CodeScan> code_scans;             // of files of kernels that have an instrument's hooks
  std::vector<std::string> output_differences;  // sentences
  std::optional<BaselineComparison> baseline;   // with --baseline
  std::string refusal;                          // nothing could be started; a sentence
  RefusalFacts refused;                         // the same for programs
  ExitStatus status = ExitStatus::kClean;
};

// Called when a first child starts, and every second with the part that has run longest, its time and its operator.
using CheckProgress = std::function<void(const std::string& text)>;

// The whole check of one model; `progress` may be null. Of several models it is taken apart: what is to be run, or why
// nothing is, what runs them (tools/command/parts_run.h), and what they come to.
CheckResult RunCheck(const CheckOptions& options, const CheckProgress& progress);
CheckResult AskedParts(const CheckOptions& options);
void Conclude(const CheckOptions& options, CheckResult& result);

// Of a model that cannot be had, or a call that cannot be begun.
CheckResult RefusedCheck(const std::string& sentence, ToolRefusal code = ToolRefusal::kFileUnreadable);

// Sets status, problem, problem_code, diagnostics and kernels_died from the child's end and its report. A fault
// (SIGSEGV, SIGBUS, SIGFPE, SIGILL) is charged to the kernels, an abort only with violations to prove it; a signal that
// a program does not raise itself came from outside and proves nothing. A worker that ends before its first word, under
// a limit or for a library that is missing, is not available.
void EvaluatePart(const CheckOptions& options, const ChildResult& child, CheckPart& part);

// How many operators of a file of kernels were invoked and seen by no part, for want of hooks.
std::int64_t OperatorsNotSeen(const CheckResult& result);

// Such operators, or that no part could see anything: what was not looked at is not clean.
bool LeftUnseen(const CheckResult& result);

// The check was refused, or a part of it did not run to its end.
bool CameToNoEnd(const CheckResult& result);

// "arenaproof check MODEL --kernels=... " with what differs from the defaults; layout and instrument are replaced when
// not empty.
std::string CheckCommandLine(const CheckOptions& options, const std::string& layout, const std::string& instrument);

// "capped at operator 3: later accesses were not checked".
std::string CappedText(const CheckPart& part);

// The verdict in the first line, and at most nine lines more of what was found and what was not seen; then what was
// asked for beside it.
std::string CheckSummaryText(const CheckOptions& options, const CheckResult& result);
// Everything; the verdict is the last line.
std::string CheckReportText(const CheckOptions& options, const CheckResult& result);
OrderedJson CheckReportObject(const CheckOptions& options, const CheckResult& result);
std::string CheckReportJson(const CheckOptions& options, const CheckResult& result);

}  // namespace arenaproof

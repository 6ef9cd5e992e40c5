// `arenaproof run`: one set-up and one invoke of a model, and what came out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/model/validated_model.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/command/child_process.h"
#include "tools/command/refused.h"
#include "tools/command/run_expectations.h"
#include "tools/kernel_library/kernel_choice.h"
#include "tools/model/model_options.h"
#include "tools/model/offline_plan_report.h"
#include "tools/text/exit_status.h"
#include "tools/text/tensor_value.h"

namespace arenaproof {

struct RunOptions : SetUpOptions, KernelChoice {
  std::string model;
  std::string file;  // where it is read, when `model` is a pipe; empty: there
  std::uint32_t seed = 1;
  std::vector<std::string> inputs;    // INPUT:FILE each (tools/model/tensor_file.h); the others are generated
  std::vector<std::string> expected;  // OUTPUT:FILE each, or FILE for the first output
  double tolerance = 0;               // of expected values, in the output's type; 0: equal to the bit
  std::string output_dir;             // empty: outputs are not written
  // Not given: as much as the model needs.
  std::optional<std::uint64_t> arena_bytes;  // of the single arena, or the one for head and temporaries
  bool two_arenas = false;
  std::optional<std::uint64_t> persistent_arena_bytes;  // of two arenas: the one for the tail
  std::uint32_t time_limit_seconds = kDefaultTimeLimitSeconds;
  bool all_tensors = false;
  bool record = false;  // what the tail is spent on, by category
  bool json = false;
};

struct ArenaFigures {
  std::size_t need_bytes = 0;   // the smallest arena with which set-up succeeds; 0: not asked for
  std::size_t arena_bytes = 0;  // the single arena, or the one for head and temporaries
  std::size_t used_bytes = 0, head_bytes = 0, tail_bytes = 0;
  // The one for the tail, of two arenas; 0: there is one arena.
  std::size_t persistent_need_bytes = 0, persistent_arena_bytes = 0;
  // What a device's set-up does not have and these figures include; empty: nothing.
  std::string including = {};
};

struct RecordedCategory {
  std::string name, word;  // as in the log
  std::size_t requested_bytes = 0, used_bytes = 0, count = 0;
};

struct RunResult {
  std::string problem;  // a sentence; empty: it ran
  ExitStatus problem_status = ExitStatus::kCouldNotRun;
  RefusalFacts refused;                               // the problem, for programs
  std::vector<TensorValue> inputs, outputs, tensors;  // tensors: every non-constant one, with all_tensors
  std::vector<PlanEntry> plan;
  std::vector<ComparedOutput> compared;  // with --expect
  std::vector<BufferAlias> sharing;
  OfflinePlanReport offline_plan;
  ArenaFigures arena;
  std::vector<std::string> output_files;  // written; empty without output_dir
  std::string record_text;                // with record: the recording allocator's log
  std::vector<RecordedCategory> record;   // with record: every category
};

// "arenaproof run MODEL --kernels=... " with what differs from the defaults: words that do the same again.
std::string RunCommandLine(const RunOptions& options);

// kViolations when an output is not as expected.
ExitStatus StatusOf(const RunResult& result);

RunResult RunModel(const RunOptions& options, const ValidatedModel& model, const KernelSet& kernels);

std::string RunReportText(const RunOptions& options, const ModelView& model, const RunResult& result);
std::string RunReportJson(const RunOptions& options, const ModelView& model, const RunResult& result);

}  // namespace arenaproof

// `arenaproof size`: how large the arena has to be, exactly, and where the bytes go; before anything is run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/validated_model.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/command/refused.h"
#include "tools/kernel_library/kernel_choice.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_options.h"
#include "tools/model/offline_plan_report.h"
#include "tools/text/exit_status.h"

namespace arenaproof {

struct SizeOptions : SetUpOptions, KernelChoice {
  std::string model;
  std::string file;               // where it is read, when `model` is a pipe; empty: there
  std::string target = "host64";  // host64, arm32
  bool two_arenas = false;
  bool json = false;
};

// Faithful first. On a target that is not this machine there is no dilated layout: it is the checker's, here.
struct SizeResult {
  std::string problem;  // a sentence; empty: there are figures
  ExitStatus problem_status = ExitStatus::kCouldNotRun;
  RefusalFacts refused;  // the problem, for programs
  OfflinePlanReport offline_plan;
  MemoryNeed faithful;
  std::optional<MemoryNeed> dilated;
};

// Each figure for this machine is tried out: a real set-up with it has to succeed, with one byte less fail.
SizeResult MeasureModel(const SizeOptions& options, const ValidatedModel& model, const KernelSet& kernels);

std::string SizeReportText(const SizeOptions& options, const ModelView& model, const SizeResult& result);
std::string SizeReportJson(const SizeOptions& options, const ModelView& model, const SizeResult& result);

}  // namespace arenaproof

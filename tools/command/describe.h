// `arenaproof describe`: what a model is made of, when its tensors live, where they would lie, how much arena it needs.
#pragma once

#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/model/lifetimes.h"
#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/command/run.h"
#include "tools/model/model_file.h"

namespace arenaproof {

struct DescribeOptions : SetUpOptions {
  std::string model;
  std::string kernels = "reference";
  bool json = false;
};

struct Description {
  std::string unsupported;  // a sentence; empty: everything is supported
  std::string problem;      // why there is no plan, when all is supported; a sentence
  ExitStatus problem_status = ExitStatus::kCouldNotRun;
  std::vector<Lifetime> lifetimes;  // of all tensors, subgraph by subgraph
  std::vector<PlanEntry> plan;
  OfflinePlanReport offline_plan;
  ArenaFigures arena;
};

// The file is sound; its validation may say that it needs what is not supported.
Description Describe(const ModelFile& file, const KernelSet& kernels, const SetUpOptions& set_up = {});

// The JSON object of a command that could not do anything with the model.
std::string RefusalJson(const std::string& command, const std::string& model, const std::string& refusal);
std::string DescribeReportText(const DescribeOptions& options, const ModelView& model, const Description& description);
std::string DescribeReportJson(const DescribeOptions& options, const ModelView& model, const Description& description);

}  // namespace arenaproof

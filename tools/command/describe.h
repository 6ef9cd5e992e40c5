// `arenaproof describe`: what a model is made of, when its tensors live, where they would lie, how much arena it needs.
#pragma once

#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/model/lifetimes.h"
#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/command/run.h"
#include "tools/kernel_library/kernel_choice.h"
#include "tools/model/model_file.h"
#include "tools/model/planning_kernels.h"

namespace arenaproof {

struct DescribeOptions : SetUpOptions, KernelChoice {
  std::string model;
  std::string file;                  // where it is read, when `model` is a pipe; empty: there
  std::vector<std::string> scratch;  // OPERATOR:BYTES of operators without a kernel
  bool json = false;
};

struct Description {
  std::string problem;  // why there is no plan, a sentence; empty: there is one
  ExitStatus problem_status = ExitStatus::kCouldNotRun;
  RefusalFacts refused;             // the problem, for programs
  bool lists_too_long = false;      // tables share lists, so that nobody could read what they hold in all
  std::vector<Lifetime> lifetimes;  // of all tensors, subgraph by subgraph; empty when their order is not sound
  std::vector<BufferAlias> sharing;
  std::vector<PlanEntry> plan;  // with a problem only when it is about the model's own plan, which is shown then
  OfflinePlanReport offline_plan;
  ArenaFigures arena;  // all 0 where kernels are missing: what they keep in the tail is not known
  std::size_t head_bytes = 0;
  PlanningKernels kernels;  // which of the model's are missing
};

// What the file holds, whatever validation says of it.
void Describe(const ModelFile& file, const KernelSet& kernels, const SetUpOptions& set_up,
              const std::vector<std::string>& scratch, Description& description);

std::string DescribeReportText(const DescribeOptions& options, const ModelView& model, const Description& description);
std::string DescribeReportJson(const DescribeOptions& options, const ModelView& model, const Description& description);

}  // namespace arenaproof

// `plan --embed` as the command does it, where the user states what kernels need that nobody has: the file that is
// written leads to just the plan that is reported, its head counts the scratch, and what else refers to buffers keeps
// them. --strip takes that plan out again.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"
#include "engine/generators/models/custom_operator_models.h"
#include "engine/generators/mutator/referenced_buffers.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/embedded_plan.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "props/reports/scratch_file.h"
#include "props/reports/scratch_folder.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/plan_embedded.h"
#include "tools/memory/arena_memory.h"
#include "tools/plans/made_plan.h"

namespace arenaproof::testing {
namespace {

class OpenedFile {
 public:
  explicit OpenedFile(const std::string& path) : size_(std::filesystem::file_size(path)) {
    RC_ASSERT(memory_.Grow(size_));
    std::ifstream(path, std::ios::binary)
        .read(reinterpret_cast<char*>(memory_.start()), static_cast<std::streamsize>(size_));
  }
  ValidatedModel model() const { return Validated({memory_.start(), size_}); }

 private:
  ArenaMemory memory_;
  std::size_t size_;
};

// Of each custom operator of the model some buffers, or that it needs none.
std::vector<std::string> DrawScratch(const ModelBuilder& builder) {
  std::vector<std::string> words;
  for (const OperatorCodeSpec& code : builder.codes) {
    const std::size_t buffers = Below<std::size_t>(4);
    for (std::size_t i = 0; i < buffers; ++i) words.push_back(*code.custom_code + ":" + std::to_string(1 + Below(200)));
    if (buffers == 0) words.push_back(*code.custom_code + ":0");
  }
  return words;
}

std::size_t PlansOf(const ModelView& model) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < model.metadata_count(); ++i) count += model.metadata(i).name == kOfflinePlanName ? 1 : 0;
  return count;
}

void RequirePlanOf(const PlannedModel& set_up, const MadePlan& plan) {
  Require(set_up.problem.empty(), "the file that was written is taken: " + set_up.problem);
  Require(static_cast<std::int64_t>(set_up.head_bytes) == plan.peak_bytes, "its head is the one that is reported");
  Require(set_up.plan.size() == plan.offsets.size(), "it has the buffers that were planned");
  std::int64_t end = 0;
  for (std::size_t i = 0; i < set_up.plan.size(); ++i) {
    Require(static_cast<std::int64_t>(set_up.plan[i].offset) == *plan.offsets[i], "they lie where the report says");
    const std::size_t whole_bytes = (set_up.plan[i].bytes + 15) / 16 * 16;
    end = std::max(end, static_cast<std::int64_t>(set_up.plan[i].offset + whole_bytes));
  }
  Require(end == plan.peak_bytes, "the reported peak is the end of the highest buffer");
}

RC_GTEST_PROP(WrittenModels, LeadToThePlanThatIsReported, ()) {
  RapidCheckSource random;
  const CustomOperatorModel made = MakeCustomOperatorModel(random);
  const std::vector<std::byte> file = WithReferences(made.builder.Finish(), random);
  static const ScratchFile model_file;
  static const ScratchFolder folder;
  const std::string written = folder.PathOf("written.tflite"), without_plan = folder.PathOf("stripped.tflite");
  model_file.Replace({reinterpret_cast<const char*>(file.data()), file.size()});
  SubjectOptions options;
  options.path = model_file.path();
  options.scratch = DrawScratch(made.builder);
  for (const std::string& word : options.scratch) RC_LOG() << word << " ";
  const OwnPlan own_plan = OneIn(3) ? OwnPlan::kIgnored : OwnPlan::kKept;
  options.ignore_plan = own_plan == OwnPlan::kIgnored;
  PlannedSubject subject;
  const std::string refused = subject.Load(options, own_plan);
  Require(refused.empty(), "a sound model is planned without its kernels: " + refused);
  // Linear, which keeps nothing fixed, leaves room that the device's planner then fills with scratch.
  const std::vector<PlanBuffer>& buffers = subject.problem().buffers;
  const bool any_fixed =
      std::any_of(buffers.begin(), buffers.end(), [](const PlanBuffer& buffer) { return buffer.offset.has_value(); });
  const char* const planner = !any_fixed && OneIn(3) ? "linear" : OneIn(2) ? "greedy" : "optimal";
  MadePlan plan = MakePlan(planner, subject.problem(), {.work_limit = 500});
  Require(plan.problem.empty(), "a sound model has a plan: " + plan.problem);
  const std::int64_t planned_peak = plan.peak_bytes;

  const EmbeddedPlan embedded = WriteWithPlan(subject, written, plan);
  Require(embedded.problem.empty(), "a plan goes into a sound model: " + embedded.problem);
  Require(static_cast<std::int64_t>(embedded.head_bytes) == plan.peak_bytes, "the head that is reported is the plan's");
  Require(WhatIsWrong(subject.problem().buffers, plan.offsets).fault == PlanFault::kNone, "what is reported is a plan");
  Require(plan.lower_bound_bytes <= plan.peak_bytes, "no plan is below its bound");
  const OpenedFile before(model_file.path()), after(written);
  const ValidatedModel old_model = before.model(), new_model = after.model();
  Require(PlansOf(new_model) == 1, "there is one plan");
  const std::string lost = WhatIsNotKept(old_model, new_model);
  Require(lost.empty(), "a model with another plan is the old one behind it: " + lost);
  RequirePlanOf(SetUpForPlanning(new_model, subject.kernels(), OwnPlan::kKept), plan);
  CountReach("models with a plan of their own", made.has_plan ? 1 : 0);
  CountReach("plans that the device makes lower", plan.peak_bytes < planned_peak ? 1 : 0);
  for (const BufferLabel& label : subject.problem().labels) CountReach("buffers of scratch", label.tensor < 0 ? 1 : 0);

  options.path = written;
  PlannedSubject with_plan;
  const std::string refused_again = with_plan.Load(options, OwnPlan::kIgnored);
  Require(refused_again.empty(), "what was written is planned again: " + refused_again);
  const EmbeddedPlan stripped = WriteWithoutPlan(with_plan, without_plan);
  Require(stripped.problem.empty(), "a plan can be taken out: " + stripped.problem);
  const OpenedFile without(without_plan);
  const ValidatedModel stripped_model = without.model();
  Require(PlansOf(stripped_model) == 0, "no plan is left");
  const std::string left = WhatIsLeftOfThePlan(new_model, stripped_model);
  Require(left.empty(), "nor are its bytes: " + left);
  const std::string lost_again = WhatIsNotKept(new_model, stripped_model);
  Require(lost_again.empty(), "a model without its plan is the old one behind it: " + lost_again);
  const PlannedModel anew = SetUpForPlanning(stripped_model, subject.kernels(), OwnPlan::kKept);
  Require(anew.problem.empty() && anew.head_bytes == stripped.head_bytes, "its head is the one that is reported");
}

}  // namespace
}  // namespace arenaproof::testing

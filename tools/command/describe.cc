#include "tools/command/describe.h"

#include <cstring>
#include <memory>

#include "core/runtime/interpreter/interpreter.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/arena_need.h"
#include "tools/model/model_options.h"
#include "tools/model/plan_recorder.h"
#include "tools/text/refusal_status.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof {

Description Describe(const ModelView& model, const ValidationReport& validation, const KernelSet& kernels,
                     bool trust_plan) {
  Description description;
  description.lifetimes.resize(model.total_tensor_count());
  if (!ComputeLifetimes(model, description.lifetimes, {}, {}).ok()) description.lifetimes.clear();
  if (!validation.status.ok()) {
    description.unsupported = ValidationSentence(validation);
    return description;
  }
  OfflinePlanRecorder offline_plan;
  const OfflinePlanPolicy policy{.trust = trust_plan, .listener = &offline_plan};
  const ArenaNeed need = FindArenaNeed(model, kernels, nullptr, policy);
  Status status = need.status;
  ArenaMemory memory;
  if (status.ok() && memory.Grow(need.bytes)) {
    PlanRecorder recorder;
    InterpreterOptions options = ForModel(model, {.observer = &recorder});
    options.offline_plan = policy;
    offline_plan.Clear();
    const auto interpreter = std::make_unique<Interpreter>(model, kernels, memory.start(), need.bytes, options);
    status = interpreter->AllocateTensors();
    description.plan = recorder.plan();
    description.offline_plan = MakeOfflinePlanReport(model, offline_plan);
    description.arena = {
        need.bytes, need.bytes, interpreter->arena_used_bytes(), interpreter->head_bytes(), interpreter->tail_bytes(),
        0,          0};
  }
  if (!status.ok()) {
    if (need.location.known()) {
      description.problem = "operator " + std::to_string(need.location.operator_index) + " of subgraph " +
                            std::to_string(need.location.subgraph) + ": ";
    }
    description.problem += offline_plan.RefusalSentence(model, status);
    description.problem_status = ExitStatusOf(status);
  }
  return description;
}

}  // namespace arenaproof

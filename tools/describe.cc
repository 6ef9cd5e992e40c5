#include "tools/describe.h"

#include <cstring>
#include <memory>

#include "core/runtime/interpreter.h"
#include "tools/arena_memory.h"
#include "tools/arena_need.h"
#include "tools/model_options.h"
#include "tools/plan_recorder.h"
#include "tools/sentences.h"
#include "tools/validation_sentence.h"

namespace arenaproof {

Description Describe(const ModelView& model, const ValidationReport& validation, const KernelSet& kernels) {
  Description description;
  description.lifetimes.resize(model.total_tensor_count());
  if (!ComputeLifetimes(model, description.lifetimes, {}, {}).ok()) description.lifetimes.clear();
  if (!validation.status.ok()) {
    description.unsupported = ValidationSentence(validation);
    return description;
  }
  const ArenaNeed need = FindArenaNeed(model, kernels);
  Status status = need.status;
  ArenaMemory memory;
  if (status.ok() && memory.Grow(need.bytes)) {
    PlanRecorder recorder;
    const auto interpreter = std::make_unique<Interpreter>(model, kernels, memory.start(), need.bytes,
                                                           ForModel(model, {.observer = &recorder}));
    status = interpreter->AllocateTensors();
    description.plan = recorder.plan();
    description.arena = {need.bytes, need.bytes, interpreter->arena_used_bytes(), interpreter->head_bytes(),
                         interpreter->tail_bytes()};
  }
  if (!status.ok()) {
    if (need.location.known()) {
      description.problem = "operator " + std::to_string(need.location.operator_index) + " of subgraph " +
                            std::to_string(need.location.subgraph) + ": ";
    }
    description.problem += Sentence(status);
  }
  return description;
}

}  // namespace arenaproof

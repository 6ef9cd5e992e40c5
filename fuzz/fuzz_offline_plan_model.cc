// The question of fuzz_offline_plan, about any model: is every plan accepted or refused as the rules say, whatever the
// model it is for? The model is changed as an object, the plan is fitted to it, and the reference kernels prepare it.
// The input's format: engine/generators/offline_plan/planned_model_input.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "core/model/validate.h"
#include "engine/explain.h"
#include "engine/generators/offline_plan/planned_model_input.h"
#include "engine/harness/model_pipeline/model_pipeline.h"
#include "engine/harness/model_pipeline/model_words.h"
#include "engine/harness/offline_plan/plan_run.h"
#include "engine/harness/offline_plan/plan_stages.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof {
namespace {

void MarkSupplied(const ModelView& model, OracleModel& facts) {
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      const OperatorView view = model.operator_at(s, i);
      if (view.code != BuiltinOperator::kVarHandle) continue;
      for (const std::int32_t output : view.outputs) {
        facts.tensors[model.first_tensor_of(s) + static_cast<std::size_t>(output)].supplied = true;
      }
    }
  }
}

void Run(std::span<const std::uint8_t> input) {
  const PlannedModelInput parts = SplitPlannedModel(input);
  const std::vector<std::uint8_t> file = WithDrawnPlan(parts);
  ValidationReport report;
  const std::optional<ValidatedModel> model = ValidatedModel::Open(std::as_bytes(std::span(file)), &report);
  if (!model) {
    if (Explaining()) Explain("the model is refused: " + ValidationSentence(report));
    return CountPlanStage(report.status);
  }
  if (Explaining()) Explain(ModelWords(*model));
  OracleModel facts = OracleModelOf(*model);
  MarkSupplied(*model, facts);
  PlanRunOptions options;
  options.trust = (parts.choice & 64) != 0;
  options.linear_planner = (parts.choice & 128) != 0;
  CountPlanStage(RunPlan(*model, facts, InterpreterSetUp, options).status);
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  arenaproof::PrintPlanStagesAtExit();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  if (bytes <= arenaproof::kMostModelBytes) arenaproof::Run({data, bytes});
  return 0;
}

// Asked for by the fuzzing engine; a build without one has no LLVMFuzzerMutate either.
#ifdef ARENAPROOF_FUZZ
#include "engine/generators/mutator/model_mutator.h"
#include "engine/harness/model_pipeline/sound_model.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes);

namespace arenaproof {
namespace {

// A model that is refused has no plan: validation may refuse one in ten, a kernel three.
std::size_t Mutated(std::vector<std::uint8_t>& model, std::size_t bytes, unsigned seed) {
  std::size_t made = 0;
  const ModelCondition condition = seed % 10 <= 3 ? IsSoundModel : IsPreparedModel;
  if (seed % 10 != 0) made = MutateSoundModel(model.data(), bytes, model.size(), seed, condition);
  return made != 0 ? made : MutateModel(model.data(), bytes, model.size(), seed, LLVMFuzzerMutate);
}

}  // namespace
}  // namespace arenaproof

// The model or the recipe, never both.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t bytes, std::size_t most_bytes,
                                               unsigned seed) {
  using namespace arenaproof;
  const PlannedModelInput parts = SplitPlannedModel({data, bytes});
  std::vector<std::uint8_t> model(parts.model.begin(), parts.model.end());
  std::vector<std::uint8_t> recipe(parts.recipe.begin(), parts.recipe.end());
  std::uint8_t choice = parts.choice;
  if (seed % 2 == 0) {
    recipe.resize(kRecipeMask);
    recipe.resize(LLVMFuzzerMutate(recipe.data(), parts.recipe.size(), recipe.size()));
    if (seed % 16 == 0) choice ^= static_cast<std::uint8_t>(seed >> 8 & 192);
  } else if (most_bytes > recipe.size() + 1) {
    model.resize(most_bytes - recipe.size() - 1);
    model.resize(Mutated(model, parts.model.size(), seed / 2));
  }
  if (model.size() + recipe.size() + 1 > most_bytes) return bytes;
  std::copy(model.begin(), model.end(), data);
  std::copy(recipe.begin(), recipe.end(), data + model.size());
  const std::size_t length = model.size() + recipe.size();
  data[length] = static_cast<std::uint8_t>((choice & ~kRecipeMask) | recipe.size());
  return length + 1;
}
#endif

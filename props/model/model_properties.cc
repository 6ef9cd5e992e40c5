// core/model against the oracles of engine/oracles/model, on models that have everything a file can have.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "core/model/validate.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/model/planning_oracle.h"
#include "engine/oracles/model/reference_lifetimes.h"
#include "engine/oracles/model/view_oracle.h"
#include "props/model/model_generators.h"
#include "props/support/draws.h"
#include "props/support/ends_within.h"

namespace arenaproof::testing {
namespace {

// A sound model of which up to `most_count` numbers were changed, one at least if `corrupted`.
ModelBuilder AnyModel(std::size_t most_count, bool corrupted) {
  ModelBuilder model = SoundModel();
  Choices choices(*Numbers(24));
  for (std::size_t count = corrupted ? 1 + choices.Below(most_count) : choices.Below(most_count + 1); count > 0;
       --count) {
    CorruptModel(model, choices);
  }
  return model;
}

// First: whoever misreads the file fails everywhere.
RC_GTEST_PROP(ModelView, SaysWhatTheFileSays, ()) { RequireNone(oracle::CheckView(Open(AnyModel(2, false))->view)); }

RC_GTEST_PROP(Validation, AcceptsEverySoundModel, ()) {
  const EndsWithin limit(10, "a walk through a model");
  const auto model = Open(SoundModel());
  ValidationReport report;
  const Status status = CheckedValidation(*model, &report);
  if (!status.ok()) RequireNone(std::string("a sound model is refused: ") + oracle::StatusName(status.code));
}

RC_GTEST_PROP(Validation, RefusesExactlyWhatBreaksARuleAndNamesIt, ()) {
  const EndsWithin limit(10, "a walk through a model");
  const auto model = Open(AnyModel(2, true));
  ValidationReport report;
  static_cast<void>(CheckedValidation(*model, &report));
}

// Tensors may be looked at in pieces of some thousand; what happens to one behind the first piece is checked as well.
RC_GTEST_PROP(Validation, KnowsWhoWritesATensorWhereverItLies, ()) {
  const EndsWithin limit(10, "a walk through a model");
  // Shrunk is the change alone: thousands of tensors make every step of shrinking long.
  Choices sound(*rc::gen::noShrink(Numbers(240)));
  ModelBuilder builder = MakeSoundModel(sound);
  Choices choices(*Numbers(16));
  const std::size_t subgraph = choices.Below(builder.subgraphs.size());
  CorruptProducers(builder.subgraphs[subgraph], choices);
  static constexpr std::array<std::size_t, 4> kCounts = {0, 2040, 4090, 2048};
  PutInFront(builder, subgraph, choices.Of(kCounts) + choices.Below(9));
  const auto model = Open(builder);
  ValidationReport report;
  static_cast<void>(CheckedValidation(*model, &report));
}

// Corrupted models too, as far as validation lets them through: what it accepts has to work.
RC_GTEST_PROP(Planning, KeepsEveryValueFromItsFirstWriteToItsLastRead, ()) {
  const auto model = Open(AnyModel(2, false));
  ValidationReport report;
  const Status status = ValidateModel(model->view, &report);
  if (!status.ok() && status.code != StatusCode::kModelUnsupported) return;
  RequireNone(oracle::CheckPlanning(model->view));
}

// More operators than the quadratic oracles look at, or than a narrow clock counts; each reads one of the last values,
// or one of any age. One case in ten: they take their time.
RC_GTEST_PROP(Planning, KeepsLifetimesOfLongChains, ()) {
  if (!OneIn(10)) return;
  const std::int32_t length = 500 + Below(1200);
  Choices choices(*Numbers(400));
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::uint32_t code = builder.AddCode(BuiltinOperator::kAdd);
  graph.inputs = {graph.AddTensor({.shape = {{1}}})};
  for (std::int32_t i = 0; i < length; ++i) {
    const auto count = static_cast<std::size_t>(i) + 1;
    const auto other =
        choices.OneIn(8) ? choices.Below(count) : count - 1 - choices.Below(std::min<std::size_t>(count, 3));
    const std::int32_t result = graph.AddTensor({.shape = {{static_cast<std::int32_t>(1 + choices.Below(5))}}});
    graph.AddOperator(
        {.code = code, .inputs = {i, static_cast<std::int32_t>(other)}, .outputs = {result}, .options = AddOptions{}});
  }
  graph.outputs = {length};
  RequireNone(oracle::CheckPlanning(Open(builder)->view));
}

RC_GTEST_PROP(Lifetimes, OfUnsoundModelsAreRefusedOrFound, ()) {
  const EndsWithin limit(10, "a walk through a model");
  const auto model = Open(AnyModel(1, true));
  ValidationReport report;
  if (ValidateModel(model->view, &report).code == StatusCode::kModelCallWork) return;  // takes as long as is allowed
  std::vector<Lifetime> tensors(model->view.total_tensor_count());
  const Status status = ComputeLifetimes(model->view, tensors, {}, {});
  for (const Lifetime& lifetime : tensors) {
    if (status.ok()) RC_ASSERT(lifetime.first <= lifetime.last);
  }
}

}  // namespace
}  // namespace arenaproof::testing

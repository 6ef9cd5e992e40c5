// Calls between subgraphs against the oracle: who calls whom how deep, and how many steps that takes, at the limits.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "core/model/call_tree.h"
#include "core/model/lifetimes.h"
#include "core/model/validate.h"
#include "engine/generators/models/call_ladder.h"
#include "engine/oracles/model/broken_rules.h"
#include "props/model/model_generators.h"
#include "props/support/draws.h"
#include "props/support/ends_within.h"

namespace arenaproof::testing {
namespace {

// Cases are not shrunk: thousands of operators make every step of it long. The tag says what they are.
ModelBuilder AnyLadder() {
  Choices choices(*rc::gen::noShrink(Numbers(400)));
  ModelBuilder ladder = MakeCallLadder(choices);
  RC_LOG() << CallsOf(ladder);
  return ladder;
}

RC_GTEST_PROP(Calls, AreAcceptedUpToTheLimitsAndRefusedBeyond, ()) {
  const EndsWithin limit(10, "a walk through a model");
  const auto model = Open(AnyLadder());
  ValidationReport report;
  static_cast<void>(CheckedValidation(*model, &report));
}

// Whoever walks the calls after validation has the same limits. It takes as long as is allowed: not in every case.
RC_GTEST_PROP(Calls, ThatAreAcceptedAreFollowedToTheirEnd, ()) {
  const EndsWithin limit(10, "a walk through a model");
  if (!OneIn(8)) return;
  const auto model = Open(AnyLadder());
  if (!CheckCallTree(model->view).ok()) return;
  std::vector<Lifetime> tensors(model->view.total_tensor_count());
  const Status status = ComputeLifetimes(model->view, tensors, {}, {});
  if (!status.ok()) {
    RequireNone(std::string("calls that validation accepts are refused later: ") + oracle::StatusName(status.code));
  }
}

}  // namespace
}  // namespace arenaproof::testing

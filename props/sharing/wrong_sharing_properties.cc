// A list of buffers that share bytes is taken when nothing is wrong with it, and the model then computes what it does
// when nothing shares; else it is refused for a reason that is true of the very buffer that is named.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>

#include "core/planner/host/arena_head_planner.h"
#include "engine/generators/sharing/changed_sharing.h"
#include "engine/harness/sharing/planned_run.h"
#include "engine/harness/sharing/sharing_run_checks.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/sharing/sharing_rules.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

void CountAnswer(StatusCode code) {
  const std::pair<StatusCode, const char*> kAnswers[] = {
      {StatusCode::kOk, "lists that are taken"},
      {StatusCode::kPlanAliasOperator, "lists that an operator does not allow"},
      {StatusCode::kPlanAliasLink, "lists with a link that is none"},
      {StatusCode::kPlanAliasKept, "lists with what is kept"},
      {StatusCode::kPlanAliasStillRead, "lists with what is still read"}};
  for (const auto& [answer, words] : kAnswers) {
    if (answer == code) CountReach(words, 1);
  }
}

constexpr int kChangesPerModel = 8;

RC_GTEST_PROP(ListsOfThoseThatShare, AreTakenOrRefusedForWhatIsWrong, ()) {
  const SharingCase subject = DrawSharingCase();
  const SharingRules rules(subject.builder);
  const PlannedRun apart = RunWithPlanner(*subject.model, "linear", false);
  Require(apart.status.ok(), "a sound model is set up and runs: " + SentenceOf(apart));
  for (int i = 0; i < kChangesPerModel; ++i) {
    RapidCheckSource random;
    ChangedSharing sharing(subject.builder, random);
    ArenaHeadPlanner planner;
    const PlannedRun run = RunPlanned(*subject.model, {.planner = &planner, .sharing = &sharing});
    RC_LOG() << "list:\n" << SharingListText(sharing.list()) << "answer: " << SentenceOf(run) << "\n";
    CountAnswer(run.status.code);
    const SharingRules::Reasons reasons = rules.WhatIsWrong(sharing.buffer_of_tensor(), sharing.list());
    for (const auto& [code, buffer] : reasons) {
      RC_LOG() << "wrong: " << oracle::StatusName(code) << " " << buffer << "\n";
    }
    const std::string wrong = WrongAnswer(rules, sharing, run, apart);
    Require(wrong.empty(), wrong);
  }
}

}  // namespace
}  // namespace arenaproof::testing

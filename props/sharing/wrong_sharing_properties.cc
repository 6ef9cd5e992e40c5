// A list of buffers that share bytes is taken when nothing is wrong with it, and the model then computes what it does
// when nothing shares; else it is refused for a reason that is true of the very buffer that is named.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "core/planner/host/arena_head_planner.h"
#include "props/sharing/changed_sharing.h"
#include "props/sharing/planned_run.h"
#include "props/sharing/sharing_draws.h"
#include "props/sharing/sharing_rules.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

std::string ListText(const std::vector<BufferAlias>& list) {
  std::string text;
  for (const BufferAlias& alias : list) {
    text += "  buffer " + std::to_string(alias.buffer) + " in " + std::to_string(alias.source) + " of owner " +
            std::to_string(alias.owner) + (alias.modifies ? ", modified" : "") + ", by operator " +
            std::to_string(alias.operator_index) + " of subgraph " + std::to_string(alias.subgraph) + ", input " +
            std::to_string(alias.input) + "\n";
  }
  return text;
}

// A buffer that comes alive twice has one lifetime from the first time to the last; what modifies data may be refused
// then (core/planner/alias_groups.h).
bool MayBeTakenForRead(const SharingRules& rules, const std::vector<BufferAlias>& list, const Status& status) {
  return status.code == StatusCode::kPlanAliasStillRead &&
         std::any_of(list.begin(), list.end(), [&](const BufferAlias& alias) {
           return alias.buffer == status.detail[0] && alias.modifies &&
                  rules.WaysTo(static_cast<std::size_t>(alias.subgraph)) > 1;
         });
}

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
    RC_LOG() << "list:\n" << ListText(sharing.list()) << "answer: " << SentenceOf(run) << "\n";
    CountAnswer(run.status.code);
    if (MayBeTakenForRead(rules, sharing.list(), run.status)) continue;
    const SharingRules::Reasons wrong = rules.WhatIsWrong(sharing.buffer_of_tensor(), sharing.list());
    for (const auto& [code, buffer] : wrong) RC_LOG() << "wrong: " << oracle::StatusName(code) << " " << buffer << "\n";
    if (wrong.empty()) {
      Require(run.status.ok(), "a list with which nothing is wrong is taken");
      Require(run.outputs == apart.outputs, "A11: a sharing that is taken changes no output");
      Require(WrongSharing(run).empty(), WrongSharing(run));
      continue;
    }
    Require(!run.status.ok(), "A11: a sharing that is wrong is not taken");
    const auto named = std::pair(run.status.code, static_cast<std::uint32_t>(run.status.detail[0]));
    Require(wrong.contains(named), "the reason for which a sharing is refused is true of the buffer that is named");
  }
}

}  // namespace
}  // namespace arenaproof::testing

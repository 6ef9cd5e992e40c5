// Which plan a model carries, whether it is for this model, and what it says of each tensor: core/model/offline_plan.h
// against the rules V3 to V16 as the oracle of the fuzz targets says them, for models with one plan and with several.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"
#include "engine/oracles/model/broken_rules.h"
#include "engine/oracles/offline_plan/plan_oracle.h"
#include "props/model/model_generators.h"
#include "props/offline_plan/plan_entries.h"

namespace arenaproof::testing {
namespace {

ModelBuilder PlannedModel() {
  ModelBuilder model = SoundModel(80);
  Choices choices(*Numbers(200));
  AddPlanEntries(model, choices);
  return model;
}

// Up to V16: what can be said without knowing the arena.
Status UpToSigns(const Status& status) {
  return status.code <= StatusCode::kOfflinePlanNegativeOffset ? status : Status{};
}

std::string Shown(const Status& status) {
  std::string text = oracle::StatusName(status.code);
  for (const std::uint64_t number : status.detail) text += " " + std::to_string(number);
  return text;
}

// The first of several plans that differs from the last, and in what it does.
std::string HowPlansDiffer(const ModelView& view) {
  std::vector<std::span<const std::byte>> plans;
  for (std::size_t i = 0; i < view.metadata_count(); ++i) {
    if (view.metadata(i).name == kOfflinePlanName) plans.push_back(view.metadata(i).data);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto [end, last_end] =
        std::mismatch(plans[i].begin(), plans[i].end(), plans.back().begin(), plans.back().end());
    const bool ended = end == plans[i].end(), last_ended = last_end == plans.back().end();
    if (ended && last_ended) continue;
    return ", of " + std::to_string(plans.size()) + " plans the last is another than number " + std::to_string(i + 1) +
           (ended || last_ended ? " by its length alone" : " by its bytes");
  }
  return {};
}

RC_GTEST_PROP(OfflinePlan, IsTheOneThatCountsAndReadsAsTheRulesSay, ()) {
  const auto model = Open(PlannedModel());
  const OracleModel facts = OracleModelOf(model->view);
  OracleQuestion question;
  question.model = &facts;
  question.room_bytes = 0;  // that is asked before pairs of tensors are looked at, and behind all that counts here
  const OracleAnswer answer = AskOracle(model->view, &question);

  OfflinePlanEntry entry;
  Status status = LocateOfflinePlan(model->view, &entry);
  std::vector<std::int32_t> offsets(model->view.total_tensor_count());
  if (status.ok() && entry.present) status = DecodeOfflinePlan(model->view, entry, offsets);
  const Status expected = UpToSigns(answer.status);
  RC_TAG(std::string(oracle::StatusName(expected.code)));
  if (status != expected) {
    RequireNone("an offline plan is answered with " + Shown(status) + ", by the rules it is " + Shown(expected) +
                HowPlansDiffer(model->view));
  }
  if (!status.ok()) return;
  if (entry.present != question.present) RequireNone("an offline plan is found where none is, or the reverse");
  if (!entry.present) return;
  if (entry.metadata_index != question.metadata_index || entry.first_metadata_index != question.first_metadata_index ||
      entry.entry_count != question.entry_count || entry.buffer != question.buffer ||
      entry.bytes.data() != question.plan.data() || entry.bytes.size() != question.plan.size()) {
    RequireNone("of several offline plans another one counts than the last");
  }
  std::size_t number = 0;
  for (std::size_t s = 0; s < model->view.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model->view.tensor_count(s); ++i, ++number) {
      std::int32_t offset = 0;
      if (!OfflineOffsetOf(model->view, s, i, &offset).ok() || offset != OracleEntry(question, number) ||
          offsets[number] != offset) {
        RequireNone("a tensor's offset in an offline plan is read elsewhere (O9)");
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing

// Models of any kind: where every buffer lies with --planner=arena is what the arena planner makes of each subgraph
// alone, whoever writes which tensor, whatever is never touched, and whatever scratch operators ask for. None of them
// runs, so kernels are stand-ins, which share nothing.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/generators/reach_report.h"
#include "engine/oracles/model/graph_head.h"
#include "props/model/model_generators.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_arena_planner.h"
#include "tools/model/planning_kernels.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostHeadBytes = std::size_t{16} << 20;  // the second statement has memory of its own
constexpr KernelSet kNoKernels = {"none", {}, nullptr};

std::vector<std::string> DrawScratch(const ModelView& model) {
  std::vector<std::string> words;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      while (OneIn(3)) {
        words.push_back(std::to_string(s) + ":" + std::to_string(i) + ":" + std::to_string(Below(300)));
      }
    }
  }
  return words;
}

RC_GTEST_PROP(AnyModel, LiesWhereItsGraphsArenaPlannersPutIt, ()) {
  ModelBuilder builder = SoundModel();
  Choices choices(*Numbers(16));
  const bool corrupt = OneIn(2);
  if (corrupt) CorruptProducers(builder.subgraphs[choices.Below(builder.subgraphs.size())], choices);
  const std::vector<std::byte> file = builder.Finish();
  ValidationReport report;
  const std::optional<ValidatedModel> model = ValidatedModel::Open(file, &report);
  Require(model || corrupt, "a sound model is valid");
  if (!model) return;
  PlanningKernels kernels;
  kernels.Complete(kNoKernels, *model);
  const std::string refused = kernels.TakeScratch(DrawScratch(*model));
  Require(refused.empty(), "every operator has a stand-in: " + refused);
  const MemoryNeed greedy = MeasureMemory(*model, kernels.set(), {});
  CountReach(greedy.status.ok() ? "any models that are set up" : "any models that no stand-ins set up", 1);
  if (!greedy.status.ok() || greedy.head_bytes > kMostHeadBytes) return;
  const bool shares = OneIn(2);
  ModelArenaPlanner planner(shares);
  MemoryQuestion question;
  question.set_up.planner = &planner;
  question.set_up.sharing = &planner;
  question.set_up.offline_plan.ignore = true;
  const MemoryNeed need = MeasureMemory(*model, kernels.set(), question);
  Require(need.status.ok(), "what greedy plans the arena planner plans too: " + Sentence(need.status));
  const GraphHead expected = HeadOfGraphs(*model, need.plan, kernels.set(), shares);
  CountReach("arenas in the head of any model", expected.arenas);
  CountReach("scratch buffers of any model", expected.scratch_buffers);
  for (std::size_t i = 0; i < need.plan.size(); ++i) {
    RC_LOG() << "buffer " << i << " at " << need.plan[i].offset << ", its graph's planner: " << expected.offsets[i]
             << "\n";
    Require(need.plan[i].offset == expected.offsets[i],
            "a head is what the arena planner makes of each subgraph alone");
  }
  Require(need.head_bytes == expected.bytes, "a head ends where its highest buffer does");
}

}  // namespace
}  // namespace arenaproof::testing

// Plans in which tensors lie in the bytes of others: those of the arena planner are the runtime's, and the certificate
// says of any sharing what the runtime says of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "engine/generators/seeded_source.h"
#include "kernels/kernel_sets.h"
#include "tests/support/runnable_models.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_arena_planner.h"
#include "tools/model/model_file.h"
#include "tools/model/planning_kernels.h"
#include "tools/model_builder/model_builder.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_groups.h"
#include "tools/plans/planned_model.h"

namespace arenaproof {
namespace {

// A model, asked by the arena planner who may share as if it had no plan of its own.
struct AskedModel {
  explicit AskedModel(const std::filesystem::path& path) {
    EXPECT_EQ(file.Load(path, nullptr), "");
    kernels.Complete(*FindKernelSet("reference"), file.view());
    problem = Ask(true);
  }

  LabelledProblem Ask(bool shares) {
    ModelArenaPlanner arena(shares);
    SharingQuestion sharing(&arena);
    const PlannedModel planned = SetUpForPlanning(file.model(), kernels, OwnPlan::kIgnored, &sharing);
    EXPECT_EQ(planned.problem, "");
    LabelledProblem asked = ProblemOfModel(file.view(), planned.plan, OwnPlan::kIgnored, sharing.chosen());
    asked.rules = sharing.rules();
    asked.arena_offsets = arena.offsets();
    return asked;
  }

  MemoryNeed SetUp(MemoryPlanner& planner, BufferSharingSource& sharing) {
    MemoryQuestion question;
    question.set_up.planner = &planner;
    question.set_up.sharing = &sharing;
    question.set_up.offline_plan.ignore = true;
    return MeasureMemory(file.model(), kernels.set(), question);
  }

  ModelFile file;
  PlanningKernels kernels;
  LabelledProblem problem;
};

TEST(SharedPlan, TheArenaPlannersIsThatOfASetUp) {
  std::size_t in_place = 0;
  for (const auto& path : testing::RunnableModelFiles()) {
    SCOPED_TRACE(path);
    AskedModel model(path);
    for (const bool shares : {false, true}) {
      const LabelledProblem problem = model.Ask(shares);
      const MadePlan plan = MakePlan("arena", problem);
      ModelArenaPlanner planner(shares);
      const MemoryNeed need = model.SetUp(planner, planner);
      ASSERT_TRUE(need.status.ok());
      EXPECT_EQ(plan.peak_bytes, static_cast<std::int64_t>(need.head_bytes));
      EXPECT_EQ(problem.sharing.size(), need.sharing.size());
      ASSERT_EQ(plan.offsets.size(), need.plan.size());
      std::vector<std::int64_t> offsets;
      for (std::size_t i = 0; i < plan.offsets.size(); ++i) {
        EXPECT_EQ(*plan.offsets[i], static_cast<std::int64_t>(need.plan[i].offset));
        offsets.push_back(*plan.offsets[i]);
      }
      EXPECT_LE(plan.lower_bound_bytes, plan.peak_bytes);
      // The same from its offsets, and from its groups.
      const auto shares_with = [](const std::vector<BufferAlias>& aliases) {
        std::vector<std::array<std::uint32_t, 2>> pairs;
        for (const BufferAlias& alias : aliases) pairs.push_back({alias.buffer, alias.owner});
        std::sort(pairs.begin(), pairs.end());
        return pairs;
      };
      EXPECT_EQ(shares_with(SharingOfGroups(problem, OwnersOf(problem))), shares_with(problem.sharing));
      if (shares) EXPECT_EQ(shares_with(SharingOfOffsets(problem, offsets)), shares_with(problem.sharing));
      EXPECT_TRUE(MakeGivenPlan(offsets, problem).certificate.ok());
      in_place += problem.sharing.size();
    }
  }
  EXPECT_GE(in_place, 7u);
}

// Proposes what it is told, whatever that is.
class Proposal final : public BufferSharingSource {
 public:
  explicit Proposal(std::vector<BufferAlias> aliases) : aliases_(std::move(aliases)) {}
  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override {
    buffer_of_tensor_.assign(count, kNoBuffer);
    return buffer_of_tensor_;
  }
  Status Find(const ModelView&, const ModelAllocation&, std::span<const PlacedBuffer>, std::span<const std::uint32_t>,
              std::span<BufferAlias>* aliases) override {
    proposed_ = aliases_;
    *aliases = proposed_;
    return Ok();
  }

 private:
  const std::vector<BufferAlias> aliases_;
  std::vector<BufferAlias> proposed_;
  std::vector<std::uint32_t> buffer_of_tensor_;
};

// The runtime's word for it; nothing when it is none of sharing.
std::optional<PlanFault> FaultOf(const Status& status) {
  switch (status.code) {
    case StatusCode::kOk:
      return PlanFault::kNone;
    case StatusCode::kPlanAliasOperator:
      return PlanFault::kSharingOperator;
    case StatusCode::kPlanAliasLink:
      return PlanFault::kSharingLink;
    case StatusCode::kPlanAliasKept:
      return PlanFault::kSharingKept;
    case StatusCode::kPlanAliasStillRead:
      return PlanFault::kSharingStillRead;
    default:
      return std::nullopt;
  }
}

// Some of what operators allow, and now and then what none allows, or a group with another owner.
std::vector<BufferAlias> AnySharing(const LabelledProblem& problem, SeededSource& random) {
  std::vector<BufferAlias> aliases;
  const std::vector<BufferAlias>& from = random.OneIn(2) ? problem.sharing : problem.rules.allowed;
  for (const BufferAlias& alias : from) {
    const bool again = !aliases.empty() && aliases.back().buffer == alias.buffer;
    const bool kept = problem.rules.buffers[alias.source].kept != 0 || problem.rules.buffers[alias.buffer].kept != 0;
    if (!again && !random.OneIn(4) && (!kept || random.OneIn(8))) aliases.push_back(alias);
  }
  FindOwners(problem.buffers.size(), aliases);
  if (aliases.empty() || !random.OneIn(3)) return aliases;
  BufferAlias& changed = aliases[random.Below(aliases.size())];
  const auto any = static_cast<std::uint32_t>(random.Below(problem.buffers.size()));
  (random.OneIn(2) ? changed.owner : changed.source) = any;
  return aliases;
}

// Operators that may work in place, that may leave data as they are, and that read two tensors, over any of the tensors
// before; all of 16 bytes.
std::vector<std::byte> AnyGraph(SeededSource& random) {
  ModelBuilder builder;
  const std::uint32_t shape = builder.AddBufferOf(std::vector<std::int32_t>{1, 4});
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto vector = [&] { return graph.AddTensor({.shape = {{1, 4}}}); };
  std::vector<std::int32_t> tensors = {vector()};
  graph.inputs = tensors;
  const std::int32_t constant = graph.AddTensor({.type = TensorType::kInt32, .shape = {{2}}, .buffer = shape});
  for (std::size_t left = 2 + random.Below(8); left > 0; --left) {
    // Mostly one of the last, so that chains are long.
    const auto any = [&] {
      return tensors[tensors.size() - 1 - random.Below(std::min<std::size_t>(3, tensors.size()))];
    };
    const std::int32_t input = any(), other = any(), output = vector();
    OperatorSpec op{.outputs = {output}};
    if (random.OneIn(3)) {
      op.code = builder.AddCode(BuiltinOperator::kReshape);
      op.inputs = {input, constant};
    } else if (random.OneIn(2)) {
      op.code = builder.AddCode(BuiltinOperator::kRelu);
      op.inputs = {input};
    } else {
      op.code = builder.AddCode(BuiltinOperator::kAdd);
      op.inputs = {input, other};
      op.options = AddOptions{};
    }
    graph.AddOperator(std::move(op));
    tensors.push_back(output);
  }
  graph.outputs = {tensors.back()};
  return builder.Finish();
}

TEST(SharedPlan, TheCertificateSaysOfAnySharingWhatTheRuntimeSays) {
  SeededSource random(7);
  std::array<std::size_t, 16> seen{};
  std::size_t sizes = 0;
  const auto compare = [&](const std::filesystem::path& path) {
    SCOPED_TRACE(path);
    AskedModel model(path);
    const std::vector<BufferAlias> chosen = model.problem.sharing;
    for (int round = 0; round < 4; ++round) {
      model.problem.sharing = chosen;
      const std::vector<BufferAlias> aliases = AnySharing(model.problem, random);
      sizes += aliases.size();
      Proposal proposal(aliases);
      GreedyPlanner planner;
      const MemoryNeed need = model.SetUp(planner, proposal);
      const std::optional<PlanFault> runtime = FaultOf(need.status);
      ASSERT_TRUE(runtime) << static_cast<int>(need.status.code);
      model.problem.sharing = aliases;
      // Where a group lies is not what is asked: at a place of its own.
      std::vector<std::optional<std::int64_t>> offsets;
      std::int64_t end = 0;
      for (const PlanBuffer& buffer : model.problem.buffers) {
        offsets.emplace_back(end);
        end += buffer.bytes;
      }
      for (const BufferAlias& alias : aliases) offsets[alias.buffer] = offsets[alias.owner];
      const PlanCertificate certificate = CertifyPlan(model.problem, offsets);
      EXPECT_EQ(PlanFaultName(certificate.fault), std::string(PlanFaultName(*runtime)))
          << CertificateSentence(model.problem, offsets, certificate);
      ++seen[static_cast<std::size_t>(certificate.fault)];
    }
  };
  for (const auto& path : testing::RunnableModelFiles()) compare(path);
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "arenaproof-shared-plan-XXXXXX";
  std::string name = folder;
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  for (int graph = 0; graph < 200; ++graph) {
    const std::vector<std::byte> file = AnyGraph(random);
    const std::string path = name + "/graph.tflite";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    compare(path);
  }
  std::filesystem::remove_all(name);
  EXPECT_GT(sizes, 1000u);
  for (const PlanFault fault : {PlanFault::kNone, PlanFault::kSharingOperator, PlanFault::kSharingLink,
                                PlanFault::kSharingKept, PlanFault::kSharingStillRead}) {
    EXPECT_GT(seen[static_cast<std::size_t>(fault)], 10u) << PlanFaultName(fault);
  }
}

TEST(SharedPlan, OneOfAGroupThatLiesElsewhereIsApart) {
  for (const auto& path : testing::RunnableModelFiles()) {
    AskedModel model(path);
    if (model.problem.sharing.empty()) continue;
    MadePlan plan = MakePlan("arena", model.problem);
    const BufferAlias& alias = model.problem.sharing.front();
    *plan.offsets[alias.buffer] += plan.peak_bytes;
    const PlanCertificate certificate = CertifyPlan(model.problem, plan.offsets);
    EXPECT_EQ(certificate.fault, PlanFault::kSharingApart);
    EXPECT_EQ(certificate.first, alias.buffer);
    EXPECT_EQ(certificate.second, alias.source);
    return;
  }
  FAIL() << "no model shares";
}

}  // namespace
}  // namespace arenaproof

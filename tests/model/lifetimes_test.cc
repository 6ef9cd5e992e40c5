#include "core/model/lifetimes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "core/model/tensor_bytes.h"
#include "tests/model/models_support.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"

namespace arenaproof {

void PrintTo(const Lifetime& lifetime, std::ostream* stream) {
  *stream << "[" << lifetime.first << "," << lifetime.last << "]";
}

namespace testing {
namespace {

using Lifetimes = std::vector<Lifetime>;

struct Walked {
  Status status;
  Lifetimes tensors;
  Lifetimes scratch;
  std::int32_t last_time = -1;
};

Walked Walk(const ModelBuilder& builder, const std::vector<ScratchPlace>& places = {}) {
  const auto file = builder.Finish();
  ModelView view;
  Walked walked;
  walked.status = ModelView::Open(file, &view);
  if (!walked.status.ok()) return walked;
  walked.tensors.resize(view.total_tensor_count());
  walked.scratch.resize(places.size());
  walked.status = ComputeLifetimes(view, walked.tensors, places, walked.scratch, &walked.last_time);
  return walked;
}

TEST(Lifetimes, RunFromTheProducerToTheLastReader) {
  const Walked walked = Walk(SmallModel().builder);
  ASSERT_TRUE(walked.status.ok());
  EXPECT_EQ(walked.tensors, (Lifetimes{{0, 1}, {-1, 1}, {-1, 1}, {1, 2}, {2, 2}}));
  EXPECT_EQ(walked.last_time, 2);
}

TEST(Lifetimes, LeaveUnusedTensorsWithoutTime) {
  SmallModel m;
  m.graph().AddTensor({.shape = {{1}}});
  EXPECT_EQ(Walk(m.builder).tensors.back(), (Lifetime{-1, -1}));
}

TEST(Lifetimes, CoverOutputsThatNobodyReads) {
  SmallModel m;
  m.graph().AddTensor({.shape = {{1}}});
  m.fully_connected().outputs.push_back(5);
  EXPECT_EQ(Walk(m.builder).tensors.back(), (Lifetime{1, 1}));
}

TEST(Lifetimes, KeepGraphOutputsToTheEnd) {
  SmallModel m;
  m.graph().outputs = {SmallModel::kHidden, SmallModel::kY};
  m.graph().AddTensor({.shape = {{1}}});
  m.graph().AddOperator({.code = 1, .inputs = {SmallModel::kX}, .outputs = {5}});
  const Walked walked = Walk(m.builder);
  EXPECT_EQ(walked.tensors[SmallModel::kHidden], (Lifetime{1, 3}));
  EXPECT_EQ(walked.tensors[SmallModel::kX], (Lifetime{0, 3}));
}

TEST(Lifetimes, ExtendOperandsOfIfThroughBothBranches) {
  const Walked walked = Walk(BuildIfModel());
  ASSERT_TRUE(walked.status.ok());
  EXPECT_EQ(walked.tensors, (Lifetimes{{0, 5},
                                       {0, 5},
                                       {0, 5},
                                       {1, 5},  // main
                                       {2, 3},
                                       {2, 3},
                                       {3, 3},  // then
                                       {4, 5},
                                       {4, 5},
                                       {5, 5}}));  // else
  EXPECT_EQ(walked.last_time, 5);
}

TEST(Lifetimes, ReadTheOldCodeFieldToo) {
  ModelBuilder m = BuildIfModel();
  m.codes[0].builtin_code = 0;
  EXPECT_EQ(Walk(m).tensors, Walk(BuildIfModel()).tensors);
}

TEST(Lifetimes, ExtendASubgraphThatIsCalledTwiceToTheLastCall) {
  ModelBuilder m = BuildIfModel();
  m.subgraphs[0].operators[0].options = IfOptions{1, 1};
  const Walked walked = Walk(m);
  EXPECT_EQ(walked.tensors[4], (Lifetime{2, 5}));
  EXPECT_EQ(walked.tensors[6], (Lifetime{3, 5}));
  EXPECT_EQ(walked.tensors[7], (Lifetime{-1, -1})) << "never called";
}

TEST(Lifetimes, DoNotAdvanceForASubgraphNumberedMinusOne) {
  ModelBuilder m = BuildIfModel();
  m.subgraphs[0].operators[0].options = IfOptions{1, -1};
  const Walked walked = Walk(m);
  ASSERT_TRUE(walked.status.ok());
  EXPECT_EQ(walked.last_time, 3);
  EXPECT_EQ(walked.tensors[3], (Lifetime{1, 3}));
}

TEST(Lifetimes, WalkTheSubgraphOfCallOnce) {
  ModelBuilder m = BuildIfModel();
  SubgraphSpec& main = m.subgraphs[0];
  main.operators[0] = {.code = m.AddCode(BuiltinOperator::kCallOnce), .options = CallOnceOptions{2}};
  const Walked walked = Walk(m);
  EXPECT_EQ(walked.tensors[7], (Lifetime{2, 3}));
  EXPECT_EQ(walked.tensors[9], (Lifetime{3, 3}));
}

TEST(Lifetimes, GiveScratchTheTimeOfItsOperatorAndWhatItCalls) {
  const std::vector<ScratchPlace> places = {{0, 0}, {0, 0}, {1, 0}, {2, 0}};
  const Walked walked = Walk(BuildIfModel(), places);
  ASSERT_TRUE(walked.status.ok());
  EXPECT_EQ(walked.scratch, (Lifetimes{{1, 5}, {1, 5}, {3, 3}, {5, 5}}));
}

TEST(Lifetimes, LeaveScratchOfAnOperatorNeverReachedWithoutTime) {
  ModelBuilder m = BuildIfModel();
  m.subgraphs[0].operators[0].options = IfOptions{1, 1};
  EXPECT_EQ(Walk(m, {{1, 0}, {2, 0}}).scratch, (Lifetimes{{3, 5}, {-1, -1}}));
}

TEST(Lifetimes, RefuseScratchOutOfOrderAndSpansOfTheWrongLength) {
  EXPECT_EQ(Walk(SmallModel().builder, {{0, 1}, {0, 0}}).status, Failure(StatusCode::kLifetimeScratchOrder, 1));
  const auto file = SmallModel().builder.Finish();
  ModelView view;
  ASSERT_TRUE(ModelView::Open(file, &view).ok());
  Lifetimes four(4);
  EXPECT_EQ(ComputeLifetimes(view, four, {}, {}), Failure(StatusCode::kLifetimeSpan, 4, 5));
}

TEST(Lifetimes, RefuseIndicesOutOfRangeAndCycles) {
  SmallModel m;
  m.relu().outputs = {-1};
  EXPECT_EQ(Walk(m.builder).status.code, StatusCode::kModelOperatorOutput);
  m.relu().outputs = {4};
  m.relu().inputs = {99};
  EXPECT_EQ(Walk(m.builder).status.code, StatusCode::kModelOperatorInput);
  m.relu().inputs = {-1};
  EXPECT_TRUE(Walk(m.builder).status.ok());
  ModelBuilder cycle = BuildIfModel();
  cycle.subgraphs[0].operators[0].options = IfOptions{1, 0};
  EXPECT_EQ(Walk(cycle).status, Failure(StatusCode::kModelCallCycle, 0, 0, 0));
}

// ---- the reference's plans of real models: who is planned, in which order, with which times

struct Planned {
  std::size_t bytes;
  Lifetime lifetime;
  friend bool operator==(const Planned&, const Planned&) = default;
};

void PrintTo(const Planned& planned, std::ostream* stream) {
  *stream << planned.bytes << "@";
  arenaproof::PrintTo(planned.lifetime, stream);
}

std::vector<Planned> TensorsToPlan(const ModelView& view) {
  Lifetimes lifetimes(view.total_tensor_count());
  EXPECT_TRUE(ComputeLifetimes(view, lifetimes, {}, {}).ok());
  std::vector<Planned> planned;
  for (std::size_t subgraph = 0, number = 0; subgraph < view.subgraph_count(); ++subgraph) {
    for (std::size_t i = 0; i < view.tensor_count(subgraph); ++i, ++number) {
      const TensorView tensor = view.tensor(subgraph, i);
      std::size_t bytes = 0;
      EXPECT_TRUE(TensorArenaBytes(tensor, &bytes).ok());
      if (!tensor.data.empty() || tensor.is_variable || bytes == 0) continue;
      planned.push_back({(bytes + 15) / 16 * 16, lifetimes[number]});
    }
  }
  return planned;
}

TEST(Lifetimes, EqualTheReferencesPlansOfAllSharedModels) {
  const auto golden = SharedFile("golden/models");
  const auto models = SharedFile("models");
  if (!golden || !models) GTEST_SKIP() << SharedAbsent("golden/models");
  std::size_t compared = 0;
  for (const auto& path : ModelFilesIn(*models)) {
    std::ifstream text(*golden / (path.stem().string() + ".json"));
    ASSERT_TRUE(text) << path;
    const auto expected = nlohmann::json::parse(text);
    const auto bytes = ReadFileBytes(path);
    ModelView view;
    ASSERT_TRUE(ModelView::Open(bytes, &view).ok());
    const std::vector<Planned> planned = TensorsToPlan(view);
    // Behind the tensors the list has the kernels' scratch buffers, which no model file lists.
    const auto& list = expected.at("memory_plan").at("buffers");
    ASSERT_LE(planned.size(), list.size()) << path;
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const Planned reference{list[i][0].get<std::size_t>(), {list[i][1].get<int>(), list[i][2].get<int>()}};
      EXPECT_EQ(planned[i], reference) << path << " buffer " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace testing
}  // namespace arenaproof

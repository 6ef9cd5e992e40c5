#include "engine/harness/model_pipeline/model_pipeline.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "engine/generators/model_seeds/model_seeds.h"
#include "engine/harness/model_pipeline/sound_model.h"
#include "engine/harness/model_pipeline/watched_run.h"
#include "engine/harness/model_pipeline/work_estimate.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using Shape = std::vector<std::int32_t>;

ModelStage RunPipeline(const std::vector<std::byte>& file) {
  return RunModelPipeline({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
}

// RELU from a tensor of this shape to one of the other.
std::vector<std::byte> Relu(const Shape& input, const Shape& output) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor({.shape = input});
  graph.AddTensor({.shape = output});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {1}});
  graph.inputs = {0};
  graph.outputs = {1};
  return builder.Finish();
}

// A window as large as the image at each of its places: 16 million additions in 32 KB.
std::vector<std::byte> LargePool() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 2; ++i) graph.AddTensor({.shape = Shape{1, 64, 64, 1}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAveragePool2d),
                     .inputs = {0},
                     .outputs = {1},
                     .options = Pool2DOptions{.stride_w = 1, .stride_h = 1, .filter_width = 64, .filter_height = 64}});
  graph.inputs = {0};
  graph.outputs = {1};
  return builder.Finish();
}

TEST(ModelPipeline, TakesEverySeedAllTheWay) {
  for (const ModelSeed& seed : AllModelSeeds()) {
    EXPECT_LE(seed.bytes.size(), kMostSeedBytes) << seed.name;
    EXPECT_EQ(RunPipeline(seed.bytes) == ModelStage::kInvoked, seed.runs)
        << seed.name << ": " << ModelStageName(RunPipeline(seed.bytes));
  }
}

TEST(ModelPipeline, SaysWhereAnInputEnded) {
  std::vector<std::byte> file = Relu({4}, {4});
  EXPECT_EQ(RunPipeline(file), ModelStage::kInvoked);
  file.resize(file.size() / 2);
  EXPECT_EQ(RunPipeline(file), ModelStage::kRefusedByVerifier);
  EXPECT_EQ(RunPipeline({}), ModelStage::kRefusedByVerifier);
  EXPECT_EQ(RunPipeline(std::vector<std::byte>(kMostModelBytes + 1)), ModelStage::kRefusedByVerifier);
  EXPECT_EQ(RunPipeline(Relu({-4}, {-4})), ModelStage::kRefusedByValidation);
  EXPECT_EQ(RunPipeline(Relu({4}, {5})), ModelStage::kPlanned);              // prepare refuses
  EXPECT_EQ(RunPipeline(Relu({1 << 20}, {1 << 20})), ModelStage::kPlanned);  // more than the arena
  EXPECT_EQ(RunPipeline(LargePool()), ModelStage::kPrepared);                // more than the budget
}

// A kernel that refuses in invoke, one that writes a constant, one that reads behind its input.
Status RefuseToInvoke(const InvokeContext&) { return Failure(StatusCode::kKernelUnsupported); }

Status ReadBehindTheInput(const InvokeContext& context) {
  const Operand& input = context.inputs[0];
  std::memcpy(context.outputs[0].data, input.data + input.bytes, 1);
  return Ok();
}

Status WriteTheConstant(const InvokeContext& context) {
  context.inputs[1].data[0] ^= std::byte{1};
  return Ok();
}

Status LeaveAByteOfTheOutput(const InvokeContext& context) {
  const Operand& output = context.outputs[0];
  std::memset(output.data, 0, output.bytes - 1);
  return Ok();
}

Status LeakATemporary(PrepareContext& context) {
  std::byte* block = nullptr;
  return context.services->AllocateTemporary(16, 16, &block);
}

std::size_t invoke_count = 0;

Status CountAndClear(const InvokeContext& context) {
  ++invoke_count;
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes);
  return Ok();
}

// A float ADD of an input and a constant of these values, served by the kernel.
void RunAdd(Status (*invoke)(const InvokeContext&), Status (*prepare)(PrepareContext&) = nullptr, float value = 0,
            OracleChoice choice = OracleChoice::kAll) {
  const Kernel kernel{.op = BuiltinOperator::kAdd, .name = "wrong", .prepare = prepare, .invoke = invoke};
  const KernelSet kernels{.name = "wrong", .kernels = {&kernel, 1}};
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor({.shape = Shape{4}});
  graph.AddTensor({.shape = Shape{4}, .buffer = builder.AddBufferOf(std::vector<float>(4, value))});
  graph.AddTensor({.shape = Shape{4}});
  graph.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kAdd), .inputs = {0, 1}, .outputs = {2}, .options = AddOptions{}});
  graph.inputs = {0};
  graph.outputs = {2};
  const std::vector<std::byte> file = builder.Finish();
  RunModelPipeline({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, kernels, choice);
}

TEST(ModelPipelineDeathTest, EndsTheProcessForWhatMustNotHappen) {
  EXPECT_DEATH(RunAdd(RefuseToInvoke), "invoke after a prepare that accepted everything");
  EXPECT_DEATH(RunAdd(RefuseToInvoke, LeakATemporary), "AllocateTensors");
  EXPECT_DEATH(RunAdd(LeaveAByteOfTheOutput), "outputs differ .* other garbage");
  // In builds with the exact shadow the instrument is faster than the comparison of the file.
  EXPECT_DEATH(RunAdd(WriteTheConstant), "a byte changed|not its operator's own");
  const std::string_view preset = ARENAPROOF_PRESET_NAME;
  if (preset != "asan" && preset != "fuzz" && preset != "shadow") GTEST_SKIP() << "a build without an instrument";
  EXPECT_DEATH(RunAdd(ReadBehindTheInput), "");
}

// Who meets none runs once.
TEST(ModelPipeline, LetsFewInputsMeetDearOracles) {
  constexpr std::size_t kInputs = 640;
  std::size_t dear = 0;
  for (std::size_t i = 0; i < kInputs; ++i) {
    invoke_count = 0;
    RunAdd(CountAndClear, nullptr, static_cast<float>(i), OracleChoice::kDearForFew);
    ASSERT_GE(invoke_count, 1u);
    dear += invoke_count > 1 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(dear), static_cast<double>(kInputs / kDearForOneIn), 20);
}

TEST(ModelPipeline, SaysBeforehandHowFarAModelComes) {
  const auto bytes = [](const std::vector<std::byte>& file) {
    return std::span(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  };
  const std::vector<std::byte> unsound = Relu({-4}, {-4}), refused = Relu({4}, {5}), fine = Relu({4}, {4});
  EXPECT_FALSE(IsSoundModel(bytes(unsound)));
  EXPECT_TRUE(IsSoundModel(bytes(refused)));
  EXPECT_FALSE(IsPreparedModel(bytes(refused)));
  EXPECT_TRUE(IsPreparedModel(bytes(fine)));
}

TEST(ModelPipeline, TakesBytesAtAnyAddress) {
  const std::vector<std::byte> file = Relu({4}, {4});
  for (std::size_t offset = 0; offset < 16; ++offset) {
    std::vector<std::uint8_t> room(file.size() + offset);
    std::memcpy(room.data() + offset, file.data(), file.size());
    EXPECT_EQ(RunModelPipeline({room.data() + offset, file.size()}), ModelStage::kInvoked);
  }
}

TEST(ModelPipeline, HasTheCommittedSeeds) {
  for (const char* const target : {"fuzz_model_bytes", "fuzz_model_object"}) {
    for (const ModelSeed& seed : AllModelSeeds()) {
      const std::filesystem::path path =
          std::filesystem::path(ARENAPROOF_SOURCE_FOLDER) / "corpus" / target / ("seed_" + seed.name + ".tflite");
      std::ifstream stream(path, std::ios::binary);
      const std::vector<char> found{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
      ASSERT_EQ(found.size(), seed.bytes.size()) << path << " is not what arenaproof-generate-fuzz-seeds makes";
      EXPECT_EQ(std::memcmp(found.data(), seed.bytes.data(), found.size()), 0)
          << path << " is not what arenaproof-generate-fuzz-seeds makes";
    }
  }
}

std::uint64_t Work(const std::vector<std::byte>& file) {
  ModelView model;
  EXPECT_TRUE(ModelView::Open(file, &model).ok());
  return EstimateInvokeWork(model);
}

TEST(WorkEstimate, CountsElementsAndNeverWraps) {
  EXPECT_EQ(Work(Relu({4}, {4})), 8u * 8);
  EXPECT_EQ(Work(Relu({4, 0, 5}, {4, 0, 5})), 8u * 40);
  const Shape huge(4, 2147483647);
  EXPECT_EQ(Work(Relu(huge, huge)), UINT64_MAX);
}

TEST(WorkEstimate, CountsMultiplyAccumulates) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor({.shape = Shape{1, 8, 8, 3}});
  graph.AddTensor({.shape = Shape{5, 2, 2, 3}});
  graph.AddTensor({.shape = Shape{1, 8, 8, 5}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kConv2d),
                     .inputs = {0, 1, -1},
                     .outputs = {2},
                     .options = Conv2DOptions{}});
  graph.outputs = {2};
  const std::uint64_t elements = 8 * 8 * 3 + 5 * 2 * 2 * 3 + 1 + 8 * 8 * 5;
  EXPECT_EQ(Work(builder.Finish()), elements * 8 + 8 * 8 * 5 * 2 * 2 * 3);
}

// An operator whose inputs and output have these shapes.
std::uint64_t WorkOf(BuiltinOperator code, OperatorOptions options, const std::vector<Shape>& inputs,
                     const Shape& output) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  std::vector<std::int32_t> list;
  for (const Shape& shape : inputs) list.push_back(graph.AddTensor({.shape = shape}));
  const std::int32_t made = graph.AddTensor({.shape = output});
  graph.AddOperator({.code = builder.AddCode(code), .inputs = list, .outputs = {made}, .options = options});
  graph.outputs = {made};
  return Work(builder.Finish());
}

TEST(WorkEstimate, CountsTheProductsOfEachInputOfATransposedConvolution) {
  const std::uint64_t elements = 4 + 5 * 2 * 3 * 3 + 2 * 4 * 4 * 3 + 2 * 8 * 8 * 5;
  EXPECT_EQ(
      WorkOf(BuiltinOperator::kTransposeConv, TransposeConvOptions{}, {{4}, {5, 2, 3, 3}, {2, 4, 4, 3}}, {2, 8, 8, 5}),
      elements * 8 + 2 * 4 * 4 * 3 * 5 * 2 * 3);
}

TEST(WorkEstimate, CountsTheDepthOfMatrices) {
  const std::uint64_t elements = 2 * 3 * 7 + 7 * 5 + 2 * 3 * 5;
  EXPECT_EQ(WorkOf(BuiltinOperator::kBatchMatmul, BatchMatMulOptions{}, {{2, 3, 7}, {7, 5}}, {2, 3, 5}),
            elements * 8 + 2 * 3 * 5 * 7);
  EXPECT_EQ(WorkOf(BuiltinOperator::kBatchMatmul, BatchMatMulOptions{.adj_x = true}, {{2, 7, 3}, {7, 5}}, {2, 3, 5}),
            elements * 8 + 2 * 3 * 5 * 7);
}

}  // namespace
}  // namespace arenaproof

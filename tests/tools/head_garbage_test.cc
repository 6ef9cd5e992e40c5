// Garbage in the head before an invoke: every byte of it but those of variables, in whichever subgraph, and no other.
#include "tools/worker/head_garbage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

const Kernel kIdle{.op = BuiltinOperator::kAbs, .name = "idle", .invoke = [](const InvokeContext&) { return Ok(); }};
const KernelSet kIdleSet{"idle", {&kIdle, 1}, nullptr};

// Two subgraphs of an input, a variable and an output, of 16 bytes each; the variables are placed in the head.
std::vector<std::byte> ModelWithPlacedVariables() {
  ModelBuilder builder;
  for (int i = 0; i < 2; ++i) {
    SubgraphSpec& graph = builder.AddSubgraph();
    for (const bool variable : {false, true, false}) {
      graph.AddTensor({.type = TensorType::kInt8, .shape = {{16}}, .is_variable = variable});
    }
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAbs), .inputs = {0, 1}, .outputs = {2}});
    graph.inputs = {0};
    graph.outputs = {2};
  }
  const std::vector<std::int32_t> offsets = {-1, 64, -1, -1, 160, -1};
  std::vector<std::byte> plan(OfflinePlanBytes(offsets.size()));
  EncodeOfflinePlan({1, 0}, offsets, plan);
  builder.AddMetadata(std::string(kOfflinePlanName), plan);
  return builder.Finish();
}

TEST(HeadGarbage, IsEverywhereInTheHeadButInVariables) {
  const std::vector<std::byte> file = ModelWithPlacedVariables();
  const ValidatedModel model = Validated(file);
  alignas(64) static std::array<std::byte, 8192> arena;
  Interpreter interpreter(model, kIdleSet, arena.data(), arena.size());
  ASSERT_EQ(interpreter.AllocateTensors(), Ok());
  for (const std::int32_t subgraph : {0, 1}) {
    std::span<std::byte> bytes;
    ASSERT_EQ(interpreter.TensorBytes(1, &bytes, subgraph), Ok());
    ASSERT_EQ(bytes.data(), arena.data() + (subgraph == 0 ? 64 : 160));
    std::ranges::fill(bytes, static_cast<std::byte>(subgraph + 1));
  }
  const std::array<std::byte, 8192> before = arena;
  const std::size_t head_bytes = interpreter.head_bytes();
  ASSERT_GE(head_bytes, 176U);
  FillHeadWithGarbage(model, interpreter, {arena.data(), head_bytes}, std::byte{0xa5});
  for (std::size_t i = 0; i < arena.size(); ++i) {
    const bool variable = (i >= 64 && i < 80) || (i >= 160 && i < 176);
    ASSERT_EQ(arena[i], variable || i >= head_bytes ? before[i] : std::byte{0xa5}) << i;
  }
}

}  // namespace
}  // namespace arenaproof

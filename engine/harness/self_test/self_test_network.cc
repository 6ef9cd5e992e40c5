#include "engine/harness/self_test/self_test_network.h"

#include <cstring>

namespace arenaproof {
namespace {

alignas(64) std::byte self_test_arena[kSelfTestArenaBytes];

constexpr std::int32_t kNetworkElements = 24;

Status PrepareHolder(PrepareContext& context) {
  std::byte* block = nullptr;
  for (const std::size_t bytes : {std::size_t{40}, std::size_t{24}}) {
    ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(bytes, &block));
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(bytes + 8));
  }
  return Ok();
}

Status InvokeCaller(const InvokeContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->InvokeSubgraph(1));
  return WriteZeros(context);
}

constexpr Kernel kKernels[] = {
    {.op = BuiltinOperator::kAbs, .name = "holder", .prepare = PrepareHolder, .invoke = WriteZeros},
    {.op = BuiltinOperator::kIf, .name = "caller", .prepare = PrepareHolder, .invoke = InvokeCaller}};

}  // namespace

std::byte* SelfTestArena() { return self_test_arena; }

Status WriteZeros(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes);
  return Ok();
}

Status LeaveAByte(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0, context.outputs[0].bytes - 1);
  return Ok();
}

std::int32_t AddSelfTestTensor(SubgraphSpec& graph, std::int32_t elements, std::uint32_t buffer, bool is_variable) {
  return graph.AddTensor({.type = TensorType::kInt8,
                          .shape = {{elements}},
                          .buffer = buffer,
                          .quantization = Scale(0.5f, 3),
                          .is_variable = is_variable});
}

std::vector<std::byte> SelfTestNetwork() {
  ModelBuilder builder;
  for (const bool main : {true, false}) {
    SubgraphSpec& graph = builder.AddSubgraph();
    const std::int32_t x = AddSelfTestTensor(graph, kNetworkElements);
    const std::int32_t constant =
        AddSelfTestTensor(graph, kNetworkElements, builder.AddBuffer(std::vector<std::byte>(kNetworkElements)));
    const std::int32_t y = AddSelfTestTensor(graph, kNetworkElements);
    const std::int32_t variable = AddSelfTestTensor(graph, kNetworkElements, 0, true);
    graph.AddOperator(
        {.code = builder.AddCode(BuiltinOperator::kAbs), .inputs = {x, constant, variable}, .outputs = {y}});
    graph.inputs = {x};
    graph.outputs = {y};
    if (!main) continue;
    graph.outputs = {AddSelfTestTensor(graph, kNetworkElements)};
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kIf),
                       .inputs = {y},
                       .outputs = graph.outputs,
                       .options = IfOptions{1, 1}});
  }
  return builder.Finish();
}

const KernelSet& SelfTestNetworkKernels() {
  static const KernelSet set{.name = "self-test", .kernels = kKernels};
  return set;
}

}  // namespace arenaproof

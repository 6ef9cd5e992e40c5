// Every service that takes an address, a size or a number, asked at its edge: the last one that is right, the first
// that is not, far beyond, and where an end would wrap. Whether a request is granted follows from plain intervals kept
// here; what is granted lies in the arena, apart from all else that was granted, and a block that is refused changes
// nothing. Outputs that operators placed themselves are written, and every other block has to hold what it held.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "props/runtime/service_bounds_kernels.h"
#include "props/support/draws.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing::service_bounds {
namespace {

Status InvokeCallee(const InvokeContext& context) {
  std::memset(context.outputs[0].data, 0x33, context.outputs[0].bytes);
  return Ok();
}

constexpr Kernel kEdgeKernels[] = {
    {.op = BuiltinOperator::kRelu,
     .name = "holder",
     .init = InitHolder,
     .prepare = PrepareHolder,
     .invoke = InvokeHolder},
    {.op = BuiltinOperator::kIf, .name = "caller", .prepare = PrepareCaller, .invoke = InvokeCaller},
    {.op = BuiltinOperator::kRelu6, .name = "callee", .invoke = InvokeCallee}};
const KernelSet edge_kernels{"edges", kEdgeKernels};

std::int32_t AddTensor(SubgraphSpec& graph, std::size_t bytes) {
  return graph.AddTensor({.type = TensorType::kInt8, .shape = {{static_cast<std::int32_t>(bytes)}}});
}

// A chain of holders, whose last output goes to the caller besides two inputs of the graph.
std::vector<std::byte> DrawHolderChain() {
  holders.clear();
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto about_a_value = [] { return OneIn(3) ? kValueBytes + Below<std::size_t>(3) - 1 : kValueBytes; };
  graph.inputs = {AddTensor(graph, 8), AddTensor(graph, about_a_value()), AddTensor(graph, about_a_value())};
  std::int32_t last = graph.inputs[0];
  for (std::size_t count = 1 + Below<std::size_t>(3); count > 0; --count) {
    holders.emplace_back();
    holders.back().output_bytes = 1 + Below<std::size_t>(48);
    const std::int32_t output = AddTensor(graph, holders.back().output_bytes);
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {last}, .outputs = {output}});
    last = output;
  }
  graph.outputs = {AddTensor(graph, about_a_value())};
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kIf),
                     .inputs = {last, graph.inputs[1], graph.inputs[2]},
                     .outputs = graph.outputs,
                     .options = IfOptions{1, 2}});
  for (int called = 0; called < 2; ++called) {
    SubgraphSpec& callee = builder.AddSubgraph();
    for (std::size_t i = 0; i < kCalleeOperands; ++i) {
      callee.inputs.push_back(AddTensor(callee, kValueBytes));
      callee.outputs.push_back(AddTensor(callee, kValueBytes));
      callee.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu6),
                          .inputs = {callee.inputs.back()},
                          .outputs = {callee.outputs.back()}});
    }
  }
  return builder.Finish();
}

void RequireBlocksHeld() {
  for (const Holder& holder : holders) {
    for (const Range& block : holder.blocks) {
      const bool shared = std::any_of(holders.begin(), holders.end(), [&](const Holder& other) {
        return other.placed != nullptr && block.Touches(RangeOf(other.placed, other.output_bytes));
      });
      if (shared) continue;
      const auto* const data = reinterpret_cast<const std::byte*>(block.start);
      if (!std::all_of(data, data + block.bytes, [&](std::byte byte) { return byte == PatternOf(block); })) {
        RC_FAIL("I1: a persistent block was overwritten");
      }
    }
  }
}

RC_GTEST_PROP(KernelServiceBounds, AreGrantedToTheirLastByteAndNoFurther, ()) {
  complaint.clear();
  const std::vector<std::byte> file = DrawHolderChain();
  const ValidatedModel model = Validated(file);
  const InterpreterOptions options{.resource_variable_count = kCapacity};
  const bool two_arenas = OneIn(3);
  Interpreter interpreter =
      two_arenas ? Interpreter(model, edge_kernels, ArenaBuffers{arena, sizeof arena, other_arena, sizeof other_arena},
                               options)
                 : Interpreter(model, edge_kernels, arena, sizeof arena, options);
  allocator = interpreter.allocator();
  asks_for_too_much_scratch = OneIn(12);
  const std::vector<Holder> fresh = holders;
  initialised_count = 0;
  Status status = interpreter.AllocateTensors();
  if (!complaint.empty()) RC_FAIL(complaint);
  if (asks_for_too_much_scratch) {
    if (status.ok()) RC_FAIL("a scratch buffer of more bytes than there are was granted");
    asks_for_too_much_scratch = false;
    initialised_count = 0;
    holders = fresh;
    status = interpreter.AllocateTensors();
    if (!complaint.empty()) RC_FAIL(complaint);
  }
  RC_ASSERT(status.ok());
  for (int run = 0; run < 3; ++run) {
    RC_ASSERT(interpreter.Invoke().ok());
    if (!complaint.empty()) RC_FAIL(complaint);
    RequireBlocksHeld();
  }
}

}  // namespace
}  // namespace arenaproof::testing::service_bounds

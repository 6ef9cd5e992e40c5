// When are two set-ups in one memory the same? An image of an arena serves the set-up that it was saved from and one
// that was given the very same things (place, external context, kernels and their data, buffers of the application for
// tensors of any subgraph), and no other: whatever differs by one is refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "core/runtime/arena_image.h"
#include "core/runtime/interpreter.h"
#include "core/runtime/model_allocator.h"
#include "tools/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::int32_t kSubgraphCount = 3;
constexpr std::int32_t kTensorCount = 4;  // of each subgraph
constexpr std::int32_t kElements = 8;
constexpr std::size_t kArenaBytes = std::size_t{1} << 15;
alignas(64) std::byte arena[kArenaBytes];
alignas(64) std::byte other_arena[kArenaBytes];
constexpr std::size_t kBufferCount = kSubgraphCount * kTensorCount + 1;
alignas(64) std::byte buffers[kBufferCount][64];
alignas(Interpreter) std::byte places[2][sizeof(Interpreter)];
int contexts[2];

Status AddOne(const InvokeContext& context) {
  for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
    context.outputs[0].data[i] = static_cast<std::byte>(std::to_integer<int>(context.inputs[0].data[i]) + 1);
  }
  return Ok();
}
Status AddOneAndCall(const InvokeContext& context) {
  for (const std::int32_t called : {1, 2}) ARENAPROOF_RETURN_IF_ERROR(context.runtime->InvokeSubgraph(called));
  return AddOne(context);
}
// Of this one operator the data are other bytes of its block.
constexpr std::size_t kOperatorCount = kSubgraphCount * (kTensorCount - 1);
std::size_t prepared_count = 0, other_data_of = kOperatorCount;

Status Keep(PrepareContext& context) {
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(16, &block));
  context.op_data = prepared_count++ == other_data_of ? block + 8 : block;
  return Ok();
}
// Two sets that do the same.
constexpr Kernel kKernels[2][2] = {
    {{.op = BuiltinOperator::kIf, .name = "call", .prepare = Keep, .invoke = AddOneAndCall},
     {.op = BuiltinOperator::kRelu, .name = "add", .prepare = Keep, .invoke = AddOne}},
    {{.op = BuiltinOperator::kIf, .name = "call", .prepare = Keep, .invoke = AddOneAndCall},
     {.op = BuiltinOperator::kRelu, .name = "add", .prepare = Keep, .invoke = AddOne}}};
const KernelSet kernel_sets[] = {{"one", kKernels[0]}, {"other", kKernels[1]}};

// In each subgraph tensor i + 1 is made of tensor i; the first operator of the main graph calls the others.
std::vector<std::byte> ModelFile() {
  ModelBuilder builder;
  for (std::int32_t s = 0; s < kSubgraphCount; ++s) {
    SubgraphSpec& graph = builder.AddSubgraph();
    for (std::int32_t i = 0; i < kTensorCount; ++i)
      graph.AddTensor({.type = TensorType::kInt8, .shape = {{kElements}}});
    for (std::int32_t i = 0; i + 1 < kTensorCount; ++i) {
      const bool calls = s == 0 && i == 0;
      OperatorSpec op{.code = builder.AddCode(calls ? BuiltinOperator::kIf : BuiltinOperator::kRelu),
                      .inputs = {i},
                      .outputs = {i + 1}};
      if (calls) op.options = IfOptions{1, 2};
      graph.AddOperator(op);
    }
    graph.inputs = {0};
    graph.outputs = {kTensorCount - 1};
  }
  return builder.Finish();
}

// What a set-up is given.
struct Given {
  std::size_t place = 0;
  std::size_t kernels = 0;
  int* context = nullptr;
  std::size_t other_data_of = kOperatorCount;                            // nobody
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> buffers;  // by subgraph and tensor

  friend bool operator==(const Given&, const Given&) = default;
};

struct End {
  void operator()(Interpreter* interpreter) const { std::destroy_at(interpreter); }
};
using InPlace = std::unique_ptr<Interpreter, End>;

InPlace SetUp(const ModelView& model, const Given& given, bool two_arenas) {
  const KernelSet& kernels = kernel_sets[given.kernels];
  std::byte* const place = places[given.place];
  InPlace interpreter(
      two_arenas ? new (place)
                       Interpreter(model, kernels, ArenaBuffers{arena, sizeof arena, other_arena, sizeof other_arena})
                 : new (place) Interpreter(model, kernels, arena, sizeof arena));
  for (const auto& [tensor, buffer] : given.buffers) {
    RC_ASSERT(interpreter->RegisterPreallocatedTensor(tensor.first, tensor.second, buffers[buffer], kElements).ok());
  }
  if (given.context != nullptr) RC_ASSERT(interpreter->SetExternalContext(given.context).ok());
  prepared_count = 0;
  other_data_of = given.other_data_of;
  RC_ASSERT(interpreter->AllocateTensors().ok());
  return interpreter;
}

void RequireRightOutput(Interpreter& interpreter) {
  std::memset(interpreter.inputs()[0].data, 5, kElements);
  RC_ASSERT(interpreter.Invoke().ok());
  RC_ASSERT(interpreter.outputs()[0].data[0] == std::byte{5 + kTensorCount - 1});
}

Given Draw() {
  Given given;
  given.place = *rc::gen::inRange<std::size_t>(0, 2);
  given.kernels = *rc::gen::inRange<std::size_t>(0, 2);
  given.context = *rc::gen::element<int*>(nullptr, contexts, contexts + 1);
  for (std::int32_t s = 0; s < kSubgraphCount; ++s) {
    for (std::int32_t i = 0; i < kTensorCount; ++i) {
      if (*rc::gen::inRange(0, 3) == 0) given.buffers[{s, i}] = given.buffers.size();
    }
  }
  return given;
}

// Differs by one, or in nothing.
Given ChangeOne(Given given) {
  const auto other = [](std::size_t one) { return 1 - one; };
  switch (*rc::gen::inRange(0, 9).as("what is changed")) {
    case 0:
      given.place = other(given.place);
      break;
    case 1:
      given.kernels = other(given.kernels);
      break;
    case 2:
      given.context = given.context == contexts ? contexts + 1 : contexts;
      break;
    case 3:
      break;
    case 4:
      given.other_data_of = *rc::gen::inRange<std::size_t>(0, kOperatorCount);
      break;
    default:
      if (given.buffers.empty()) break;
      std::next(given.buffers.begin(),
                static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, given.buffers.size())))
          ->second = kBufferCount - 1;
      break;
  }
  return given;
}

RC_GTEST_PROP(SetUpIdentity, AnImageServesTheSameSetUpAndNoOther, ()) {
  static const std::vector<std::byte> file = ModelFile();
  ModelView model;
  RC_ASSERT(ModelView::Open(file, &model).ok());
  const auto two_arenas = *rc::gen::arbitrary<bool>();
  const Given first = Draw();
  const Given second = ChangeOne(first);
  RC_LOG() << "place " << first.place << ", kernels " << first.kernels << ", " << first.buffers.size()
           << " buffers; then " << second.place << ", " << second.kernels << "; buffers changed:";
  for (const auto& [tensor, buffer] : first.buffers) {
    if (second.buffers.at(tensor) != buffer) RC_LOG() << " subgraph " << tensor.first << " tensor " << tensor.second;
  }
  RC_LOG() << "\n";
  std::memset(arena, 0, sizeof arena);
  std::memset(other_arena, 0, sizeof other_arena);
  InPlace interpreter = SetUp(model, first, two_arenas);
  RequireRightOutput(*interpreter);
  std::vector<std::byte> image(interpreter->image_bytes());
  std::size_t image_bytes = 0;
  RC_ASSERT(interpreter->SaveImage(image, &image_bytes).ok());
  interpreter.reset();
  interpreter = SetUp(model, second, two_arenas);
  RequireRightOutput(*interpreter);
  const StatusCode found =
      two_arenas ? RestoreArena(image, ArenaBuffers{arena, sizeof arena, other_arena, sizeof other_arena}).code
                 : RestoreArena(image, arena, sizeof arena).code;
  const StatusCode expected = first == second ? StatusCode::kOk : StatusCode::kArenaImageOtherSetUp;
  RC_LOG() << "status " << static_cast<int>(found) << ", expected " << static_cast<int>(expected) << "\n";
  if (found != expected) RC_FAIL("an image is restored into another set-up, or refused in its own (OtherSetUp)");
  RequireRightOutput(*interpreter);
}

}  // namespace
}  // namespace arenaproof::testing

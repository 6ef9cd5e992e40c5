// When are two set-ups in one memory the same? An image of an arena serves the set-ups that it was saved from and ones
// that were given the very same things in the same order (place, model file, external context, kernels and their data,
// buffers of the application for tensors of any subgraph), and no others: whatever differs by one is refused, in
// whichever of the models that share the arena. Attempts that failed in between do not count.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/storage/arena_image.h"
#include "engine/cases/validated.h"
#include "props/support/draws.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::int32_t kImageSubgraphCount = 3;
constexpr std::int32_t kTensorCount = 4;  // of each subgraph
constexpr std::int32_t kImageElements = 8;
constexpr std::size_t kImageArenaBytes = std::size_t{1} << 16;
alignas(64) std::byte image_arena[kImageArenaBytes];
alignas(64) std::byte other_image_arena[kImageArenaBytes];
constexpr std::size_t kBufferCount = kImageSubgraphCount * kTensorCount + 1;
alignas(64) std::byte application_buffers[kBufferCount][64];
constexpr std::size_t kMostModels = 4;  // in one arena
alignas(Interpreter) std::byte interpreter_places[kMostModels][2][sizeof(Interpreter)];
int external_contexts[2];

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
// This one operator's data are other bytes of its block.
constexpr std::size_t kOperatorCount = kImageSubgraphCount * (kTensorCount - 1);
std::size_t prepared_count = 0, other_data_of = kOperatorCount;
std::size_t refused_at = kOperatorCount;  // whose prepare fails

Status Keep(PrepareContext& context) {
  std::byte* block = nullptr;
  if (prepared_count == refused_at) return StatusOfKernelValue(1);
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(16, &block));
  context.op_data = prepared_count++ == other_data_of ? block + 8 : block;
  return Ok();
}
// Two sets that do the same.
constexpr Kernel kImageKernels[2][2] = {
    {{.op = BuiltinOperator::kIf, .name = "call", .prepare = Keep, .invoke = AddOneAndCall},
     {.op = BuiltinOperator::kRelu, .name = "add", .prepare = Keep, .invoke = AddOne}},
    {{.op = BuiltinOperator::kIf, .name = "call", .prepare = Keep, .invoke = AddOneAndCall},
     {.op = BuiltinOperator::kRelu, .name = "add", .prepare = Keep, .invoke = AddOne}}};
const KernelSet kernel_sets[] = {{"one", kImageKernels[0]}, {"other", kImageKernels[1]}};

// Tensor i + 1 of each subgraph is made of tensor i; the first operator of the main graph calls the others.
std::vector<std::byte> ModelFile() {
  ModelBuilder builder;
  for (std::int32_t s = 0; s < kImageSubgraphCount; ++s) {
    SubgraphSpec& graph = builder.AddSubgraph();
    for (std::int32_t i = 0; i < kTensorCount; ++i)
      graph.AddTensor({.type = TensorType::kInt8, .shape = {{kImageElements}}});
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

// Two that are the same, in two files.
const std::array<ValidatedModel, 2>& Models() {
  static const std::array<std::vector<std::byte>, 2> files{ModelFile(), ModelFile()};
  static const std::array<ValidatedModel, 2> models{Validated(files[0]), Validated(files[1])};
  return models;
}

// What a set-up is given.
struct Given {
  std::size_t place = 0;
  std::size_t file = 0;
  std::size_t kernels = 0;
  int* context = nullptr;
  std::size_t other_data_of = kOperatorCount;                            // nobody
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> buffers;  // by subgraph and tensor

  friend bool operator==(const Given&, const Given&) = default;
};
using History = std::vector<Given>;  // of one arena

enum class Sharing : std::uint8_t { kOneArena, kTwoArenas, kAllocatorOfOneArena, kAllocatorOfTwoArenas };
constexpr int kSharingCount = 4;
bool OfTwoArenas(Sharing sharing) {
  return sharing == Sharing::kTwoArenas || sharing == Sharing::kAllocatorOfTwoArenas;
}
bool Shares(Sharing sharing) { return sharing >= Sharing::kAllocatorOfOneArena; }

struct DestroyInterpreter {
  void operator()(Interpreter* interpreter) const { std::destroy_at(interpreter); }
};
using InPlace = std::unique_ptr<Interpreter, DestroyInterpreter>;
using Interpreters = std::vector<InPlace>;

// Of different lengths.
const ArenaBuffers kBoth{image_arena, sizeof image_arena, other_image_arena, sizeof other_image_arena / 4 - 24};

// The `allocator` is null where nothing is shared.
InPlace SetUpOne(std::size_t index, const Given& given, bool two_arenas, ModelAllocator* allocator) {
  const ValidatedModel& model = Models()[given.file];
  const KernelSet& kernels = kernel_sets[given.kernels];
  std::byte* const place = interpreter_places[index][given.place];
  InPlace interpreter(allocator != nullptr ? new (place) Interpreter(model, kernels, *allocator)
                      : two_arenas         ? new (place) Interpreter(model, kernels, kBoth)
                                           : new (place) Interpreter(model, kernels, image_arena, sizeof image_arena));
  for (const auto& [tensor, buffer] : given.buffers) {
    RC_ASSERT(interpreter
                  ->RegisterPreallocatedTensor(tensor.first, tensor.second, application_buffers[buffer], kImageElements)
                  .ok());
  }
  if (given.context != nullptr) RC_ASSERT(interpreter->SetExternalContext(given.context).ok());
  other_data_of = given.other_data_of;
  if (OneIn(3)) {
    prepared_count = 0;
    refused_at = Below(kOperatorCount);
    RC_ASSERT(interpreter->AllocateTensors().code == StatusCode::kKernelFailed);
    refused_at = kOperatorCount;
  }
  prepared_count = 0;
  RC_ASSERT(interpreter->AllocateTensors().ok());
  return interpreter;
}

Interpreters SetUp(const History& history, Sharing sharing) {
  ModelAllocator* allocator = nullptr;
  if (Shares(sharing)) {
    RC_ASSERT((OfTwoArenas(sharing) ? ModelAllocator::Create(kBoth, {}, &allocator)
                                    : ModelAllocator::Create(image_arena, sizeof image_arena, {}, &allocator))
                  .ok());
  }
  Interpreters interpreters;
  for (std::size_t i = 0; i < history.size(); ++i) {
    interpreters.push_back(SetUpOne(i, history[i], OfTwoArenas(sharing), allocator));
  }
  return interpreters;
}

void RequireRightOutputs(const Interpreters& interpreters) {
  for (const InPlace& interpreter : interpreters) {
    std::memset(interpreter->inputs()[0].data, 5, kImageElements);
    RC_ASSERT(interpreter->Invoke().ok());
    RC_ASSERT(interpreter->outputs()[0].data[0] == std::byte{5 + kTensorCount - 1});
  }
}

Given Draw() {
  Given given;
  given.place = Below<std::size_t>(2);
  given.file = Below<std::size_t>(2);
  given.kernels = Below<std::size_t>(2);
  given.context = std::array<int*, 3>{nullptr, external_contexts, external_contexts + 1}[Below<std::size_t>(3)];
  for (std::int32_t s = 0; s < kImageSubgraphCount; ++s) {
    for (std::int32_t i = 0; i < kTensorCount; ++i) {
      if (OneIn(3)) given.buffers[{s, i}] = given.buffers.size();
    }
  }
  return given;
}

// Differs by one, or in nothing.
Given ChangeOne(Given given) {
  const auto other = [](std::size_t one) { return 1 - one; };
  switch (Below(9)) {
    case 0:
      given.place = other(given.place);
      break;
    case 8:
      given.file = other(given.file);
      break;
    case 1:
      given.kernels = other(given.kernels);
      break;
    case 2:
      given.context = given.context == external_contexts ? external_contexts + 1 : external_contexts;
      break;
    case 3:
      given.other_data_of = Below(kOperatorCount);
      break;
    default:
      if (given.buffers.empty()) break;
      std::next(given.buffers.begin(), static_cast<std::ptrdiff_t>(Below(given.buffers.size())))->second =
          kBufferCount - 1;
      break;
  }
  return given;
}

// One model, two or none of them has been given something else, or there is one more or less.
History Change(History history, bool shares) {
  switch (Below(6)) {
    case 0:
      break;
    case 5:
      if (history.size() > 1 && OneIn(2)) {
        history.erase(history.begin() + static_cast<std::ptrdiff_t>(Below(history.size())));
      } else if (shares && history.size() < kMostModels) {
        history.push_back(history[Below(history.size())]);
      }
      break;
    case 1:
      std::swap(history[Below(history.size())], history[Below(history.size())]);
      break;
    default: {
      Given& changed = history[Below(history.size())];
      changed = ChangeOne(changed);
      break;
    }
  }
  return history;
}

RC_GTEST_PROP(ArenaImageIdentity, AnImageServesTheSameSetUpsAndNoOthers, ()) {
  const auto sharing = static_cast<Sharing>(Below(kSharingCount));
  refused_at = kOperatorCount;
  History first;
  for (std::size_t count = Shares(sharing) ? 1 + Below(kMostModels) : 1; count > 0; --count) first.push_back(Draw());
  const History second = Change(first, Shares(sharing));
  RC_LOG() << (OfTwoArenas(sharing) ? "two arenas" : "one arena") << (Shares(sharing) ? ", shared by " : ", of ")
           << first.size() << ", then " << second.size() << "; changed:";
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (!(first[i] == second[i])) RC_LOG() << " model " << i;
  }
  RC_LOG() << "\n";
  std::memset(image_arena, 0, sizeof image_arena);
  std::memset(other_image_arena, 0, sizeof other_image_arena);
  Interpreters interpreters = SetUp(first, sharing);
  RequireRightOutputs(interpreters);
  const Interpreter& saving = *interpreters[Below(interpreters.size())];
  std::vector<std::byte> image(saving.image_bytes());
  std::size_t image_bytes = 0;
  RC_ASSERT(saving.SaveImage(image, &image_bytes).ok());
  interpreters.clear();
  interpreters = SetUp(second, sharing);
  RequireRightOutputs(interpreters);
  const StatusCode found = OfTwoArenas(sharing) ? RestoreArena(image, kBoth).code
                                                : RestoreArena(image, image_arena, sizeof image_arena).code;
  // Each set-up takes a part of the tail.
  const StatusCode expected = first.size() != second.size() ? StatusCode::kArenaImageStale
                              : first == second             ? StatusCode::kOk
                                                            : StatusCode::kArenaImageOtherSetUp;
  RC_LOG() << "status " << static_cast<int>(found) << ", expected " << static_cast<int>(expected) << "\n";
  if (found != expected) RC_FAIL("an image is restored into another set-up, or refused in its own (OtherSetUp)");
  RequireRightOutputs(interpreters);
}

}  // namespace
}  // namespace arenaproof::testing

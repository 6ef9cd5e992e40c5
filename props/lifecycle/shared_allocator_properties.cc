// Several models on one allocator: set-ups that succeed, that are refused at any place (by a kernel, by the arena
// before and after the plan was committed, by a tail that is full to the byte), and that are tried again with other
// wishes. A failed attempt leaves nothing that a later one takes for its own; no attempt takes a byte that an earlier
// model has in head or tail. After each step all models that are ready are invoked again.
//
// What each has to have is kept here in plain lists, and what head it needs is measured where it is alone.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/arena/invariants.h"
#include "engine/cases/validated.h"
#include "engine/harness/injected_refusals/injected_refusals.h"
#include "props/lifecycle/generous_planner.h"
#include "props/lifecycle/shared_models.h"
#include "props/support/draws.h"
#include "tools/memory/larger_arena.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::sharing {
namespace {

constexpr std::size_t kModelCount = 4;
constexpr std::size_t kArenaBytes = std::size_t{1} << 18;
alignas(64) std::byte arena[kArenaBytes];
alignas(64) std::byte other_arena[kArenaBytes];
alignas(64) std::byte lone_arena[kArenaBytes];
std::size_t further_head_bytes = 0;  // that the planner of the sequence asks for

void InvokeReadyModels() {
  RequireHeld("before an invoke");
  for (std::size_t m = 0; m < models.size(); ++m) {
    Model& model = models[m];
    if (!model.ready) continue;
    Bytes expected(model.tensor_bytes[0], static_cast<std::byte>(40 * m + 1));
    std::memcpy(model.interpreter->inputs()[0].data, expected.data(), expected.size());
    for (std::size_t i = 0; i + 1 < model.tensor_bytes.size(); ++i) {
      Bytes made(model.tensor_bytes[i + 1]);
      for (std::size_t byte = 0; byte < made.size(); ++byte) made[byte] = Made(expected[byte % expected.size()], i);
      expected = made;
    }
    const Status status = model.interpreter->Invoke();
    if (!complaint.empty()) RC_FAIL(complaint);
    if (!status.ok()) RC_FAIL("L11: a model that was ready can no longer be invoked");
    if (std::memcmp(model.interpreter->outputs()[0].data, expected.data(), expected.size()) != 0) {
      RC_FAIL("L11: model " + std::to_string(m) + " has another output since others share its allocator");
    }
    RequireHeld("by an invoke");
  }
}

void DrawModel(Model& model) {
  // Heads of very different sizes.
  const auto most = std::array<std::size_t, 3>{20, 200, 1500}[testing::Below<std::size_t>(3)];
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto operators = 1 + testing::Below<std::int32_t>(3);
  for (std::int32_t i = 0; i <= operators; ++i) {
    model.tensor_bytes.push_back(most / 2 + testing::Below<std::size_t>(most - most / 2));
    graph.AddTensor({.type = TensorType::kInt8, .shape = {{static_cast<std::int32_t>(model.tensor_bytes.back())}}});
    if (i == 0) continue;
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {i - 1}, .outputs = {i}});
  }
  model.variable_bytes = 1 + testing::Below<std::size_t>(60);
  graph.operators[0].inputs.push_back(graph.AddTensor(
      {.type = TensorType::kInt8, .shape = {{static_cast<std::int32_t>(model.variable_bytes)}}, .is_variable = true}));
  graph.inputs = {0};
  graph.outputs = {operators};
  model.file = builder.Finish();
  model.view = Validated(model.file);
}

std::vector<Wishes> DrawWishes(const Model& model) {
  std::vector<Wishes> all;
  for (std::size_t i = 0; i + 1 < model.tensor_bytes.size(); ++i) {
    Wishes wishes;
    wishes.init_bytes = 1 + testing::Below<std::size_t>(39);
    for (std::size_t count = testing::Below<std::size_t>(3); count > 0; --count) {
      wishes.block_bytes.push_back(1 + testing::Below<std::size_t>(99));
    }
    // Now and then more than a prepare has slots for.
    for (std::size_t count = testing::Below<std::size_t>(testing::OneIn(5) ? 18 : 3); count > 0; --count) {
      wishes.scratch_bytes.push_back(1 + testing::Below<std::size_t>(60));
    }
    for (std::size_t count = testing::Below<std::size_t>(4); count > 0; --count) {
      const auto name = testing::Below<std::size_t>(kNameCount);
      const auto other = 1 + testing::Below<std::size_t>(49);
      wishes.resources.push_back(
          {name, std::array{model.tensor_bytes[i], model.tensor_bytes[i + 1], other}[testing::Below<std::size_t>(3)]});
    }
    all.push_back(wishes);
  }
  return all;
}

Attempt DrawAttempt(const Model& model, bool retry) {
  Attempt attempt;
  // A retry is often of the very same wishes.
  attempt.operators = retry && testing::OneIn(2) ? model.attempt.operators : DrawWishes(model);
  const auto operators = attempt.operators.size();
  switch (testing::Below<int>(8)) {
    case 0:
      attempt.fails_at = testing::Below<std::size_t>(operators);
      break;
    case 1:
      attempt.refused = testing::Below<std::size_t>(60);
      break;
    case 2:
    case 3:
      // After the plan was committed, or just before.
      attempt.refused = testing::Below<std::size_t>(5);
      break;
    case 4:
      attempt.takes_all = testing::Below<std::size_t>(operators);
      attempt.spare_bytes =
          testing::OneIn(2) ? testing::Below<std::ptrdiff_t>(40) - 12 : testing::Below<std::ptrdiff_t>(3000);
      break;
    default:
      break;
  }
  return attempt;
}

Status SetUp(std::size_t model, Interpreter& interpreter, bool alone, std::size_t floor_bytes, std::size_t refused) {
  under_way = {};
  under_way.model = model;
  under_way.alone = alone;
  under_way.allocator = interpreter.allocator();
  under_way.floor_bytes = floor_bytes;
  InjectedRefusals::Begin(refused);
  return interpreter.AllocateTensors();
}

// What the model needs, where it is alone, and of how many operations its set-up consists.
struct Alone {
  std::size_t head_bytes = 0;
  std::size_t operation_count = 0;
};
Alone Measure(std::size_t model) {
  GenerousPlanner planner(further_head_bytes);
  const auto interpreter =
      std::make_unique<Interpreter>(*models[model].view, Kernels(), lone_arena, sizeof lone_arena,
                                    InterpreterOptions{.planner = &planner, .resource_variable_count = kCapacity});
  RC_ASSERT(SetUp(model, *interpreter, true, 0, InjectedRefusals::kNone).ok());
  return {interpreter->head_bytes(), InjectedRefusals::operation_count()};
}

std::vector<std::size_t> OffsetsOf(const Model& model) {
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < model.tensor_bytes.size(); ++i) {
    std::size_t offset = kNever;
    if (!model.interpreter->TensorOffset(static_cast<std::int32_t>(i), &offset).ok()) offset = kNever;
    offsets.push_back(offset);
  }
  return offsets;
}

// What holds after every attempt.
void RequireApart(const ModelAllocator& allocator) {
  if (!complaint.empty()) RC_FAIL(complaint);
  const TensorArena& memory = allocator.arena();
  for (const Arena* each : {&memory.non_persistent(), &memory.persistent()}) {
    if (const char* broken = FirstBroken(each->state()); broken != nullptr) RC_FAIL(broken);
  }
  if (allocator.allocating() || allocator.lost_tail_bytes() != 0) RC_FAIL("L2: a set-up has left a part of itself");
  const std::byte* const head_end = memory.OverlayAddress() + memory.NonPersistentUsedBytes();
  std::vector<Block> all;
  for (const Model& model : models) {
    if (!model.ready) continue;
    std::size_t value_bytes = 0;
    for (const auto& [name, value] : model.given.values) value_bytes += value.bytes;
    if (model.interpreter->resource_variable_count() != model.given.values.size() ||
        model.interpreter->resource_value_bytes() != value_bytes) {
      RC_FAIL("L17: a model has other resource variables than its operators asked for");
    }
    if (OffsetsOf(model) != model.offsets) RC_FAIL("I7, L11: tensors of an earlier model are no longer in the head");
    all.insert(all.end(), model.given.blocks.begin(), model.given.blocks.end());
  }
  std::sort(all.begin(), all.end(), [](const Block& one, const Block& other) { return one.data < other.data; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!memory.separate() && all[i].data < head_end) RC_FAIL("I7, L11: a persistent block lies in the head");
    if (i > 0 && all[i - 1].data + all[i - 1].bytes > all[i].data) RC_FAIL("I1: two persistent blocks share bytes");
  }
}

// False when the memory is used up.
bool Try(std::size_t number, bool retry, std::size_t* floor_bytes, const ModelAllocator& allocator) {
  Model& model = models[number];
  model.attempt = DrawAttempt(model, retry);
  model.ready = false;
  const Alone alone = Measure(number);
  const std::size_t refused = model.attempt.refused < alone.operation_count
                                  ? alone.operation_count - 1 - model.attempt.refused
                                  : InjectedRefusals::kNone;
  const TensorArena& memory = allocator.arena();
  const std::size_t head_bytes = memory.NonPersistentUsedBytes();
  const std::size_t tail_bytes = memory.PersistentUsedBytes();
  const Status status = SetUp(number, *model.interpreter, false, *floor_bytes, refused);
  const bool was_refused = InjectedRefusals::refused();
  const StatusCode refused_with = InjectedRefusals::refused_with();
  InjectedRefusals::Begin(InjectedRefusals::kNone);
  RC_LOG() << "model " << number << " (head of " << alone.head_bytes << ")" << (retry ? " again" : "") << ": status "
           << static_cast<int>(status.code) << (was_refused ? ", refused by order" : "") << ", head "
           << memory.NonPersistentUsedBytes() << "\n";
  if (!complaint.empty()) RC_FAIL(complaint);
  const bool takes_all = model.attempt.takes_all != kNever;
  if (was_refused) {
    if (status.code != refused_with) RC_FAIL("a refused set-up has another status than its refusal");
  } else if (takes_all) {
    RC_ASSERT(status.ok() || AsksForALargerArena(status));
  } else if (model.attempt.fails_at != kNever) {
    RC_ASSERT(status.code == StatusCode::kKernelFailed);
  } else if (!status.ok()) {
    RC_FAIL("L2: a set-up fails after others have failed, and nothing refused it");
  }
  if (!status.ok()) {
    if (memory.NonPersistentUsedBytes() != head_bytes)
      RC_FAIL("L2: after a refused set-up the head is not what it was");
    if (memory.PersistentUsedBytes() != tail_bytes) RC_FAIL("L2: the tail bytes of a refused set-up are lost");
    return true;
  }
  *floor_bytes = std::max(*floor_bytes, alone.head_bytes);
  if (memory.NonPersistentUsedBytes() != *floor_bytes) RC_FAIL("L2: the head is not the largest that any model needs");
  model.given = under_way.given;
  model.offsets = OffsetsOf(model);
  Refill(model);
  model.ready = true;
  return !takes_all;
}

RC_GTEST_PROP(SharedAllocator, KeepsSeveralModelsApartWhateverFails, ()) {
  models.clear();
  models.resize(kModelCount);
  complaint.clear();
  InjectedRefusals::Begin(InjectedRefusals::kNone);
  ModelAllocator* allocator = nullptr;
  const auto two_arenas = testing::Below<int>(4) == 0;
  // Arenas begin and end anywhere; two have different lengths, and a head any number of bytes.
  const auto front = testing::Below<std::size_t>(64), back = testing::Below<std::size_t>(64);
  further_head_bytes = testing::OneIn(2) ? 0 : testing::Below<std::size_t>(40);
  GenerousPlanner planner(further_head_bytes);
  const InterpreterOptions options{.planner = &planner};
  const ArenaBuffers both{arena + front, kArenaBytes - front - back, other_arena + back, kArenaBytes / 2 - front};
  RC_ASSERT((two_arenas ? ModelAllocator::Create(both, options, &allocator)
                        : ModelAllocator::Create(both.persistent, both.persistent_bytes, options, &allocator))
                .ok());
  for (Model& model : models) DrawModel(model);
  std::size_t floor_bytes = 0, number = 0;
  bool room = true;
  for (int steps = 3 + testing::Below<int>(6); steps > 0 && room; --steps) {
    // A failed set-up is often tried again; else the models come in their order, and those that are there in between.
    const bool retry = models[number].interpreter != nullptr && !models[number].ready && testing::Below<int>(3) != 0;
    if (!retry) {
      const auto unused =
          std::find_if(models.begin(), models.end(), [](const Model& model) { return model.interpreter == nullptr; });
      const auto used_count = static_cast<std::size_t>(unused - models.begin());
      const bool again = used_count == kModelCount || (used_count > 0 && testing::OneIn(3));
      number = again ? testing::Below(used_count) : used_count;
      Model& model = models[number];
      if (model.interpreter == nullptr || testing::Below<int>(4) == 0) {
        model.ready = false;
        model.interpreter = std::make_unique<Interpreter>(*model.view, Kernels(), *allocator,
                                                          InterpreterOptions{.resource_variable_count = kCapacity});
      }
    }
    room = Try(number, retry, &floor_bytes, *allocator);
    RequireApart(*allocator);
    InvokeReadyModels();
    const auto reset = testing::Below<std::size_t>(2 * kModelCount);
    if (reset < kModelCount && models[reset].ready) {
      RC_ASSERT(models[reset].interpreter->Reset().ok());
      Refill(models[reset]);
      InvokeReadyModels();
    }
    if (!complaint.empty()) RC_FAIL(complaint);
  }
}

}  // namespace
}  // namespace arenaproof::sharing

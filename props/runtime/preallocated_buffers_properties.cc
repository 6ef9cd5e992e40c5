// Buffers of the application that serve tensors: at every edge of what they may not touch (arenas, model, another
// buffer), of their alignment and of their length. What is refused, and for what, is said here in plain intervals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/arena/tensor_arena.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kStorageBytes = 128 * 1024;
alignas(64) std::byte storage[kStorageBytes];

// Bytes by their offset in the storage, whose start is aligned.
struct Stretch {
  std::size_t begin = 0;
  std::size_t bytes = 0;
  std::size_t end() const { return begin + bytes; }
  bool Shares(const Stretch& other) const { return std::max(begin, other.begin) < std::min(end(), other.end()); }
};

// x, y = x + x, z = y + y.
std::vector<std::byte> DoublingModel(std::int32_t elements) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 3; ++i) graph.AddTensor({.shape = {{elements}}});
  for (std::int32_t i = 0; i < 2; ++i) {
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAdd),
                       .inputs = {i, i},
                       .outputs = {i + 1},
                       .options = AddOptions{}});
  }
  graph.inputs = {0};
  graph.outputs = {2};
  return builder.Finish();
}

struct Scene {
  Stretch arena, persistent, model, other;  // `persistent` of no bytes: a single arena
  bool shared = false;                      // the arenas are an allocator's that stood before the interpreter
  bool has_other = false;
  std::size_t needed_bytes = 0;

  // What an allocator manages is known, not what alignment took of the buffer that it was given.
  Stretch KeptClear(const Stretch& given, bool head) const {
    if (!shared || given.bytes == 0) return given;
    const std::size_t begin = head ? (given.begin + 15) / 16 * 16 : given.begin;
    const std::size_t end = head ? given.end() : given.end() / 16 * 16;
    return {begin, end - begin};
  }

  StatusCode Expected(const Stretch& buffer, bool same_tensor) const {
    if (same_tensor) return StatusCode::kPreallocatedTwice;
    if (buffer.begin % 16 != 0) return StatusCode::kPreallocatedMisaligned;
    if (buffer.bytes < needed_bytes) return StatusCode::kPreallocatedTooShort;
    if (buffer.Shares(KeptClear(arena, true)) || buffer.Shares(KeptClear(persistent, false)))
      return StatusCode::kPreallocatedOverlapsArena;
    if (buffer.Shares(model)) return StatusCode::kPreallocatedOverlapsModel;
    if (has_other && buffer.Shares(other)) return StatusCode::kPreallocatedOverlapsBuffer;
    return StatusCode::kOk;
  }
};

// Ends at, or one or two bytes into or before, the neighbour's start, from an aligned address on; or begins at its end,
// as near as an aligned address comes; or lies anywhere in it.
Stretch DrawAt(const Stretch& neighbour, std::size_t needed_bytes) {
  const auto step = *rc::gen::inRange<std::size_t>(0, 3);
  if (*rc::gen::inRange(0, 3) == 0) {
    return {(neighbour.begin + *rc::gen::inRange<std::size_t>(0, neighbour.bytes)) / 16 * 16, needed_bytes};
  }
  if (*rc::gen::arbitrary<bool>()) {
    const std::size_t room = needed_bytes + 16 * *rc::gen::inRange<std::size_t>(0, 3);
    const std::size_t begin = (neighbour.begin - room) / 16 * 16;
    return {begin, neighbour.begin + step - begin};
  }
  const std::size_t begin = (neighbour.end() - std::min(step, neighbour.bytes) + 15) / 16 * 16;
  return {begin - 16 * *rc::gen::inRange<std::size_t>(0, 2), needed_bytes};
}

Stretch DrawBuffer(const Scene& scene) {
  Stretch buffer{8192, scene.needed_bytes};
  switch (*rc::gen::inRange(0, 7).as("what is at its edge")) {
    case 0:
      buffer.begin += *rc::gen::element<std::size_t>(1, 2, 4, 8, 12, 16);
      break;
    case 1:
      buffer.bytes += *rc::gen::inRange<std::size_t>(0, 3);
      buffer.bytes -= 1;
      break;
    case 2:
      buffer = DrawAt(scene.arena, scene.needed_bytes);
      break;
    case 3:
    case 4:
      buffer = DrawAt(scene.persistent.bytes > 0 ? scene.persistent : scene.arena, scene.needed_bytes);
      break;
    case 5:
      buffer = DrawAt(scene.model, scene.needed_bytes);
      break;
    default:
      buffer = DrawAt(scene.has_other ? scene.other : scene.model, scene.needed_bytes);
      break;
  }
  return buffer;
}

std::unique_ptr<Interpreter> MakeInterpreterOf(const ValidatedModel& model, const Scene& scene) {
  std::byte* const arena = storage + scene.arena.begin;
  const bool single = scene.persistent.bytes == 0;
  const ArenaBuffers buffers{storage + scene.persistent.begin, scene.persistent.bytes, arena, scene.arena.bytes};
  if (scene.shared) {
    ModelAllocator* allocator = nullptr;
    const Status status = single ? ModelAllocator::Create(arena, scene.arena.bytes, {}, &allocator)
                                 : ModelAllocator::Create(buffers, {}, &allocator);
    RC_ASSERT(status.ok());
    return std::make_unique<Interpreter>(model, ReferenceKernels(), *allocator);
  }
  if (single) return std::make_unique<Interpreter>(model, ReferenceKernels(), arena, scene.arena.bytes);
  return std::make_unique<Interpreter>(model, ReferenceKernels(), buffers);
}

RC_GTEST_PROP(PreallocatedBuffers, AreRefusedExactlyForWhatTheirEdgesTouch, ()) {
  std::memset(storage, 0, sizeof storage);
  const auto elements = *rc::gen::inRange<std::int32_t>(1, 40);
  std::vector<std::byte> file = DoublingModel(elements);
  // Behind the tables a file may have any bytes: so its end lies anywhere.
  file.resize(file.size() + *rc::gen::inRange<std::size_t>(0, 17));
  Scene scene;
  scene.needed_bytes = static_cast<std::size_t>(elements) * sizeof(float);
  scene.other = {20480, scene.needed_bytes + *rc::gen::inRange<std::size_t>(0, 17)};
  scene.arena = {32768 + *rc::gen::inRange<std::size_t>(0, 16), 8192 + *rc::gen::inRange<std::size_t>(0, 17)};
  if (*rc::gen::arbitrary<bool>()) {
    scene.persistent = {53248 + *rc::gen::inRange<std::size_t>(0, 16), 8192 + *rc::gen::inRange<std::size_t>(0, 17)};
  }
  scene.model = {81920, file.size()};
  std::memcpy(storage + scene.model.begin, file.data(), file.size());
  const ValidatedModel model = Validated({storage + scene.model.begin, file.size()});

  scene.shared = *rc::gen::arbitrary<bool>().as("shared allocator");
  const std::unique_ptr<Interpreter> interpreter = MakeInterpreterOf(model, scene);
  scene.has_other = *rc::gen::arbitrary<bool>();
  if (scene.has_other) {
    RC_ASSERT(interpreter->RegisterPreallocatedTensor(0, 2, storage + scene.other.begin, scene.other.bytes).ok());
  }
  const Stretch buffer = DrawBuffer(scene);
  const bool same_tensor = scene.has_other && *rc::gen::inRange(0, 12) == 0;
  const std::int32_t tensor = same_tensor ? 2 : 0;
  const StatusCode expected = scene.Expected(buffer, same_tensor);
  const Status status = interpreter->RegisterPreallocatedTensor(0, tensor, storage + buffer.begin, buffer.bytes);
  RC_LOG() << "buffer [" << buffer.begin << ", " << buffer.end() << ") of " << scene.needed_bytes << " needed, arena ["
           << scene.arena.begin << ", " << scene.arena.end() << "), persistent [" << scene.persistent.begin << ", "
           << scene.persistent.end() << "), model [" << scene.model.begin << ", " << scene.model.end() << "), other ["
           << scene.other.begin << ", " << scene.other.end() << "): status " << static_cast<int>(status.code)
           << ", expected " << static_cast<int>(expected) << "\n";
  RC_CLASSIFY(expected == StatusCode::kOk, "taken");
  if (status.code != expected) {
    RC_FAIL(
        "a preallocated tensor's buffer is taken that may not be, or refused for something else: Misaligned, "
        "TooShort, OverlapsArena, OverlapsModel, OverlapsBuffer");
  }
  // What was taken serves its tensor, and nothing else of the memory changes.
  RC_ASSERT(interpreter->AllocateTensors().ok());
  if (expected == StatusCode::kOk) {
    RC_ASSERT(interpreter->inputs()[0].data == storage + buffer.begin);
  }
  std::vector<float> x(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) + 0.5f;
  std::memcpy(interpreter->inputs()[0].data, x.data(), scene.needed_bytes);
  RC_ASSERT(interpreter->Invoke().ok());
  for (std::size_t i = 0; i < x.size(); ++i) {
    float z = 0;
    std::memcpy(&z, interpreter->outputs()[0].data + i * sizeof z, sizeof z);
    RC_ASSERT(z == 4 * x[i]);
  }
  RC_ASSERT(std::memcmp(storage + scene.model.begin, file.data(), file.size()) == 0);
}

}  // namespace
}  // namespace arenaproof::testing

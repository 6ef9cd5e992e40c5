// What applications on a microcontroller do, from the model's bytes to an answer: in one memory or two, with planners
// of their own, buffers of their own, a shared allocator, resource variables, an arena that is saved and put back.
// Linked together with every object of core and of the reference kernels, to show that nothing of it needs a heap,
// exceptions or RTTI; no board runs it here.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>

#include "core/embedding/arenaproof.h"
#include "core/planner/linear_planner.h"
#include "core/planner/precomputed_planner.h"
#include "core/runtime/interpreter/tensor_copy.h"
#include "core/runtime/storage/arena_image.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof {
namespace {

// The interpreters' own objects and the arenas, as a device has them: fixed memory.
alignas(16) std::byte fast_memory[64 * 1024];
alignas(16) std::byte slow_memory[16 * 1024];
alignas(16) std::byte sensor_buffer[1024];
std::byte flash[sizeof fast_memory + sizeof slow_memory + sizeof(ArenaSeal)];
alignas(Interpreter) std::byte places[2][sizeof(Interpreter)];

constexpr std::array<std::int32_t, 4> kPlanMadeBeforehand = {0, 64, 128, 192};

void FillInputs(const Interpreter& interpreter) {
  for (const Operand& input : interpreter.inputs()) std::fill_n(input.data, input.bytes, std::byte{0});
}

Status RunOnce(Interpreter& interpreter) {
  ARENAPROOF_RETURN_IF_ERROR(interpreter.AllocateTensors());
  FillInputs(interpreter);
  ARENAPROOF_RETURN_IF_ERROR(interpreter.Invoke());
  return interpreter.Reset();
}

Status InOneMemory(const ValidatedModel& model, const InterpreterOptions& options) {
  Interpreter* const interpreter =
      new (places[0]) Interpreter(model, ReferenceKernels(), fast_memory, sizeof fast_memory, options);
  const Status status = RunOnce(*interpreter);
  interpreter->~Interpreter();
  return status;
}

// Sleeps between two invokes: both memories lose their contents and get them back.
Status SleepAndGoOn(Interpreter& interpreter, const ArenaBuffers& buffers) {
  std::size_t image_bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(interpreter.SaveImage(flash, &image_bytes));
  ArenaSeal seal;
  ARENAPROOF_RETURN_IF_ERROR(interpreter.Suspend(&seal));
  ARENAPROOF_RETURN_IF_ERROR(RestoreArena(std::span(flash).first(image_bytes), buffers));
  ARENAPROOF_RETURN_IF_ERROR(interpreter.Resume(seal));
  return interpreter.Invoke();
}

// It has room for variables and for the record of what memory is spent on.
Status InTwoMemories(const ValidatedModel& model) {
  const ArenaBuffers buffers{slow_memory, sizeof slow_memory, fast_memory, sizeof fast_memory};
  const InterpreterOptions options{.resource_variable_count = 4, .record_memory = true};
  Interpreter* const interpreter = new (places[0]) Interpreter(model, ReferenceKernels(), buffers, options);
  Status status = RunOnce(*interpreter);
  if (status.ok() && interpreter->allocator()->record()->of(MemoryCategory::kOperators).count == 0) {
    status = Failure(StatusCode::kRuntimeState);
  }
  if (status.ok()) status = SleepAndGoOn(*interpreter, buffers);
  interpreter->~Interpreter();
  return status;
}

// The sensor's buffer is the model's input; the answer is copied elsewhere.
Status FromASensor(const ValidatedModel& model) {
  Interpreter* const interpreter =
      new (places[0]) Interpreter(model, ReferenceKernels(), fast_memory, sizeof fast_memory);
  Status status = interpreter->RegisterPreallocatedTensor(0, model.inputs(0)[0], sensor_buffer, sizeof sensor_buffer);
  if (status.ok()) status = RunOnce(*interpreter);
  if (status.ok()) {
    const Operand& answer = interpreter->outputs()[0];
    const Operand* described = nullptr;
    status = interpreter->AllocateTemporaryTensor(answer.tensor_index, &described);
    if (status.ok()) status = interpreter->FreeTemporaryTensor(described);
    if (status.ok()) status = interpreter->AllocatePersistentTensor(answer.tensor_index, &described);
    const TensorMove move{slow_memory, answer.data, std::min(answer.bytes, sizeof slow_memory)};
    if (status.ok()) status = CopyTogether(std::span(&move, 1));
  }
  interpreter->~Interpreter();
  return status;
}

Status TwoInOneArena(const ValidatedModel& model) {
  ModelAllocator* allocator = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(ModelAllocator::Create(fast_memory, sizeof fast_memory, {}, &allocator));
  Status status;
  for (auto& place : places) {
    Interpreter* const interpreter = new (place) Interpreter(model, ReferenceKernels(), *allocator);
    if (status.ok()) status = RunOnce(*interpreter);
    interpreter->~Interpreter();
  }
  return status;
}

Status Everything(std::span<const std::byte> file) {
  ValidationReport report;
  const KernelSetSupport support(ReferenceKernels());
  const std::optional<ValidatedModel> validated = ValidatedModel::Open(file, &report, &support);
  if (!validated) return report.status;
  const ValidatedModel& model = *validated;
  LinearPlanner linear;
  PrecomputedPlanner precomputed(kPlanMadeBeforehand);
  ARENAPROOF_RETURN_IF_ERROR(InOneMemory(model, {}));
  ARENAPROOF_RETURN_IF_ERROR(InOneMemory(model, {.planner = &linear}));
  ARENAPROOF_RETURN_IF_ERROR(InOneMemory(model, {.planner = &precomputed}));
  ARENAPROOF_RETURN_IF_ERROR(InOneMemory(model, {.offline_plan = {.trust = true}, .preserve_all_tensors = true}));
  ARENAPROOF_RETURN_IF_ERROR(InTwoMemories(model));
  ARENAPROOF_RETURN_IF_ERROR(FromASensor(model));
  return TwoInOneArena(model);
}

}  // namespace
}  // namespace arenaproof

// Where a board's own start-up code would hand over: the program's entry.
extern "C" int RunModel(const std::byte* model_bytes, std::size_t model_size);

extern "C" int RunModel(const std::byte* model_bytes, std::size_t model_size) {
  return static_cast<int>(arenaproof::Everything({model_bytes, model_size}).code);
}

// What an application on a microcontroller does, from the model's bytes to an answer. Linked to show that nothing of it
// needs a heap, exceptions or RTTI; no board runs it here.
#include <cstddef>
#include <span>

#include "core/model/validate.h"
#include "core/runtime/interpreter.h"
#include "core/runtime/kernel_set.h"
#include "kernels/reference/reference_kernels.h"

namespace {

// The interpreter's own object and the arena, as a device has them: fixed memory.
constexpr std::size_t kArenaBytes = 64 * 1024;
alignas(16) std::byte arena[kArenaBytes];
alignas(arenaproof::Interpreter) std::byte interpreter_place[sizeof(arenaproof::Interpreter)];

}  // namespace

// Where a board's own start-up code would hand over: the program's entry, so the linker keeps what it reaches.
extern "C" int RunModel(const std::byte* model_bytes, std::size_t model_size);

extern "C" int RunModel(const std::byte* model_bytes, std::size_t model_size) {
  using namespace arenaproof;
  ModelView model;
  if (!ModelView::Open({model_bytes, model_size}, &model).ok()) return 1;
  ValidationReport report;
  const KernelSetSupport support(ReferenceKernels());
  if (!ValidateModel(model, &report, &support).ok()) return 2;
  auto* const interpreter = new (interpreter_place) Interpreter(model, ReferenceKernels(), arena, sizeof arena);
  if (!interpreter->AllocateTensors().ok()) return 3;
  for (const Operand& input : interpreter->inputs()) {
    for (std::size_t i = 0; i < input.bytes; ++i) input.data[i] = std::byte{0};
  }
  const bool answered = interpreter->Invoke().ok();
  interpreter->~Interpreter();
  return answered ? 0 : 4;
}

#include "tests/embedding/sine_support.h"

#include <cstring>

#include "core/embedding/arenaproof.h"
#include "kernels/reference/reference_kernels.h"

using namespace arenaproof;

alignas(16) static std::byte arena[8 * 1024];

// `file`: of a model that has learnt it; starts on a multiple of 16.
Status SineOfPiTimes(float x, std::span<const std::byte> file, float* sine) {
  ValidationReport report;
  const KernelSetSupport support(ReferenceKernels());
  const std::optional<ValidatedModel> model = ValidatedModel::Open(file, &report, &support);
  if (!model) return report.status;

  Interpreter interpreter(*model, ReferenceKernels(), arena, sizeof arena);
  ARENAPROOF_RETURN_IF_ERROR(interpreter.AllocateTensors());
  std::memcpy(interpreter.inputs()[0].data, &x, sizeof x);
  ARENAPROOF_RETURN_IF_ERROR(interpreter.Invoke());

  // Any tensor by its index: here the output, which outputs()[0] describes too.
  const Operand* output = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(interpreter.AllocateTemporaryTensor(model->outputs(0)[0], &output));
  std::memcpy(sine, output->data, sizeof *sine);
  return interpreter.FreeTemporaryTensor(output);
}

// consumer FILE: runs a model of its own with a kernel and a planner of its own, has a wrong plan refused, has the
// kernel watched, and writes the model to FILE. Exit status: 0 all was as it should be, 1 it was not.
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

#include "average_kernel.h"
#include "core/embedding/arenaproof.h"
#include "kernels/kernel_refusals.h"
#include "kernels/reference/reference_kernels.h"
#include "own_model.h"
#include "own_planner.h"
#include "sanitizers/instrument/instrument_factory.h"

namespace consumer {
namespace {

using namespace arenaproof;

using Values = std::array<float, kLength>;
constexpr Values kInput = {2, 4, -8, 2, 0, 6, 6, -6};
constexpr Values kExpected = {1, 3, 0, 0, 1, 3, 6, 0};

alignas(64) std::byte arena[8192];

// The outputs for kInput.
Status Run(const ValidatedModel& model, const KernelSet& kernels, const InterpreterOptions& options, Values* outputs) {
  Interpreter interpreter(model, kernels, arena, sizeof arena, options);
  ARENAPROOF_RETURN_IF_ERROR(interpreter.AllocateTensors());
  std::memcpy(interpreter.inputs()[0].data, kInput.data(), sizeof kInput);
  ARENAPROOF_RETURN_IF_ERROR(interpreter.Invoke());
  std::memcpy(outputs->data(), interpreter.outputs()[0].data, sizeof *outputs);
  return Ok();
}

// How many accesses without right the guard sees of the kernel; -1: it could not look.
long AccessesSeen(const ValidatedModel& model, const Kernel& kernel) {
  const KernelSet kernels{.name = kernel.name, .kernels = {&kernel, 1}, .fallback = &ReferenceKernels()};
  const std::unique_ptr<AccessInstrument> guard = MakeInstrument("guard");
  if (!guard->Available().ok()) return -1;
  do {
    Values outputs;
    if (!Run(model, guard->Wrap(kernels), {.observer = guard.get()}, &outputs).ok()) return -1;
    if (!guard->self_test().status().ok()) return -1;
  } while (guard->BeginOtherRun());
  for (const Violation& violation : guard->log().groups()) std::puts(ViolationSentence(violation, "").c_str());
  return static_cast<long>(guard->log().access_count());
}

bool failed = false;

void Expect(bool is_so, const char* what) {
  std::printf("%s: %s\n", is_so ? "yes" : "NO", what);
  failed = failed || !is_so;
}

int Main(const char* path) {
  const std::vector<std::byte> file = OwnModel();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));

  const KernelSet kernels{.name = "consumer", .kernels = {&kAverage, 1}, .fallback = &ReferenceKernels()};
  ValidationReport report;
  const KernelSetSupport support(kernels);
  const std::optional<ValidatedModel> model = ValidatedModel::Open(file, &report, &support);
  Expect(model.has_value(), "the model is sound, and its operators are served");
  if (!model) return 1;

  SlotPlanner sound(64), wrong(0);
  Values outputs{};
  Expect(Run(*model, kernels, {.planner = &sound}, &outputs).ok(), "the planner's plan is certified");
  Expect(outputs == kExpected, "the outputs are right");
  const Status refused = Run(*model, kernels, {.planner = &wrong}, &outputs);
  Expect(refused.code == StatusCode::kPlanSharedBytes, "a plan in which tensors share bytes is refused");
  Expect(std::strcmp(KernelOptionName(KernelOption::kPadding), "padding") == 0, "what a kernel refuses has words");
  Expect(AccessesSeen(*model, kAverage) == 0, "the kernel touches its operands only");
  Expect(AccessesSeen(*model, kAverageThatReadsInFront) > 0, "a kernel that reads in front of its input is seen");
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace consumer

int main(int count, char** words) {
  if (count == 2) return consumer::Main(words[1]);
  std::fputs("usage: consumer FILE\n", stderr);
  return 2;
}

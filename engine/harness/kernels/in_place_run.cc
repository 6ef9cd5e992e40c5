#include "engine/harness/kernels/in_place_run.h"

#include <algorithm>
#include <memory>

#include "core/base/in_place.h"
#include "sanitizers/instrument/instrument_factory.h"

namespace arenaproof::testing {
namespace {

bool MayShare(const Kernel& kernel, const TestOperator& subject, std::size_t input) {
  const TestTensor& from = subject.inputs[input];
  if ((kernel.sharing & (kSharesInput0 << input)) == 0 || !from.present || from.constant || from.variable) return false;
  const TestTensor& to = subject.outputs[0];
  const std::size_t least = (kernel.sharing & kLeavesDataUnmodified) != 0 ? 0 : kScalarBytes;
  return from.bytes.size() == to.bytes.size() && to.bytes.size() > least && !to.variable;
}

// Watches the shared bytes alone; everything else is open to the kernel. Where the instrument is not compiled in, only
// outputs are compared.
class SharedBytesWatch {
 public:
  SharedBytesWatch(const std::byte* data, std::size_t bytes) : instrument_(MakeInstrument("shadow")) {
    if (instrument_ == nullptr) return;
    if (!instrument_->Available().ok()) {
      instrument_.reset();
      return;
    }
    instrument_->SkipSelfTest();
    instrument_->OnAttach({data, bytes}, {});
    const OperandRange ranges[] = {{data, bytes, AccessRight::kReadInPlace, OperandKind::kInput, 0},
                                   {data, bytes, AccessRight::kReadWriteInPlace, OperandKind::kOutput, 1}};
    OperatorScope scope;
    scope.operator_name = "in place";
    scope.kernel_name = "checked";
    scope.operands = ranges;
    instrument_->OnOperatorBegins(scope);
  }

  // Empty, or what was seen.
  std::string End() {
    if (instrument_ == nullptr) return {};
    instrument_->OnOperatorEnds();
    std::string seen;
    for (const Violation& violation : instrument_->log().groups()) seen += ViolationSentence(violation, "") + "; ";
    instrument_->OnDetach();
    return seen;
  }

 private:
  std::unique_ptr<AccessInstrument> instrument_;
};

std::string BrokenPromise(const KernelSet& set, const TestOperator& subject, std::size_t input,
                          const std::vector<std::vector<std::byte>>& expected) {
  const std::string where = "in the bytes of input " + std::to_string(input) + " ";
  KernelHarness harness(set, subject);
  harness.PutOutputInto(input);
  if (!harness.Prepare().ok()) return where + "prepare failed";
  SharedBytesWatch watch(harness.output_address(), subject.outputs[0].bytes.size());
  const Status status = harness.Invoke();
  if (const std::string seen = watch.End(); !seen.empty()) return where + seen;
  if (!status.ok()) return where + "invoke failed";
  if (!harness.InputsUnchanged()) return where + "another input was changed";
  for (std::size_t output = 0; output < expected.size(); ++output) {
    if (harness.output(output) != expected[output]) return where + "output " + std::to_string(output) + " differs";
  }
  return {};
}

}  // namespace

InPlaceRuns RunInPlace(const KernelSet& set, const TestOperator& subject,
                       const std::vector<std::vector<std::byte>>& expected) {
  InPlaceRuns runs;
  const Kernel* const kernel = KernelHarness(set, subject).kernel();
  if (kernel == nullptr || subject.outputs.empty()) return runs;
  for (std::size_t input = 0; input < std::min<std::size_t>(kMostSharedInputs, subject.inputs.size()); ++input) {
    if (!MayShare(*kernel, subject, input)) continue;
    ++runs.count;
    if (runs.broken_promise.empty()) runs.broken_promise = BrokenPromise(set, subject, input, expected);
  }
  return runs;
}

}  // namespace arenaproof::testing

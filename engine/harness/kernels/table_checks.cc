#include "engine/harness/kernels/table_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/harness/kernels/case_operator.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

constexpr const char* kWrongOutput = "an output is not what the definition says";

// Values that are no number are all one, zeros are two.
bool SameBits(double found, double expected) {
  if (std::isnan(found) || std::isnan(expected)) return std::isnan(found) && std::isnan(expected);
  return found == expected && std::signbit(found) == std::signbit(expected);
}

bool Agrees(TensorType type, double found, double defined, const props::Expected& expected) {
  if (expected.to_the_bit && type == TensorType::kFloat32) return SameBits(found, defined);
  return std::isnan(defined) || found == defined || std::fabs(found - defined) <= expected.tolerance;
}

std::string FoundAndDefined(const std::string& of, std::size_t found, std::size_t defined) {
  return of + ": " + std::to_string(found) + ", by definition " + std::to_string(defined);
}

Difference DifferenceOfBytes(const std::vector<std::size_t>& found, const std::vector<std::size_t>& defined,
                             const char* of, const char* what) {
  for (std::size_t i = 0; i < std::max(found.size(), defined.size()); ++i) {
    const std::size_t taken = i < found.size() ? found[i] : 0, expected = i < defined.size() ? defined[i] : 0;
    if (taken != expected) return {what, FoundAndDefined(of + std::to_string(i), taken, expected)};
  }
  return {};
}

Difference DifferenceOfVariables(const OperatorCase& subject, const props::OperatorDefinition& definition,
                                 const std::vector<std::vector<std::byte>>& found) {
  if (definition.variables == nullptr) return {};
  const std::vector<props::Expected> expected = definition.variables(subject);
  if (expected.size() != found.size()) return {"the definition names another number of variables"};
  std::size_t which = 0;
  for (const CaseTensor& input : subject.inputs) {
    if (!input.variable) continue;
    Difference difference = DifferenceOfElements(input.type, found[which].data(), which, expected[which]);
    if (!difference.none()) return {"a variable after the run is not what the definition says", difference.numbers};
    ++which;
  }
  return {};
}

Difference Refused(const Status& status) {
  return {"a valid operator is refused", "prepare or invoke: " + Sentence(status)};
}

}  // namespace

Difference DifferenceOfElements(TensorType type, const std::byte* found, std::size_t which,
                                const props::Expected& expected) {
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double value = props::ElementOf(type, found, i), defined = expected.values[i];
    if (Agrees(type, value, defined, expected)) continue;
    char numbers[128];
    std::snprintf(numbers, sizeof numbers, "element %zu of output %zu is %.9g, by definition %.9g", i, which, value,
                  defined);
    return {kWrongOutput, numbers};
  }
  return {};
}

Difference DifferenceOfOutputs(const OperatorCase& subject, const props::OperatorDefinition& definition,
                               const std::byte* outputs) {
  const std::vector<props::Expected> expected = definition.outputs(subject);
  for (std::size_t i = 0; i < subject.output_count(); ++i) {
    const CaseTensor& output = subject.output_at(i);
    if (expected[i].values.size() != output.count()) return {"the definition makes another number of elements"};
    Difference difference = DifferenceOfElements(output.type, outputs, i, expected[i]);
    if (!difference.none()) return difference;
    outputs += output.count() * ElementBytes(output.type);
  }
  return {};
}

MemoryRequests DefinedRequests(const OperatorCase& subject, const props::OperatorDefinition& definition) {
  const auto defined = [&](auto* function) {
    return function == nullptr ? std::vector<std::size_t>{} : function(subject);
  };
  return {defined(definition.scratch), defined(definition.arrays)};
}

Difference DifferenceOfRequests(const MemoryRequests& found, const MemoryRequests& defined) {
  Difference difference = DifferenceOfBytes(found.scratch, defined.scratch, "bytes of scratch buffer ",
                                            "scratch is requested that is not used, or too little of it");
  if (!difference.none()) return difference;
  return DifferenceOfBytes(found.arrays, defined.arrays, "bytes of array ",
                           "arrays for channels have another size than by definition");
}

Difference DifferenceOfKernel(const KernelSet& kernels, const OperatorCase& subject,
                              const props::OperatorDefinition& definition) {
  const TestOperator made = OperatorOf(subject, false);
  KernelHarness harness(kernels, made);
  if (const Status status = harness.Prepare(); !status.ok()) return Refused(status);
  // The first block is the operator's own data.
  std::vector<std::size_t> arrays = harness.persistent_requests();
  if (!arrays.empty()) arrays.erase(arrays.begin());
  Difference requests =
      DifferenceOfRequests({harness.scratch_requests(), arrays}, DefinedRequests(subject, definition));
  if (!requests.none()) return requests;
  const RunResult result = RunKernel(kernels, made);
  if (!result.status.ok()) return Refused(result.status);
  if (!result.broken_promise.empty()) return {result.broken_promise};
  std::vector<std::byte> outputs;
  for (const auto& output : result.outputs) outputs.insert(outputs.end(), output.begin(), output.end());
  Difference difference = DifferenceOfOutputs(subject, definition, outputs.data());
  return difference.none() ? DifferenceOfVariables(subject, definition, result.variables) : difference;
}

Difference DifferenceOfRefusal(const KernelSet& kernels, const BeyondCase& beyond, bool* in_prepare) {
  const TestOperator made = OperatorOf(beyond.subject, false);
  KernelHarness harness(kernels, made);
  Status status = harness.Prepare();
  *in_prepare = !status.ok();
  if (status.ok()) status = harness.Invoke();
  if (Says(status, beyond.refusal)) return {};
  return {"what is beyond the operator's row is not refused, or not with the status that says why",
          "the answer is " + std::string(StatusName(status.code)) + ": " + Sentence(status)};
}

}  // namespace arenaproof::testing

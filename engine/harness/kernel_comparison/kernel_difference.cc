#include "engine/harness/kernel_comparison/kernel_difference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/oracles/operators/definitions/definition.h"
#include "tools/text/sentences.h"
#include "tools/text/tensor_value.h"

namespace arenaproof::testing {
namespace {

using Bytes = std::vector<std::byte>;

bool SameElement(TensorType type, const std::byte* one, const std::byte* other) {
  if (std::memcmp(one, other, ElementBytes(type)) == 0) return true;
  return type == TensorType::kFloat32 && std::isnan(props::ElementOf(type, one, 0)) &&
         std::isnan(props::ElementOf(type, other, 0));
}

std::string ElementWords(TensorType type, const std::byte* element) {
  const TensorValue value{.type = TensorTypeName(type), .bytes = Bytes(element, element + ElementBytes(type))};
  return NumberText(FirstValues(value, 1).front());
}

std::string ByteWords(TensorType type, const std::byte* element) {
  std::array<char, 4> digits{};
  std::string words = "bytes";
  for (std::size_t i = 0; i < ElementBytes(type); ++i) {
    std::snprintf(digits.data(), digits.size(), " %02x", std::to_integer<unsigned>(element[i]));
    words += digits.data();
  }
  return words;
}

// Both in words that differ: of a type without numbers here, the bytes.
std::array<std::string, 2> DifferentWords(TensorType type, const std::byte* one, const std::byte* other) {
  const std::string first = ElementWords(type, one), second = ElementWords(type, other);
  if (first != second) return {first, second};
  return {ByteWords(type, one), ByteWords(type, other)};
}

// "7 of 12 at [1,3] (and 2 behind it)"
std::string Place(const CaseTensor& tensor, std::size_t index, std::size_t more) {
  std::string words = std::to_string(index) + " of " + std::to_string(tensor.count()) + " at [";
  const char* separator = "";
  for (const std::int32_t at : props::PositionOf(tensor.shape, index)) {
    words += separator + std::to_string(at);
    separator = ",";
  }
  words += "]";
  return more == 0 ? words : words + " (and " + std::to_string(more) + " behind it)";
}

// Where two values of one tensor differ.
struct DifferentElement {
  std::size_t index = 0, more = 0;
  std::array<std::string, 2> found;
};

std::optional<DifferentElement> FindDifference(const CaseTensor& tensor, const Bytes& one, const Bytes& other) {
  if (one == other) return std::nullopt;
  std::optional<DifferentElement> first;
  const std::size_t width = ElementBytes(tensor.type);
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    const std::byte* const a = one.data() + i * width;
    const std::byte* const b = other.data() + i * width;
    if (SameElement(tensor.type, a, b)) continue;
    if (first) {
      ++first->more;
    } else {
      first = DifferentElement{.index = i, .found = DifferentWords(tensor.type, a, b)};
    }
  }
  return first;
}

// Of output number `which` after the first run, or of that variable.
std::string DefinedElement(const OperatorCase& subject, std::size_t which, bool is_variable, std::size_t index) {
  const props::OperatorDefinition* const definition = props::FindDefinition(subject.code);
  if (definition == nullptr || (is_variable && definition->variables == nullptr)) return {};
  const props::Expected expected = (is_variable ? definition->variables : definition->outputs)(subject)[which];
  const double value = expected.values[index], tolerance = expected.tolerance;
  if (std::isnan(value)) return {};  // not decided, or written as any of many bytes
  return NumberText(value) + (tolerance > 0 ? ", give or take " + NumberText(tolerance) : "");
}

// Both runs of one case.
class RunPair {
 public:
  RunPair(const NumberedCase& one, const std::array<KernelRun, 2>& runs) : one_(one), runs_(runs) {}

  std::optional<KernelDifference> Difference() const {
    if (!runs_[0].broken_promise.empty() || !runs_[1].broken_promise.empty()) return OfPromises();
    if (runs_[0].status.code != runs_[1].status.code || runs_[0].invokes.size() != runs_[1].invokes.size() ||
        runs_[0].prepared != runs_[1].prepared) {
      return OfStatuses();
    }
    for (std::size_t invoke = 0; invoke < runs_[0].invokes.size(); ++invoke) {
      if (auto found = OfOutputs(invoke)) return found;
      if (auto found = OfVariables(invoke)) return found;
    }
    return std::nullopt;
  }

 private:
  KernelDifference At(std::string where) const {
    return {.number = one_.number, .subject = one_.subject, .where = std::move(where)};
  }

  KernelDifference OfPromises() const {
    KernelDifference difference = At("what no kernel may do");
    for (std::size_t set = 0; set < 2; ++set) {
      const std::string& broken = runs_[set].broken_promise;
      difference.found[set] = broken.empty() ? "does nothing of the kind" : broken;
    }
    return difference;
  }

  KernelDifference OfStatuses() const {
    const bool of_prepare = !runs_[0].prepared || !runs_[1].prepared;
    const std::size_t invoke = std::min(runs_[0].invokes.size(), runs_[1].invokes.size());
    KernelDifference difference = At(of_prepare ? "prepare" : "invoke " + std::to_string(invoke + 1));
    for (std::size_t set = 0; set < 2; ++set) {
      const KernelRun& run = runs_[set];
      const bool accepts = of_prepare ? run.prepared : run.invokes.size() > invoke;
      difference.found[set] = accepts ? "success" : Sentence(run.status);
    }
    return difference;
  }

  std::optional<KernelDifference> OfOutputs(std::size_t invoke) const {
    for (std::size_t i = 0; i < one_.subject.output_count(); ++i) {
      const CaseTensor& output = one_.subject.output_at(i);
      const auto found =
          FindDifference(output, runs_[0].invokes[invoke].outputs[i], runs_[1].invokes[invoke].outputs[i]);
      if (!found) continue;
      KernelDifference difference = OfTensor("output " + std::to_string(i), output, *found, invoke);
      if (invoke == 0) difference.defined = DefinedElement(one_.subject, i, false, found->index);
      return difference;
    }
    return std::nullopt;
  }

  std::optional<KernelDifference> OfVariables(std::size_t invoke) const {
    std::size_t variables = 0;
    for (std::size_t i = 0; i < one_.subject.inputs.size(); ++i) {
      const CaseTensor& input = one_.subject.inputs[i];
      if (!input.variable) continue;
      const std::size_t which = variables++;
      const auto found =
          FindDifference(input, runs_[0].invokes[invoke].variables[i], runs_[1].invokes[invoke].variables[i]);
      if (!found) continue;
      KernelDifference difference = OfTensor("variable input " + std::to_string(i), input, *found, invoke);
      if (invoke == 0) difference.defined = DefinedElement(one_.subject, which, true, found->index);
      return difference;
    }
    return std::nullopt;
  }

  KernelDifference OfTensor(const std::string& name, const CaseTensor& tensor, const DifferentElement& found,
                            std::size_t invoke) const {
    KernelDifference difference = At(name + ", element " + Place(tensor, found.index, found.more) + ", after invoke " +
                                     std::to_string(invoke + 1));
    difference.found = found.found;
    return difference;
  }

  const NumberedCase& one_;
  const std::array<KernelRun, 2>& runs_;
};

}  // namespace

std::optional<KernelDifference> DifferenceOfRuns(const NumberedCase& one, const std::array<KernelRun, 2>& runs) {
  return RunPair(one, runs).Difference();
}

}  // namespace arenaproof::testing

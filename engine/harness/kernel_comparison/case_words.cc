#include "engine/harness/kernel_comparison/case_words.h"

#include "core/operators/operand_rules.h"
#include "tools/text/tensor_value.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

std::string ShapeWords(const std::vector<std::int32_t>& shape) {
  std::string words = "[";
  for (const std::int32_t extent : shape) words += (words.size() == 1 ? "" : ",") + std::to_string(extent);
  return words + "]";
}

std::string QuantizationWords(const CaseTensor& tensor) {
  if (tensor.scales.empty()) return {};
  const std::string scale = NumberText(double{tensor.scales[0]});
  if (tensor.scales.size() > 1) {
    return ", " + Counted(static_cast<long long>(tensor.scales.size()), "scale") + " along axis " +
           std::to_string(tensor.dimension) + ", the first " + scale;
  }
  return ", scale " + scale + ", zero point " + std::to_string(tensor.zero_point);
}

// Few values say most where they decide what is computed: axes, sizes, indices.
std::string ValueWords(const CaseTensor& tensor) {
  constexpr std::size_t kMost = 8;
  if (tensor.bytes.empty() || tensor.type == TensorType::kInt4 || tensor.count() > kMost) return {};
  std::string words;
  const TensorValue value{.type = TensorTypeName(tensor.type), .bytes = tensor.bytes};
  for (const ElementValue& element : FirstValues(value, kMost)) {
    words += (words.empty() ? ": " : " ") + NumberText(element);
  }
  return words;
}

std::string OperandWords(const OperandRow& row, const CaseTensor& tensor) {
  const std::string name = " (" + std::string(row.name) + ")";
  if (!tensor.present) return name + ": left out";
  return name + ": " +
         (tensor.constant   ? "constant "
          : tensor.variable ? "variable "
                            : "") +
         TensorTypeName(tensor.type) + ShapeWords(tensor.shape) + QuantizationWords(tensor) + ValueWords(tensor);
}

}  // namespace

std::vector<std::string> CaseLines(const OperatorRow& row, const OperatorCase& subject) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < subject.inputs.size(); ++i) {
    lines.push_back("input " + std::to_string(i) + OperandWords(OperandRowAt(row.inputs, i), subject.inputs[i]));
  }
  for (std::size_t i = 0; i < subject.output_count(); ++i) {
    lines.push_back("output " + std::to_string(i) + OperandWords(OperandRowAt(row.outputs, i), subject.output_at(i)));
  }
  std::string options;
  for (const OptionRow& option : row.options) {
    options +=
        (options.empty() ? "" : ", ") + std::string(option.name) + " " + std::to_string(option.get(subject.options));
  }
  if (!options.empty()) lines.push_back("options: " + options);
  return lines;
}

}  // namespace arenaproof::testing

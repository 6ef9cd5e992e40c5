#include "engine/harness/kernels/type_checks.h"

#include <optional>

#include "core/operators/operand_rules.h"
#include "core/operators/operator_table.h"
#include "core/operators/type_tuples.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

TestTensor& OperandOf(TestOperator& subject, std::size_t operand) {
  const std::size_t input_count = subject.inputs.size();
  return operand < input_count ? subject.inputs[operand] : subject.outputs[operand - input_count];
}

// As many elements as it has, and a quantisation that any type may have.
void ChangeType(TestTensor& tensor, TensorType type) {
  std::size_t count = 1;
  for (const std::int32_t extent : tensor.shape) count *= static_cast<std::size_t>(extent);
  tensor.type = type;
  const bool packed = tensor.constant && type == TensorType::kInt4;
  tensor.bytes.resize(packed ? count / 2 + count % 2 : count * ElementBytes(type));
  if (tensor.scales.empty()) tensor.scales = {0.125f};
  tensor.zero_points.assign(tensor.scales.size(), 0);
}

const OperandRow& RowOf(const OperatorRow& row, const TestOperator& subject, std::size_t operand) {
  const std::size_t input_count = subject.inputs.size();
  return operand < input_count ? OperandRowAt(row.inputs, operand) : OperandRowAt(row.outputs, operand - input_count);
}

bool Serves(const OperatorRow& row, const TestOperator& subject) {
  const auto types_of = [](const std::vector<TestTensor>& tensors) {
    std::vector<std::optional<TensorType>> types;
    for (const TestTensor& tensor : tensors) {
      types.push_back(tensor.present ? std::optional(tensor.type) : std::nullopt);
    }
    return types;
  };
  return TupleOf(row, {types_of(subject.inputs), types_of(subject.outputs)}).has_value();
}

bool IsAboutTypes(StatusCode code) {
  return code == StatusCode::kKernelType || code == StatusCode::kKernelUnsupportedType;
}

std::string TypesOf(const TestOperator& subject) {
  std::string types;
  for (const TestTensor& input : subject.inputs) {
    types += std::string(" ") + (input.present ? TensorTypeName(input.type) : "none");
  }
  types += " ->";
  for (const TestTensor& output : subject.outputs) types += std::string(" ") + TensorTypeName(output.type);
  return types;
}

// What is served may be refused for something else: only the types were made to fit.
std::string Wrong(const KernelSet& set, const OperatorRow& row, const TestOperator& changed) {
  const bool serves = Serves(row, changed);
  const Status status = PrepareStatus(set, changed);
  if (serves != IsAboutTypes(status.code)) return "";
  const std::string types = TypesOf(changed);
  if (serves) return "types that are served are refused:" + types + " (" + Sentence(status) + ")";
  return (status.ok() ? "types that are not served are accepted:"
                      : "types that are not served are refused for another reason:") +
         types + (status.ok() ? "" : " (" + Sentence(status) + ")");
}

}  // namespace

std::string WrongAboutTypes(const KernelSet& set, const OperatorRow& row, const TestOperator& subject,
                            std::size_t operand) {
  TestOperator same = subject;
  const TensorType old = OperandOf(same, operand).type;
  if (!OperandOf(same, operand).present || !RowOf(row, subject, operand).read) return "";
  for (const TensorType type : kSchemaTypes) {
    if (type == old) continue;
    TestOperator alone = subject, together = subject;
    ChangeType(OperandOf(alone, operand), type);
    for (std::size_t other = 0; other < OperandCount(together); ++other) {
      TestTensor& tensor = OperandOf(together, other);
      const bool changes = tensor.present && tensor.type == old && RowOf(row, subject, other).read;
      if (changes) ChangeType(tensor, type);
    }
    for (const TestOperator* changed : {&alone, &together}) {
      if (const std::string wrong = Wrong(set, row, *changed); !wrong.empty()) return wrong;
    }
  }
  return "";
}

std::string WrongAboutTypes(const KernelSet& set, const TestOperator& subject, std::size_t operand) {
  const OperatorRow* const row = FindOperatorRow(subject.op);
  return row == nullptr ? "" : WrongAboutTypes(set, *row, subject, operand);
}

}  // namespace arenaproof::testing

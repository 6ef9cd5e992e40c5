#include "tools/text/validation_sentence.h"

#include "core/model/builtin_operator.h"
#include "core/model/tensor_type.h"
#include "tools/text/sentences.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string Named(const UnsupportedItem& item) {
  switch (item.kind) {
    case UnsupportedKind::kBuiltinOperator: {
      const auto code = static_cast<BuiltinOperator>(item.value);
      if (!IsKnownBuiltinOperator(code)) return "operator code " + std::to_string(item.value);
      return BuiltinOperatorName(code);
    }
    case UnsupportedKind::kCustomOperator:
      return "custom operator '" + Printable(std::string(item.name)) + "'";
    case UnsupportedKind::kTensorType:
      return std::string("tensors of type ") + TensorTypeName(static_cast<TensorType>(item.value));
    case UnsupportedKind::kFeature:
      return UnsupportedFeatureName(static_cast<UnsupportedFeature>(item.value));
  }
  return "something unknown";
}

// "first in operator 3 of subgraph 0".
std::string FirstPlace(const UnsupportedItem& item) {
  const std::string of_subgraph = " of subgraph " + std::to_string(item.first_subgraph);
  const std::string index = std::to_string(item.first_index);
  switch (item.kind) {
    case UnsupportedKind::kBuiltinOperator:
    case UnsupportedKind::kCustomOperator:
      return "first in operator " + index + of_subgraph;
    case UnsupportedKind::kTensorType:
      return "first in tensor " + index + of_subgraph;
    case UnsupportedKind::kFeature:
      break;
  }
  switch (static_cast<UnsupportedFeature>(item.value)) {
    case UnsupportedFeature::kBufferOutsideFile:
      return "first in buffer " + index;
    case UnsupportedFeature::kLargeCustomOptions:
      return "first in operator " + index + of_subgraph;
    default:
      return "first in tensor " + index + of_subgraph;
  }
}

}  // namespace

std::string ValidationSentence(const ValidationReport& report) {
  if (report.status.code != StatusCode::kModelUnsupported || report.unsupported().empty()) {
    return Sentence(report.status);
  }
  std::string text = "the model needs what is not supported:";
  const char* separator = " ";
  for (const UnsupportedItem& item : report.unsupported()) {
    text += separator + Named(item) + " (" + Counted(item.count, "time") + ", " + FirstPlace(item) + ")";
    separator = ", ";
  }
  if (report.omitted_count() > 0) text += ", and " + std::to_string(report.omitted_count()) + " more";
  return text + "; docs/operators.md lists what is";
}

}  // namespace arenaproof

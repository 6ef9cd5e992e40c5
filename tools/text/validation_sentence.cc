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

}  // namespace

std::string ValidationSentence(const ValidationReport& report) {
  if (report.status.code != StatusCode::kModelUnsupported || report.unsupported().empty()) {
    return Sentence(report.status);
  }
  std::string text = "the model needs what is not supported:";
  const char* separator = " ";
  for (const UnsupportedItem& item : report.unsupported()) {
    text += separator + Named(item) + " (" + Counted(item.count, "time") + ")";
    separator = ", ";
  }
  if (report.omitted_count() > 0) text += ", and " + std::to_string(report.omitted_count()) + " more";
  return text;
}

}  // namespace arenaproof

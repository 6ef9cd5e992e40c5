#include <nlohmann/json.hpp>
#include <span>

#include "core/operators/operator_table.h"
#include "tools/command/operator_words.h"
#include "tools/command/operators.h"
#include "tools/text/json_text.h"
#include "tools/text/refusal_code.h"

namespace arenaproof {
namespace {

using Json = nlohmann::ordered_json;

const char* PresenceName(Presence presence) {
  constexpr const char* kNames[] = {"required", "optional", "repeated", "forbidden"};
  return kNames[static_cast<std::size_t>(presence)];
}

const char* ShapeRuleName(ShapeRule rule) {
  switch (rule) {
#define ARENAPROOF_SHAPE_RULE(name, words) \
  case ShapeRule::name:                    \
    return #name;
#include "core/operators/shape_rules.inc"
#undef ARENAPROOF_SHAPE_RULE
  }
  return "kUnknown";
}

const char* QuantizationRuleName(QuantizationRule rule) {
  switch (rule) {
    case QuantizationRule::kNone:
      return "none";
    case QuantizationRule::kFree:
      return "free";
    case QuantizationRule::kSymmetric:
    case QuantizationRule::kPowerOfTwo:  // which is about the scales of cases
      return "symmetric";
    case QuantizationRule::kSymmetricIfConverted:
      return "symmetric_if_converted";
    case QuantizationRule::kSymmetricOrNone:
      return "symmetric_or_none";
    case QuantizationRule::kCentered:
      return "centered";
    case QuantizationRule::kChannels:
      return "channels";
    case QuantizationRule::kAsFirst:
      return "as_first";
    case QuantizationRule::kProduct:
      return "product";
    case QuantizationRule::kUnit8:
      return "unit_of_8_bits";
    case QuantizationRule::kUnit16:
      return "unit_of_16_bits";
    case QuantizationRule::kLogarithm:
      return "logarithm";
    case QuantizationRule::kByOperator:
      return "by_operator";
  }
  return "unknown";
}

const char* QuantizationReadName(QuantizationRead read) {
  constexpr const char* kNames[] = {"all", "nearly", "any_scale", "nothing"};
  return kNames[static_cast<std::size_t>(read)];
}

Json QuantizationsJson(const OperatorRow& row, const OperandRow& operand) {
  Json list = Json::array();
  for (const TypeQuantization& each : QuantizationsOf(row, operand)) {
    Json json = {{"type", TensorTypeName(each.type)},
                 {"rule", QuantizationRuleName(each.rule)},
                 {"read", QuantizationReadName(each.read)}};
    if (each.rule == QuantizationRule::kChannels) json["channel_axis"] = operand.channel_axis;
    list.push_back(std::move(json));
  }
  return list;
}

Json OperandsJson(const OperatorRow& row, std::span<const OperandRow> operands) {
  Json list = Json::array();
  for (const OperandRow& operand : operands) {
    Json json = {{"name", operand.name},
                 {"presence", PresenceName(operand.presence)},
                 {"source", SourceName(operand.source)},
                 {"read", operand.read},
                 {"type_column", operand.type_column},
                 {"least_rank", operand.least_rank},
                 {"most_rank", operand.most_rank},
                 {"quantization", QuantizationsJson(row, operand)}};
    const Source* const of_int4 = Int4Source(row, operand);
    if (of_int4 != nullptr) json["int4_source"] = SourceName(*of_int4);
    list.push_back(std::move(json));
  }
  return list;
}

Json TypesJson(const OperatorRow& row) {
  Json list = Json::array();
  for (const TypeTuple& tuple : row.types) {
    Json columns = Json::array();
    for (const std::size_t column : ColumnsOf(row)) {
      columns.push_back({{"column", column}, {"type", TensorTypeName(tuple[column])}});
    }
    list.push_back({{"columns", std::move(columns)}});
  }
  return list;
}

Json RowLengthsJson(const OperatorRow& row) {
  Json list = Json::array();
  for (const LongestRow& longest : row.longest_rows) {
    list.push_back({{"type", TensorTypeName(longest.type)}, {"most", longest.most}});
  }
  return list;
}

Json OptionsJson(const OperatorRow& row) {
  Json list = Json::array();
  for (const OptionRow& option : row.options) {
    list.push_back({{"name", option.name},
                    {"least", option.least},
                    {"most", option.most},
                    {"by_shapes", option.by_shape_rule},
                    {"more_is_served", option.more},
                    {"read", option.read}});
  }
  return list;
}

Json OperatorJson(const OperatorRow& row) {
  Json json = {{"name", BuiltinOperatorName(row.code)},
               {"code", static_cast<std::int32_t>(row.code)},
               {"shape_rule", WithUnderscores(ShapeRuleName(row.shape))},
               {"shapes", ShapeRuleWords(row.shape)},
               {"inputs", OperandsJson(row, row.inputs)},
               {"outputs", OperandsJson(row, row.outputs)},
               {"least_repeated", row.least_repeated},
               {"most_repeated", MostRepeated(row)},
               {"types", TypesJson(row)},
               {"options", OptionsJson(row)},
               {"limits", row.limits},
               {"row_lengths", RowLengthsJson(row)},
               {"deviation", row.deviation},
               {"kernels", KernelSetsOf(row.code)}};
  return json;
}

}  // namespace

std::string OperatorsReportJson() {
  Json operators = Json::array();
  for (const OperatorRow* row : OperatorTable()) operators.push_back(OperatorJson(*row));
  return JsonReport({{"command", "operators"},
                     {"exit_status", static_cast<int>(ExitStatus::kClean)},
                     {"operators", std::move(operators)}});
}

}  // namespace arenaproof

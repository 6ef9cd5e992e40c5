#include <nlohmann/json.hpp>
#include <span>

#include "core/operators/operator_table.h"
#include "tools/command/operator_words.h"
#include "tools/command/operators.h"
#include "tools/text/json_text.h"

namespace arenaproof {
namespace {

using Json = nlohmann::ordered_json;

const char* PresenceName(Presence presence) {
  constexpr const char* kNames[] = {"required", "optional", "repeated", "forbidden"};
  return kNames[static_cast<std::size_t>(presence)];
}

const char* SourceName(Source source) {
  constexpr const char* kNames[] = {"any", "constant", "variable"};
  return kNames[static_cast<std::size_t>(source)];
}

Json OperandsJson(const OperatorRow& row, std::span<const OperandRow> operands) {
  Json list = Json::array();
  for (const OperandRow& operand : operands) {
    list.push_back({{"name", operand.name},
                    {"presence", PresenceName(operand.presence)},
                    {"source", SourceName(operand.source)},
                    {"read", operand.read},
                    {"type_column", operand.type_column},
                    {"least_rank", operand.least_rank},
                    {"most_rank", operand.most_rank},
                    {"quantization", QuantizationWords(row, operand)}});
  }
  return list;
}

Json TypesJson(const OperatorRow& row) {
  Json list = Json::array();
  for (const TypeTuple& tuple : row.types) {
    Json columns = Json::array();
    for (const TensorType type : tuple) columns.push_back(TensorTypeName(type));
    list.push_back({{"columns", std::move(columns)}});
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
               {"shapes", ShapeRuleWords(row.shape)},
               {"inputs", OperandsJson(row, row.inputs)},
               {"outputs", OperandsJson(row, row.outputs)},
               {"most_repeated", row.most_repeated},
               {"more_repeated", row.more_repeated},
               {"types", TypesJson(row)},
               {"options", OptionsJson(row)},
               {"limits", row.limits},
               {"row_lengths", RowLengthWords(row)},
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

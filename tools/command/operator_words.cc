#include "tools/command/operator_words.h"

#include <algorithm>
#include <utility>

#include "core/operators/operand_rules.h"
#include "core/runtime/kernel_interface/limits.h"
#include "kernels/kernel_sets.h"

namespace arenaproof {
namespace {

std::string RuleWords(QuantizationRule rule, const OperandRow& operand, TensorType type, bool is_first) {
  const bool wide = type == TensorType::kInt16;
  switch (rule) {
    case QuantizationRule::kNone:
      return "";
    case QuantizationRule::kFree:
      return "one scale, any zero point";
    case QuantizationRule::kSymmetric:
    case QuantizationRule::kPowerOfTwo:
      return "one scale, zero point 0";
    case QuantizationRule::kSymmetricIfConverted:
      return "one scale, zero point 0, where the output has another type; else not read";
    case QuantizationRule::kSymmetricOrNone:
      return is_first ? "one scale, zero point 0, or none"
                      : "one scale, zero point 0; where the first operand has none it is not read";
    case QuantizationRule::kCentered:
      return "zero point 0 or none; the scale is not read";
    case QuantizationRule::kChannels:
      return "one scale, or one for each step of dimension " + std::to_string(operand.channel_axis) + "; zero points 0";
    case QuantizationRule::kAsFirst:
      return "as the first operand's";
    case QuantizationRule::kProduct:
      return "scales of the operands before it multiplied, zero point 0";
    case QuantizationRule::kUnit8:
      return wide ? "scale 1/65536, zero point -32768 (for an INT16 input 1/32768, 0)" : "scale 1/256, zero point -128";
    case QuantizationRule::kUnit16:
      return "scale 1/32768, zero point 0";
    case QuantizationRule::kLogarithm:
      return "scale 1/16, zero point 127";
    case QuantizationRule::kByOperator:
      return "see the limits";
  }
  return "";
}

std::string ReadWords(QuantizationRead read, const std::string& rule) {
  switch (read) {
    case QuantizationRead::kAll:
      return rule;
    case QuantizationRead::kNearly:
      return rule + ", nearly";
    case QuantizationRead::kAnyScale:
      return rule + ", whose scale may be another";
    case QuantizationRead::kNothing:
      return "not read";
  }
  return rule;
}

bool IsFirst(const OperatorRow& row, const OperandRow& operand) {
  return !row.inputs.empty() && &row.inputs[0] == &operand;
}

}  // namespace

std::string PresenceWords(const OperatorRow& row, const OperandRow& operand) {
  switch (operand.presence) {
    case Presence::kRequired:
      return "required";
    case Presence::kOptional:
      return "optional";
    case Presence::kRepeated:
      return std::to_string(row.least_repeated) + " to " + std::to_string(MostRepeated(row));
    case Presence::kForbidden:
      return "left out";
  }
  return "";
}

std::size_t MostRepeated(const OperatorRow& row) {
  if (!row.more_repeated) return row.most_repeated;
  std::size_t others = 0;
  for (const std::span<const OperandRow> side : {row.inputs, row.outputs}) {
    for (const OperandRow& operand : side) others += operand.presence == Presence::kRepeated ? 0 : 1;
  }
  return kMaxOperandsPerOperator - others;
}

const char* SourceName(Source source) {
  switch (source) {
    case Source::kAny:
      return "any";
    case Source::kConstant:
      return "constant";
    case Source::kVariable:
      return "variable";
    case Source::kComputed:
      return "computed";
  }
  return "";
}

const Source* Int4Source(const OperatorRow& row, const OperandRow& operand) {
  const auto has_int4 = [&](const TypeTuple& tuple) { return tuple[operand.type_column] == TensorType::kInt4; };
  const auto is_operand = [&](const OperandRow& input) { return &input == &operand; };
  const bool may_be_int4 = operand.read && std::any_of(row.types.begin(), row.types.end(), has_int4) &&
                           std::any_of(row.inputs.begin(), row.inputs.end(), is_operand);
  return may_be_int4 && operand.int4_source != operand.source ? &operand.int4_source : nullptr;
}

std::string SourceWords(const OperatorRow& row, const OperandRow& operand) {
  if (operand.presence == Presence::kForbidden) return "";
  const Source* const of_int4 = Int4Source(row, operand);
  return std::string(SourceName(operand.source)) + (operand.read ? "" : ", not read") +
         (of_int4 == nullptr ? std::string() : std::string("; INT4: ") + SourceName(*of_int4));
}

std::string RankWords(const OperandRow& operand) {
  if (operand.presence == Presence::kForbidden) return "";
  const std::string least = std::to_string(operand.least_rank);
  return operand.least_rank == operand.most_rank ? least : least + " to " + std::to_string(operand.most_rank);
}

std::vector<TypeQuantization> QuantizationsOf(const OperatorRow& row, const OperandRow& operand) {
  std::vector<TypeQuantization> all;
  for (const TypeTuple& tuple : row.types) {
    const TensorType type = tuple[operand.type_column];
    QuantizationRule rule = RuleFor(operand, type);
    if (rule == QuantizationRule::kAsFirst && IsFirst(row, operand)) rule = QuantizationRule::kFree;
    if (operand.quantization_in_limits && rule != QuantizationRule::kNone) rule = QuantizationRule::kByOperator;
    if (rule == QuantizationRule::kNone || operand.presence == Presence::kForbidden) continue;
    const auto is_of_type = [type](const TypeQuantization& each) { return each.type == type; };
    if (std::none_of(all.begin(), all.end(), is_of_type)) {
      all.push_back({type, rule, operand.quantization_in_limits ? QuantizationRead::kAll : ReadFor(operand, type)});
    }
  }
  return all;
}

std::string QuantizationWords(const OperatorRow& row, const OperandRow& operand) {
  // What is said of several types stands once, in the order of the first of them.
  std::vector<std::pair<std::string, std::vector<TensorType>>> said;
  for (const TypeQuantization& each : QuantizationsOf(row, operand)) {
    const std::string words = ReadWords(each.read, RuleWords(each.rule, operand, each.type, IsFirst(row, operand)));
    auto found = std::find_if(said.begin(), said.end(), [&](const auto& line) { return line.first == words; });
    if (found == said.end()) found = said.insert(said.end(), {words, {}});
    found->second.push_back(each.type);
  }
  std::string text;
  for (const auto& [words, types] : said) {
    text += text.empty() ? "" : "; ";
    for (const TensorType type : types) {
      text += std::string(type == types[0] ? "" : ", ") + TensorTypeName(type);
    }
    text += ": " + words;
  }
  return text;
}

std::string OptionWords(const OptionRow& option) {
  if (!option.read) return "not read";
  const std::string least = std::to_string(option.least);
  const std::string range = option.least == option.most ? least : least + " to " + std::to_string(option.most);
  if (option.more) return "what the limits say; cases have " + range;
  return option.by_shape_rule ? range + ", as the shapes allow" : range;
}

std::string ColumnName(const OperatorRow& row, std::size_t column) {
  std::vector<std::string> names;
  for (const std::span<const OperandRow> side : {row.inputs, row.outputs}) {
    for (const OperandRow& operand : side) {
      const bool has_type = operand.presence != Presence::kForbidden && operand.read;
      if (!has_type || operand.type_column != column) continue;
      if (std::find(names.begin(), names.end(), operand.name) == names.end()) names.push_back(operand.name);
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::size_t> ColumnsOf(const OperatorRow& row) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < kTypeColumns; ++column) {
    if (!ColumnName(row, column).empty()) columns.push_back(column);
  }
  return columns;
}

std::string RowLengthWords(const OperatorRow& row) {
  std::string text;
  for (const LongestRow& longest : row.longest_rows) {
    text += std::string(text.empty() ? "rows along the last axis: " : ", ") + TensorTypeName(longest.type) + " up to " +
            std::to_string(longest.most);
  }
  return text;
}

std::vector<std::string> KernelSetsOf(BuiltinOperator code) {
  std::vector<std::string> names;
  for (const KernelSet* set : AllKernelSets()) {
    const auto serves = [code](const Kernel& kernel) { return kernel.op == code; };
    if (std::any_of(set->kernels.begin(), set->kernels.end(), serves)) names.emplace_back(set->name);
  }
  return names;
}

}  // namespace arenaproof

#include "tools/text/operator_text.h"

#include <cctype>

#include "core/model/builtin_operator.h"
#include "tools/text/sentences.h"
#include "tools/text/text.h"

namespace arenaproof {

std::string OperatorName(const OperatorView& view) {
  if (!view.has_opcode) return "operator of the missing code " + std::to_string(view.opcode_index);
  if (view.code == BuiltinOperator::kCustom)
    return "custom operator '" + Printable(std::string(view.custom_name)) + "'";
  if (!IsKnownBuiltinOperator(view.code))
    return "operator code " + std::to_string(static_cast<std::int32_t>(view.code));
  return BuiltinOperatorName(view.code);
}

std::string OperatorName(const ModelView& model, const OperatorLocation& location) {
  return OperatorName(model.operator_at(static_cast<std::size_t>(location.subgraph),
                                        static_cast<std::size_t>(location.operator_index)));
}

std::string RefusalSentence(const ModelView& model, const Status& refusal) {
  if (refusal.code != StatusCode::kUnresolvedOperator) return Sentence(refusal);
  const auto subgraph = static_cast<std::size_t>(refusal.detail[0]);
  const auto index = static_cast<std::size_t>(refusal.detail[1]);
  const bool is_there = subgraph < model.subgraph_count() && index < model.operator_count(subgraph);
  const bool is_custom = refusal.detail[2] == static_cast<std::uint64_t>(BuiltinOperator::kCustom);
  if (!is_there || !is_custom) return Sentence(refusal);
  return "no kernel serves " + OperatorName(model.operator_at(subgraph, index)) + ", operator " +
         std::to_string(index) + " of subgraph " + std::to_string(subgraph);
}

OperatorLocation EndOfInvoke(const Status& status, const OperatorLocation& failed) {
  if (status.code != StatusCode::kInvokeCancelled && status.code != StatusCode::kInvokeAborted) return failed;
  return {static_cast<std::int32_t>(status.detail[0]), static_cast<std::int32_t>(status.detail[1]),
          OperatorPhase::kInvoke};
}

std::string Located(const OperatorLocation& location, const std::string& sentence) {
  if (!location.known()) return sentence;
  const std::string place =
      "operator " + std::to_string(location.operator_index) + " of subgraph " + std::to_string(location.subgraph);
  const std::size_t found = sentence.find(place), end = found + place.size();
  const bool named = found != std::string::npos &&
                     (end == sentence.size() || std::isdigit(static_cast<unsigned char>(sentence[end])) == 0);
  return named ? sentence : place + ": " + sentence;
}

}  // namespace arenaproof

#include "engine/oracles/operators/definitions/sequence_outputs.h"

namespace arenaproof::props {
namespace {

// Two tables of 513 elements of int16.
std::vector<std::size_t> SoftmaxTables(const OperatorCase& k) {
  if (k.inputs[0].type != TensorType::kInt16) return {};
  return {1026, 1026};
}

constexpr OperatorDefinition kSequences[] = {
    {BuiltinOperator::kSoftmax, SoftmaxOutputs, nullptr, SoftmaxTables},
    {BuiltinOperator::kLogSoftmax, LogSoftmaxOutputs},
    {BuiltinOperator::kL2Normalization, L2NormalizationOutputs},
    {BuiltinOperator::kSvdf, SvdfOutputs, SvdfScratch, nullptr, SvdfVariables},
    {BuiltinOperator::kUnidirectionalSequenceLstm, LstmOutputs, LstmScratch, nullptr, LstmVariables},
};

}  // namespace

std::span<const OperatorDefinition> SequenceDefinitions() { return kSequences; }

}  // namespace arenaproof::props

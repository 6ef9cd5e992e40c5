#include <algorithm>
#include <array>

#include "core/model/validation_rules.h"

namespace arenaproof {
namespace {

// Tensors are looked at in blocks, so that a few hundred bytes of stack serve any number of them.
constexpr std::size_t kBlockTensors = 2048;

class BitSet {
 public:
  bool Has(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void Add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }

 private:
  std::array<std::uint64_t, kBlockTensors / 64> words_{};
};

struct Block {
  std::size_t begin;
  BitSet inputs;    // of the subgraph
  BitSet produced;  // by an operator so far
  BitSet read;      // by an operator so far, before it was produced

  bool Find(std::int32_t tensor, std::size_t* position) const {
    *position = static_cast<std::size_t>(tensor) - begin;  // wraps below the block
    return tensor >= 0 && *position < kBlockTensors;
  }
};

Status CheckOutput(const ModelView& model, std::size_t subgraph, std::size_t index, std::int32_t tensor, Block& block) {
  std::size_t position = 0;
  if (!block.Find(tensor, &position)) return Ok();
  const auto refused = [&](StatusCode code) { return Failure(code, subgraph, index, tensor); };
  const TensorView view = model.tensor(subgraph, static_cast<std::size_t>(tensor));
  if (view.is_variable) return refused(StatusCode::kModelVariableProduced);
  if (view.is_constant()) return refused(StatusCode::kModelConstantProduced);
  if (block.inputs.Has(position)) return refused(StatusCode::kModelInputProduced);
  if (block.produced.Has(position)) return refused(StatusCode::kModelTensorProducedTwice);
  if (block.read.Has(position)) return refused(StatusCode::kModelReadBeforeProduced);
  block.produced.Add(position);
  return Ok();
}

// An operator may read what no operator writes (accelerators' scratch tensors are such); an output has to be produced.
Status CheckSubgraphOutputs(const ModelView& model, std::size_t subgraph, const Block& block) {
  const std::span<const std::int32_t> outputs = model.outputs(subgraph);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::size_t position = 0;
    if (!block.Find(outputs[i], &position) || block.produced.Has(position) || block.inputs.Has(position)) continue;
    const TensorView view = model.tensor(subgraph, static_cast<std::size_t>(outputs[i]));
    if (view.is_variable || view.is_constant()) continue;
    return Failure(StatusCode::kModelOutputNotProduced, subgraph, i, outputs[i]);
  }
  return Ok();
}

Status CheckBlock(const ModelView& model, std::size_t subgraph, std::size_t begin) {
  Block block{begin, {}, {}, {}};
  std::size_t position = 0;
  for (const std::int32_t tensor : model.inputs(subgraph)) {
    if (block.Find(tensor, &position)) block.inputs.Add(position);
  }
  for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
    const OperatorView view = model.operator_at(subgraph, i);
    for (const std::int32_t tensor : view.inputs) {
      if (block.Find(tensor, &position) && !block.produced.Has(position)) block.read.Add(position);
    }
    for (const std::int32_t tensor : view.outputs) {
      ARENAPROOF_RETURN_IF_ERROR(CheckOutput(model, subgraph, i, tensor, block));
    }
  }
  return CheckSubgraphOutputs(model, subgraph, block);
}

}  // namespace

Status CheckProducers(const ModelView& model, std::size_t subgraph) {
  for (std::size_t begin = 0; begin < model.tensor_count(subgraph); begin += kBlockTensors) {
    ARENAPROOF_RETURN_IF_ERROR(CheckBlock(model, subgraph, begin));
  }
  return Ok();
}

}  // namespace arenaproof

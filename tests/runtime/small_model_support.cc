#include "small_model_support.h"

#include <algorithm>
#include <stdexcept>

#include "engine/cases/validated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

TensorSpec SpecOf(const SmallTensor& tensor, ModelBuilder& builder) {
  TensorSpec spec;
  spec.type = tensor.type;
  spec.shape = tensor.shape;
  spec.is_variable = tensor.variable;
  if (!tensor.data.empty()) spec.buffer = builder.AddBufferOf(tensor.data);
  if (!tensor.scales.empty()) spec.quantization = QuantizationSpec{tensor.scales, tensor.zero_points};
  return spec;
}

std::vector<std::byte> FileOf(const SmallSubgraph& main, const std::vector<std::string>& metadata_names,
                              int subgraph_count) {
  ModelBuilder builder;
  for (int i = 0; i < subgraph_count; ++i) {
    SubgraphSpec& subgraph = builder.AddSubgraph();
    for (const SmallTensor& tensor : main.tensors) subgraph.AddTensor(SpecOf(tensor, builder));
    for (const SmallOperator& op : main.operators) {
      OperatorSpec spec;
      spec.code = builder.AddCode(op.code);
      spec.inputs = op.inputs;
      spec.outputs = op.outputs;
      spec.intermediates = op.intermediates;
      subgraph.AddOperator(spec);
    }
    subgraph.inputs = main.inputs;
    subgraph.outputs = main.outputs;
  }
  for (const std::string& name : metadata_names) builder.AddMetadata(name, {});
  return builder.Finish();
}

}  // namespace

SmallModel::SmallModel(const SmallSubgraph& main, const std::vector<std::string>& metadata_names, int subgraph_count)
    : file_(FileOf(main, metadata_names, subgraph_count)), view_(Validated(file_)) {}

void SmallModel::ChangeFileTo(const SmallSubgraph& main) {
  const std::vector<std::byte> other = FileOf(main, {}, 1);
  if (other.size() != file_.size()) throw std::logic_error("the other file has another length");
  std::ranges::copy(other, file_.begin());
}

SmallSubgraph Chain(int length, std::int32_t bytes) {
  SmallSubgraph chain;
  chain.tensors.push_back({{bytes}});
  for (std::int32_t i = 0; i < length; ++i) {
    chain.tensors.push_back({{bytes}});
    chain.operators.push_back({BuiltinOperator::kAbs, {i}, {i + 1}});
  }
  chain.inputs = {0};
  chain.outputs = {length};
  return chain;
}

}  // namespace arenaproof::testing

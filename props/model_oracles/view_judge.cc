#include "props/model_oracles/view_judge.h"

#include <algorithm>

#include "core/model/call_tree.h"
#include "core/model/tensor_bytes.h"
#include "props/model_oracles/wire_model.h"
#include "tests/support/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

std::string At(const char* what, std::size_t subgraph, std::size_t index) {
  return std::string(what) + " " + std::to_string(index) + " of subgraph " + std::to_string(subgraph);
}

bool Same(std::span<const std::int32_t> found, const flatbuffers::Vector<std::int32_t>* expected) {
  if (found.size() != Count(expected)) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != Entry(expected, i)) return false;
  }
  return true;
}

std::string JudgeTensor(const ModelView& model, std::size_t s, std::size_t i, const wire::Tensor& table) {
  const TensorView view = model.tensor(s, i);
  const wire::Model& root = ModelOf(model.bytes());
  if (static_cast<int>(view.type) != static_cast<int>(table.type())) return "the view misreads the type of ";
  if (!Same(view.shape, table.shape())) return "the view misreads the shape of ";
  if (view.is_variable != table.is_variable()) return "the view misreads whether a variable is ";
  if (view.data.size() != DataBytes(root, table)) return "the view misreads the data of ";
  if (view.is_constant() != IsConstant(root, table)) return "the view confuses constant and variable: ";
  if (const auto* lists = table.quantization()) {
    if (view.quantization.scales.size() != Count(lists->scale()) ||
        view.quantization.zero_point_count != Count(lists->zero_point())) {
      return "the view misreads the quantisation of ";
    }
  }
  return {};
}

std::string JudgeOperator(const ModelView& model, std::size_t s, std::size_t i, const wire::Operator& table) {
  const OperatorView view = model.operator_at(s, i);
  const wire::Model& root = ModelOf(model.bytes());
  if (!Same(view.inputs, table.inputs()) || !Same(view.outputs, table.outputs()))
    return "the view misreads operands of ";
  if (!Same(view.intermediates, table.intermediates())) return "the view misreads intermediates of ";
  if (view.has_opcode != (table.opcode_index() < Count(root.operator_codes())))
    return "the view misjudges the code of ";
  if (!view.has_opcode) return {};
  if (static_cast<std::int64_t>(view.code) != CodeOf(*Entry(root.operator_codes(), table.opcode_index()))) {
    return "the view misreads the operator code of ";
  }
  const std::vector<std::int64_t> expected = CalledSubgraphs(root, table);
  const arenaproof::CalledSubgraphs found = SubgraphsCalledBy(view);
  if (!std::equal(expected.begin(), expected.end(), found.subgraph.begin(), found.subgraph.begin() + found.count)) {
    return "the view misreads which subgraphs are called by ";
  }
  return {};
}

}  // namespace

std::string JudgeView(const ModelView& model) {
  const wire::Model& root = ModelOf(model.bytes());
  if (model.subgraph_count() != Count(root.subgraphs())) return "the view miscounts subgraphs";
  if (model.buffer_count() != Count(root.buffers())) return "the view miscounts buffers";
  if (model.metadata_count() != Count(root.metadata())) return "the view miscounts metadata";
  std::size_t first_tensor = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    const wire::SubGraph& graph = *Entry(root.subgraphs(), s);
    if (model.first_tensor_of(s) != first_tensor) return "the view misnumbers the tensors of a subgraph";
    first_tensor += Count(graph.tensors());
    if (!Same(model.inputs(s), graph.inputs())) return "the view misreads inputs of a subgraph";
    if (!Same(model.outputs(s), graph.outputs())) return "the view misreads outputs of a subgraph";
    if (model.tensor_count(s) != Count(graph.tensors())) return "the view miscounts tensors";
    if (model.operator_count(s) != Count(graph.operators())) return "the view miscounts operators";
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (auto complaint = JudgeTensor(model, s, i, *Entry(graph.tensors(), i)); !complaint.empty()) {
        return complaint + At("tensor", s, i);
      }
    }
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      if (auto complaint = JudgeOperator(model, s, i, *Entry(graph.operators(), i)); !complaint.empty()) {
        return complaint + At("operator", s, i);
      }
    }
  }
  return {};
}

std::string JudgeSizes(const ModelView& model) {
  const wire::Model& root = ModelOf(model.bytes());
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    const wire::SubGraph& graph = *Entry(root.subgraphs(), s);
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      const wire::Tensor& table = *Entry(graph.tensors(), i);
      const auto type = static_cast<std::int64_t>(table.type());
      const WidestUnsigned exact = ExactElements(table, 0) * BytesOfType(type);
      const TensorView view = model.tensor(s, i);
      std::size_t bytes = 0;
      if (!TensorArenaBytes(view, &bytes).ok() || bytes != exact) {
        return "I5: bytes in the arena are not exact: " + At("tensor", s, i);
      }
      const WidestUnsigned packed = type == 17 ? (exact + 1) / 2 : exact;
      if (!TensorFileBytes(view, &bytes).ok() || bytes != packed) {
        return "I5: bytes in the file are not exact: " + At("tensor", s, i);
      }
    }
  }
  return {};
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END

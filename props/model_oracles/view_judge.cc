#include "props/model_oracles/view_judge.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

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

template <typename Enumerator>
std::uint8_t NumberOf(Enumerator enumerator) {
  return static_cast<std::uint8_t>(enumerator);
}

// The very bytes of the list in the file; a missing list and one of no bytes both read as nothing.
template <typename List>
bool IsInPlace(const void* data, std::size_t count, const List* list) {
  if (count != Count(list)) return false;
  return count == 0 || data == static_cast<const void*>(list->Data());
}

bool IsText(std::string_view found, const flatbuffers::String* text) {
  return IsInPlace(found.data(), found.size(), text);
}

bool IsData(std::span<const std::byte> found, const wire::Model& root, std::size_t buffer) {
  const bool exists = buffer < Count(root.buffers());
  return IsInPlace(found.data(), found.size(), exists ? Entry(root.buffers(), buffer)->data() : nullptr);
}

std::string JudgeQuantization(const TensorView& view, const wire::Tensor& table) {
  const auto* const lists = table.quantization();
  if (view.has_quantization != (lists != nullptr)) return "the view misreads whether there is quantisation of ";
  if (lists == nullptr) return {};
  const QuantizationView& found = view.quantization;
  if (!IsInPlace(found.scales.data(), found.scales.size(), lists->scale()) ||
      !IsInPlace(found.zero_point_bytes, found.zero_point_count, lists->zero_point()) ||
      found.dimension != lists->quantized_dimension() || view.quantization_details != NumberOf(lists->details_type())) {
    return "the view misreads the quantisation of ";
  }
  if (Count(lists->zero_point()) > 0) {
    // By bytes: the verifier aligns the list's count, which is half as wide as an entry.
    const std::size_t last = found.zero_point_count - 1;
    std::int64_t expected = 0;
    std::memcpy(&expected, lists->zero_point()->Data() + last * sizeof expected, sizeof expected);
    if (found.zero_point(last) != expected) return "the view misreads a zero point of ";
  }
  return {};
}

std::string JudgeSignatures(const ModelView& model, const wire::Model& root) {
  if (model.signature_count() != Count(root.signature_defs())) return "the view miscounts signatures";
  for (std::size_t i = 0; i < model.signature_count(); ++i) {
    const SignatureView view = model.signature(i);
    const wire::SignatureDef& table = *Entry(root.signature_defs(), i);
    bool same = view.subgraph == table.subgraph_index() && view.input_count == Count(table.inputs()) &&
                view.output_count == Count(table.outputs());
    for (std::size_t k = 0; same && k < Count(table.inputs()); ++k) {
      same = model.signature_input(i, k) == Entry(table.inputs(), k)->tensor_index();
    }
    for (std::size_t k = 0; same && k < Count(table.outputs()); ++k) {
      same = model.signature_output(i, k) == Entry(table.outputs(), k)->tensor_index();
    }
    if (!same) return "the view misreads signature " + std::to_string(i);
  }
  return {};
}

// Everything outside of subgraphs.
std::string JudgeRoot(const ModelView& model, const wire::Model& root) {
  if (model.version() != root.version()) return "the view misreads the model's version";
  if (!IsText(model.description(), root.description())) return "the view misreads the description";
  if (model.operator_code_count() != Count(root.operator_codes())) return "the view miscounts operator codes";
  if (model.has_buffers() != (root.buffers() != nullptr)) return "the view misreads whether there are buffers";
  for (std::size_t i = 0; i < model.buffer_count(); ++i) {
    if (auto complaint = JudgeBufferView(model.bytes(), i, model.buffer(i)); !complaint.empty()) return complaint;
  }
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    if (auto complaint = JudgeMetadataView(model.bytes(), i, model.metadata(i)); !complaint.empty()) return complaint;
  }
  return JudgeSignatures(model, root);
}

}  // namespace

std::string JudgeTensorView(std::span<const std::byte> file, std::size_t s, std::size_t i, const TensorView& view) {
  const wire::Model& root = ModelOf(file);
  const wire::Tensor& table = *Entry(Entry(root.subgraphs(), s)->tensors(), i);
  if (!IsText(view.name, table.name())) return "the view misreads the name of ";
  if (view.has_shape != (table.shape() != nullptr)) return "the view misreads whether there is a shape of ";
  if (!Same(view.shape_signature, table.shape_signature())) return "the view misreads the shape signature of ";
  if (view.buffer != table.buffer() || !IsData(view.data, root, table.buffer())) {
    return "the view misreads the buffer of ";
  }
  if (view.has_sparsity != (table.sparsity() != nullptr)) return "the view misreads whether sparse is ";
  if (view.external_buffer != table.external_buffer()) return "the view misreads the external buffer of ";
  if (static_cast<int>(view.type) != static_cast<int>(table.type())) return "the view misreads the type of ";
  if (!Same(view.shape, table.shape())) return "the view misreads the shape of ";
  if (view.is_variable != table.is_variable()) return "the view misreads whether a variable is ";
  if (view.data.size() != DataBytes(root, table)) return "the view misreads the data of ";
  if (view.is_constant() != IsConstant(root, table)) return "the view confuses constant and variable: ";
  return JudgeQuantization(view, table);
}

std::string JudgeOperatorView(std::span<const std::byte> file, std::size_t s, std::size_t i, const OperatorView& view,
                              const arenaproof::CalledSubgraphs& called) {
  const wire::Model& root = ModelOf(file);
  const wire::Operator& table = *Entry(Entry(root.subgraphs(), s)->operators(), i);
  if (!Same(view.inputs, table.inputs()) || !Same(view.outputs, table.outputs()))
    return "the view misreads operands of ";
  if (!Same(view.intermediates, table.intermediates())) return "the view misreads intermediates of ";
  if (view.has_opcode != (table.opcode_index() < Count(root.operator_codes())))
    return "the view misjudges the code of ";
  if (view.opcode_index != table.opcode_index()) return "the view misreads the code's index of ";
  if (!IsInPlace(view.custom_options.data(), view.custom_options.size(), table.custom_options()) ||
      view.has_large_custom_options != (table.large_custom_options_offset() > 1)) {
    return "the view misreads the custom options of ";
  }
  if (view.mutating_input_count != Count(table.mutating_variable_inputs())) return "the view misreads mutations of ";
  if (view.options_type != NumberOf(table.builtin_options_type()) ||
      view.has_options != (table.builtin_options() != nullptr) ||
      view.options_2_type != NumberOf(table.builtin_options_2_type())) {
    return "the view misreads the kind of options of ";
  }
  if (!view.has_opcode) return {};
  const wire::OperatorCode& code = *Entry(root.operator_codes(), table.opcode_index());
  if (view.version != code.version()) return "the view misreads the version of ";
  if (view.has_custom_name != (code.custom_code() != nullptr) || !IsText(view.custom_name, code.custom_code())) {
    return "the view misreads the custom name of ";
  }
  if (static_cast<std::int64_t>(view.code) != CodeOf(*Entry(root.operator_codes(), table.opcode_index()))) {
    return "the view misreads the operator code of ";
  }
  const std::vector<std::int64_t> expected = CalledSubgraphs(root, table);
  if (!std::equal(expected.begin(), expected.end(), called.subgraph.begin(), called.subgraph.begin() + called.count)) {
    return "the view misreads which subgraphs are called by ";
  }
  return {};
}

std::string JudgeMetadataView(std::span<const std::byte> file, std::size_t i, const MetadataView& view) {
  const wire::Model& root = ModelOf(file);
  const wire::Metadata& table = *Entry(root.metadata(), i);
  const bool same =
      IsText(view.name, table.name()) && view.buffer == table.buffer() && IsData(view.data, root, table.buffer());
  return same ? std::string() : "the view misreads metadata " + std::to_string(i);
}

std::string JudgeBufferView(std::span<const std::byte> file, std::size_t i, const BufferView& view) {
  const wire::Model& root = ModelOf(file);
  const wire::Buffer& table = *Entry(root.buffers(), i);
  const bool same =
      IsData(view.data, root, i) && view.outside_offset == table.offset() && view.outside_size == table.size();
  return same ? std::string() : "the view misreads buffer " + std::to_string(i);
}

std::string JudgeView(const ModelView& model) {
  const wire::Model& root = ModelOf(model.bytes());
  if (model.subgraph_count() != Count(root.subgraphs())) return "the view miscounts subgraphs";
  if (model.buffer_count() != Count(root.buffers())) return "the view miscounts buffers";
  if (model.metadata_count() != Count(root.metadata())) return "the view miscounts metadata";
  if (auto complaint = JudgeRoot(model, root); !complaint.empty()) return complaint;
  std::size_t first_tensor = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    const wire::SubGraph& graph = *Entry(root.subgraphs(), s);
    if (!IsText(model.subgraph_name(s), graph.name())) return "the view misreads the name of a subgraph";
    if (model.has_tensors(s) != (graph.tensors() != nullptr) || model.has_inputs(s) != (graph.inputs() != nullptr) ||
        model.has_outputs(s) != (graph.outputs() != nullptr)) {
      return "the view misreads which lists a subgraph has";
    }
    if (model.first_tensor_of(s) != first_tensor) return "the view misnumbers the tensors of a subgraph";
    first_tensor += Count(graph.tensors());
    if (!Same(model.inputs(s), graph.inputs())) return "the view misreads inputs of a subgraph";
    if (!Same(model.outputs(s), graph.outputs())) return "the view misreads outputs of a subgraph";
    if (model.tensor_count(s) != Count(graph.tensors())) return "the view miscounts tensors";
    if (model.operator_count(s) != Count(graph.operators())) return "the view miscounts operators";
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (auto complaint = JudgeTensorView(model.bytes(), s, i, model.tensor(s, i)); !complaint.empty()) {
        return complaint + At("tensor", s, i);
      }
    }
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      const OperatorView view = model.operator_at(s, i);
      if (auto complaint = JudgeOperatorView(model.bytes(), s, i, view, SubgraphsCalledBy(view)); !complaint.empty()) {
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

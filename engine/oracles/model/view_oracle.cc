#include "engine/oracles/model/view_oracle.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/model/call_tree.h"
#include "core/model/tensor_bytes.h"
#include "engine/oracles/model/options_oracle.h"
#include "engine/oracles/model/wire_model.h"
#include "engine/unguided.h"

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

std::string CheckQuantization(const TensorView& view, const wire::Tensor& table) {
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

bool AreTensorsOf(std::span<const std::uint32_t> found,
                  const flatbuffers::Vector<flatbuffers::Offset<wire::TensorMap>>* list) {
  if (found.size() != Count(list)) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != Entry(list, i)->tensor_index()) return false;
  }
  return true;
}

// Everything outside of subgraphs.
std::string CheckRoot(const ModelView& model) {
  const std::span<const std::byte> file = model.bytes();
  if (auto complaint = CheckRootFields(file, RootFieldsOf(model)); !complaint.empty()) return complaint;
  for (std::size_t i = 0; i < model.buffer_count(); ++i) {
    if (auto complaint = CheckBufferView(file, i, model.buffer(i)); !complaint.empty()) return complaint;
  }
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    if (auto complaint = CheckMetadataView(file, i, model.metadata(i)); !complaint.empty()) return complaint;
  }
  for (std::size_t i = 0; i < model.signature_count(); ++i) {
    if (auto complaint = CheckSignatureFields(file, i, SignatureFieldsOf(model, i)); !complaint.empty()) {
      return complaint;
    }
  }
  return {};
}

}  // namespace

RootFields RootFieldsOf(const ModelView& model) {
  return {.version = model.version(),
          .description = model.description(),
          .has_buffers = model.has_buffers(),
          .subgraph_count = model.subgraph_count(),
          .operator_code_count = model.operator_code_count(),
          .buffer_count = model.buffer_count(),
          .metadata_count = model.metadata_count(),
          .signature_count = model.signature_count(),
          .total_tensor_count = model.total_tensor_count(),
          .total_operator_count = model.total_operator_count()};
}

SignatureFields SignatureFieldsOf(const ModelView& model, std::size_t index) {
  const SignatureView view = model.signature(index);
  SignatureFields fields{.subgraph = view.subgraph, .inputs = {}, .outputs = {}};
  for (std::size_t i = 0; i < view.input_count; ++i) fields.inputs.push_back(model.signature_input(index, i));
  for (std::size_t i = 0; i < view.output_count; ++i) fields.outputs.push_back(model.signature_output(index, i));
  return fields;
}

SubgraphFields SubgraphFieldsOf(const ModelView& model, std::size_t index) {
  return {.name = model.subgraph_name(index),
          .has_tensors = model.has_tensors(index),
          .has_inputs = model.has_inputs(index),
          .has_outputs = model.has_outputs(index),
          .first_tensor = model.first_tensor_of(index),
          .tensor_count = model.tensor_count(index),
          .operator_count = model.operator_count(index),
          .inputs = model.inputs(index),
          .outputs = model.outputs(index)};
}

std::string CheckRootFields(std::span<const std::byte> file, const RootFields& fields) {
  const wire::Model& root = ModelOf(file);
  if (fields.subgraph_count != Count(root.subgraphs())) return "the view miscounts subgraphs";
  if (fields.buffer_count != Count(root.buffers())) return "the view miscounts buffers";
  if (fields.metadata_count != Count(root.metadata())) return "the view miscounts metadata";
  if (fields.version != root.version()) return "the view misreads the model's version";
  if (!IsText(fields.description, root.description())) return "the view misreads the description";
  if (fields.operator_code_count != Count(root.operator_codes())) return "the view miscounts operator codes";
  if (fields.has_buffers != (root.buffers() != nullptr)) return "the view misreads whether there are buffers";
  if (fields.signature_count != Count(root.signature_defs())) return "the view miscounts signatures";
  std::size_t tensor_count = 0, operator_count = 0;
  for (std::size_t s = 0; s < Count(root.subgraphs()); ++s) {
    tensor_count += Count(Entry(root.subgraphs(), s)->tensors());
    operator_count += Count(Entry(root.subgraphs(), s)->operators());
  }
  if (fields.total_tensor_count != tensor_count) return "the view miscounts the tensors of all subgraphs";
  if (fields.total_operator_count != operator_count) return "the view miscounts the operators of all subgraphs";
  return {};
}

std::string CheckSignatureFields(std::span<const std::byte> file, std::size_t index, const SignatureFields& fields) {
  const wire::SignatureDef& table = *Entry(ModelOf(file).signature_defs(), index);
  const bool same = fields.subgraph == table.subgraph_index() && AreTensorsOf(fields.inputs, table.inputs()) &&
                    AreTensorsOf(fields.outputs, table.outputs());
  return same ? std::string() : "the view misreads signature " + std::to_string(index);
}

std::string CheckSubgraphFields(std::span<const std::byte> file, std::size_t index, std::size_t first_tensor,
                                const SubgraphFields& fields) {
  const wire::SubGraph& graph = *Entry(ModelOf(file).subgraphs(), index);
  if (!IsText(fields.name, graph.name())) return "the view misreads the name of a subgraph";
  if (fields.has_tensors != (graph.tensors() != nullptr) || fields.has_inputs != (graph.inputs() != nullptr) ||
      fields.has_outputs != (graph.outputs() != nullptr)) {
    return "the view misreads which lists a subgraph has";
  }
  if (fields.first_tensor != first_tensor) return "the view misnumbers the tensors of a subgraph";
  if (!Same(fields.inputs, graph.inputs())) return "the view misreads inputs of a subgraph";
  if (!Same(fields.outputs, graph.outputs())) return "the view misreads outputs of a subgraph";
  if (fields.tensor_count != Count(graph.tensors())) return "the view miscounts tensors";
  if (fields.operator_count != Count(graph.operators())) return "the view miscounts operators";
  return {};
}

std::string CheckTensorView(std::span<const std::byte> file, std::size_t s, std::size_t i, const TensorView& view) {
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
  return CheckQuantization(view, table);
}

std::string CheckOperatorView(std::span<const std::byte> file, std::size_t s, std::size_t i, const OperatorView& view,
                              const arenaproof::CalledSubgraphs& called) {
  const wire::Model& root = ModelOf(file);
  const wire::Operator& table = *Entry(Entry(root.subgraphs(), s)->operators(), i);
  if (!Same(view.inputs, table.inputs()) || !Same(view.outputs, table.outputs()))
    return "the view misreads operands of ";
  if (!Same(view.intermediates, table.intermediates())) return "the view misreads intermediates of ";
  if (view.has_opcode != (table.opcode_index() < Count(root.operator_codes())))
    return "the view misreports the code of ";
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
  if (std::string complaint = CheckOptions(table, view.options); !complaint.empty()) return complaint;
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

std::string CheckMetadataView(std::span<const std::byte> file, std::size_t i, const MetadataView& view) {
  const wire::Model& root = ModelOf(file);
  const wire::Metadata& table = *Entry(root.metadata(), i);
  const bool same =
      IsText(view.name, table.name()) && view.buffer == table.buffer() && IsData(view.data, root, table.buffer());
  return same ? std::string() : "the view misreads metadata " + std::to_string(i);
}

std::string CheckBufferView(std::span<const std::byte> file, std::size_t i, const BufferView& view) {
  const wire::Model& root = ModelOf(file);
  const wire::Buffer& table = *Entry(root.buffers(), i);
  const bool same =
      IsData(view.data, root, i) && view.outside_offset == table.offset() && view.outside_size == table.size();
  return same ? std::string() : "the view misreads buffer " + std::to_string(i);
}

std::string CheckView(const ModelView& model) {
  const wire::Model& root = ModelOf(model.bytes());
  if (auto complaint = CheckRoot(model); !complaint.empty()) return complaint;
  std::size_t first_tensor = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    const SubgraphFields fields = SubgraphFieldsOf(model, s);
    if (auto complaint = CheckSubgraphFields(model.bytes(), s, first_tensor, fields); !complaint.empty()) {
      return complaint;
    }
    first_tensor += Count(Entry(root.subgraphs(), s)->tensors());
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (auto complaint = CheckTensorView(model.bytes(), s, i, model.tensor(s, i)); !complaint.empty()) {
        return complaint + At("tensor", s, i);
      }
    }
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      const OperatorView view = model.operator_at(s, i);
      if (auto complaint = CheckOperatorView(model.bytes(), s, i, view, SubgraphsCalledBy(view)); !complaint.empty()) {
        return complaint + At("operator", s, i);
      }
    }
  }
  return {};
}

std::string CheckSizes(const ModelView& model) {
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

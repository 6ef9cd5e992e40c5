#include "core/model/model_view.h"

#include <algorithm>
#include <bit>

#include "core/model/options_decoder.h"
#include "core/model/schema_generated.h"

namespace arenaproof {
namespace {

static_assert(std::endian::native == std::endian::little, "lists of the file are used in place");

const wire::Model& Root(const void* root) { return *static_cast<const wire::Model*>(root); }

template <typename List>
std::size_t Count(const List* list) {
  return list == nullptr ? 0 : list->size();
}

// The verifier has checked that a list's count, and with it the first element, is 4-aligned.
template <typename Element>
std::span<const Element> InPlace(const flatbuffers::Vector<Element>* list) {
  static_assert(alignof(Element) <= 4);
  if (list == nullptr) return {};
  return {reinterpret_cast<const Element*>(list->Data()), list->size()};
}

std::span<const std::byte> Bytes(const flatbuffers::Vector<std::uint8_t>* list) { return std::as_bytes(InPlace(list)); }

std::string_view Text(const flatbuffers::String* text) {
  return text == nullptr ? std::string_view{} : std::string_view{text->c_str(), text->size()};
}

std::span<const std::byte> BufferData(const wire::Model& model, std::size_t index) {
  if (index >= Count(model.buffers())) return {};
  return Bytes(model.buffers()->Get(static_cast<flatbuffers::uoffset_t>(index))->data());
}

const wire::SubGraph& Subgraph(const void* root, std::size_t index) {
  return *Root(root).subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

QuantizationView ReadQuantization(const wire::QuantizationParameters& table) {
  QuantizationView view;
  view.scales = InPlace(table.scale());
  if (table.zero_point() != nullptr) {
    view.zero_point_bytes = reinterpret_cast<const std::byte*>(table.zero_point()->Data());
    view.zero_point_count = table.zero_point()->size();
  }
  view.dimension = table.quantized_dimension();
  return view;
}

std::uint32_t ReadIdentifier(const std::byte* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Status CheckIdentifier(std::span<const std::byte> bytes) {
  const std::uint32_t expected = ReadIdentifier(reinterpret_cast<const std::byte*>(wire::ModelIdentifier()));
  const std::uint32_t found = ReadIdentifier(bytes.data() + 4);
  if (found != expected) return Failure(StatusCode::kModelIdentifier, found, expected);
  return Ok();
}

// A root offset and an identifier; the root table behind them is the verifier's business.
constexpr std::size_t kLeastBytes = 8;

}  // namespace

Status ModelView::CheckHeader(std::span<const std::byte> first_bytes) {
  if (first_bytes.size() < kLeastBytes) return Failure(StatusCode::kModelTooSmall, first_bytes.size(), kLeastBytes);
  return CheckIdentifier(first_bytes);
}

Status ModelView::Open(std::span<const std::byte> bytes, ModelView* view) {
  constexpr std::size_t kMostBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
  if (bytes.size() < kLeastBytes) return Failure(StatusCode::kModelTooSmall, bytes.size(), kLeastBytes);
  if (bytes.size() > kMostBytes) return Failure(StatusCode::kModelTooLarge, bytes.size(), kMostBytes);
  const std::uintptr_t misalignment = reinterpret_cast<std::uintptr_t>(bytes.data()) % kModelAlignment;
  if (misalignment != 0) return Failure(StatusCode::kModelMisaligned, misalignment, kModelAlignment);

  ARENAPROOF_RETURN_IF_ERROR(CheckIdentifier(bytes));

  flatbuffers::Verifier::Options limits;
  limits.max_depth = kModelMaxTableDepth;
  // A table that is not shared takes at least eight bytes: four to refer to it, four of its own. Twice that many may
  // be visited, so that a file that shares a few tables passes and one that shares them by the million does not.
  limits.max_tables = static_cast<flatbuffers::uoffset_t>(bytes.size() / 4 + 1);
  limits.check_alignment = true;
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  flatbuffers::Verifier verifier(begin, bytes.size(), limits);
  if (!wire::VerifyModelBuffer(verifier)) {
    return Failure(StatusCode::kModelStructure, bytes.size(), limits.max_tables, limits.max_depth);
  }
  view->bytes_ = bytes;
  view->root_ = wire::GetModel(begin);
  return Ok();
}

ModelView ModelView::OfCopy(std::span<const std::byte> copy) const {
  ModelView view;
  view.bytes_ = copy;
  view.root_ = wire::GetModel(copy.data());
  return view;
}

std::uint32_t ModelView::version() const { return Root(root_).version(); }

std::string_view ModelView::description() const { return Text(Root(root_).description()); }

bool TensorView::is_constant() const { return !data.empty() && !is_variable; }

std::size_t ModelView::operator_code_count() const { return Count(Root(root_).operator_codes()); }

std::size_t ModelView::subgraph_count() const { return Count(Root(root_).subgraphs()); }

bool ModelView::has_buffers() const { return Root(root_).buffers() != nullptr; }

std::size_t ModelView::buffer_count() const { return Count(Root(root_).buffers()); }

BufferView ModelView::buffer(std::size_t index) const {
  const wire::Buffer& table = *Root(root_).buffers()->Get(static_cast<flatbuffers::uoffset_t>(index));
  return {Bytes(table.data()), table.offset(), table.size()};
}

std::size_t ModelView::metadata_count() const { return Count(Root(root_).metadata()); }

MetadataView ModelView::metadata(std::size_t index) const {
  const wire::Metadata& table = *Root(root_).metadata()->Get(static_cast<flatbuffers::uoffset_t>(index));
  return {Text(table.name()), table.buffer(), BufferData(Root(root_), table.buffer())};
}

std::size_t ModelView::signature_count() const { return Count(Root(root_).signature_defs()); }

SignatureView ModelView::signature(std::size_t index) const {
  const wire::SignatureDef& table = *Root(root_).signature_defs()->Get(static_cast<flatbuffers::uoffset_t>(index));
  return {table.subgraph_index(), Count(table.inputs()), Count(table.outputs())};
}

std::uint32_t ModelView::signature_input(std::size_t signature, std::size_t position) const {
  const auto& table = *Root(root_).signature_defs()->Get(static_cast<flatbuffers::uoffset_t>(signature));
  return table.inputs()->Get(static_cast<flatbuffers::uoffset_t>(position))->tensor_index();
}

std::uint32_t ModelView::signature_output(std::size_t signature, std::size_t position) const {
  const auto& table = *Root(root_).signature_defs()->Get(static_cast<flatbuffers::uoffset_t>(signature));
  return table.outputs()->Get(static_cast<flatbuffers::uoffset_t>(position))->tensor_index();
}

bool ModelView::has_tensors(std::size_t subgraph) const { return Subgraph(root_, subgraph).tensors() != nullptr; }

bool ModelView::has_inputs(std::size_t subgraph) const { return Subgraph(root_, subgraph).inputs() != nullptr; }

bool ModelView::has_outputs(std::size_t subgraph) const { return Subgraph(root_, subgraph).outputs() != nullptr; }

std::string_view ModelView::subgraph_name(std::size_t subgraph) const { return Text(Subgraph(root_, subgraph).name()); }

std::size_t ModelView::tensor_count(std::size_t subgraph) const { return Count(Subgraph(root_, subgraph).tensors()); }

std::size_t ModelView::operator_count(std::size_t subgraph) const {
  return Count(Subgraph(root_, subgraph).operators());
}

std::span<const std::int32_t> ModelView::inputs(std::size_t subgraph) const {
  return InPlace(Subgraph(root_, subgraph).inputs());
}

std::span<const std::int32_t> ModelView::outputs(std::size_t subgraph) const {
  return InPlace(Subgraph(root_, subgraph).outputs());
}

TensorView ModelView::tensor(std::size_t subgraph, std::size_t index) const {
  const wire::Tensor& table = *Subgraph(root_, subgraph).tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  TensorView view;
  view.name = Text(table.name());
  view.type = static_cast<TensorType>(table.type());
  view.is_variable = table.is_variable();
  view.has_shape = table.shape() != nullptr;
  view.shape = InPlace(table.shape());
  view.shape_signature = InPlace(table.shape_signature());
  view.buffer = table.buffer();
  view.data = BufferData(Root(root_), table.buffer());
  if (const auto* quantization = table.quantization()) {
    view.has_quantization = true;
    view.quantization = ReadQuantization(*quantization);
    view.quantization_details = static_cast<std::uint8_t>(quantization->details_type());
  }
  view.has_sparsity = table.sparsity() != nullptr;
  view.external_buffer = table.external_buffer();
  return view;
}

OperatorView ModelView::operator_at(std::size_t subgraph, std::size_t index) const {
  const wire::Operator& table = *Subgraph(root_, subgraph).operators()->Get(static_cast<flatbuffers::uoffset_t>(index));
  OperatorView view;
  view.opcode_index = table.opcode_index();
  view.has_opcode = view.opcode_index < operator_code_count();
  if (view.has_opcode) {
    const wire::OperatorCode& code = *Root(root_).operator_codes()->Get(view.opcode_index);
    view.code = static_cast<BuiltinOperator>(
        std::max(static_cast<std::int32_t>(code.builtin_code()), std::int32_t{code.deprecated_builtin_code()}));
    view.custom_name = Text(code.custom_code());
    view.has_custom_name = code.custom_code() != nullptr;
    view.version = code.version();
  }
  view.inputs = InPlace(table.inputs());
  view.outputs = InPlace(table.outputs());
  view.intermediates = InPlace(table.intermediates());
  view.custom_options = Bytes(table.custom_options());
  view.mutating_input_count = Count(table.mutating_variable_inputs());
  view.has_large_custom_options = table.large_custom_options_offset() > 1;
  view.options_type = static_cast<std::uint8_t>(table.builtin_options_type());
  view.has_options = table.builtin_options() != nullptr;
  view.options_2_type = static_cast<std::uint8_t>(table.builtin_options_2_type());
  view.options = DecodeOptions(&table, view.code);
  return view;
}

std::size_t ModelView::total_tensor_count() const { return first_tensor_of(subgraph_count()); }

std::size_t ModelView::total_operator_count() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < subgraph_count(); ++i) count += operator_count(i);
  return count;
}

std::size_t ModelView::first_tensor_of(std::size_t subgraph) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < subgraph; ++i) count += tensor_count(i);
  return count;
}

}  // namespace arenaproof

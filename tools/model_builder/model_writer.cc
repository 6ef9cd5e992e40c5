#include "tools/model_builder/model_writer.h"

#include <cstring>
#include <stdexcept>
#include <variant>

#include "core/model/schema_generated.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

template <typename Element>
using ListOffset = Offset<flatbuffers::Vector<Element>>;

template <typename Element>
ListOffset<Element> List(FlatBufferBuilder& file, const std::vector<Element>& elements) {
  return file.CreateVector(elements.data(), elements.size());
}

// Absent when empty.
template <typename Element>
ListOffset<Element> ListOrNone(FlatBufferBuilder& file, const std::vector<Element>& elements) {
  return elements.empty() ? ListOffset<Element>{} : List(file, elements);
}

Offset<flatbuffers::String> Text(FlatBufferBuilder& file, const std::string& text) {
  return text.empty() ? Offset<flatbuffers::String>{} : file.CreateString(text);
}

ListOffset<std::uint8_t> Bytes(FlatBufferBuilder& file, const std::vector<std::byte>& bytes) {
  return file.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

struct WrittenOptions {
  wire::BuiltinOptions type = wire::BuiltinOptions::NONE;
  Offset<void> table;
};

wire::Padding Wire(Padding value) { return static_cast<wire::Padding>(value); }
wire::ActivationFunctionType Wire(Activation value) { return static_cast<wire::ActivationFunctionType>(value); }
wire::TensorType Wire(TensorType value) { return static_cast<wire::TensorType>(value); }

class OptionsWriter {
 public:
  explicit OptionsWriter(FlatBufferBuilder& file) : file_(file) {}

  using Type = wire::BuiltinOptions;
  WrittenOptions operator()(std::monostate) { return {}; }
  WrittenOptions operator()(const FullyConnectedOptions& o) {
    return {Type::FullyConnectedOptions,
            wire::CreateFullyConnectedOptions(file_, Wire(o.activation), o.weights_format, o.keep_num_dims,
                                              o.asymmetric_quantize_inputs, Wire(o.quantized_bias_type))
                .Union()};
  }
  WrittenOptions operator()(const Conv2DOptions& o) {
    return {Type::Conv2DOptions,
            wire::CreateConv2DOptions(file_, Wire(o.padding), o.stride_w, o.stride_h, Wire(o.activation), o.dilation_w,
                                      o.dilation_h, Wire(o.quantized_bias_type))
                .Union()};
  }
  WrittenOptions operator()(const DepthwiseConv2DOptions& o) {
    return {Type::DepthwiseConv2DOptions,
            wire::CreateDepthwiseConv2DOptions(file_, Wire(o.padding), o.stride_w, o.stride_h, o.depth_multiplier,
                                               Wire(o.activation), o.dilation_w, o.dilation_h)
                .Union()};
  }
  WrittenOptions operator()(const TransposeConvOptions& o) {
    return {Type::TransposeConvOptions,
            wire::CreateTransposeConvOptions(file_, Wire(o.padding), o.stride_w, o.stride_h, Wire(o.activation),
                                             Wire(o.quantized_bias_type))
                .Union()};
  }
  WrittenOptions operator()(const Pool2DOptions& o) {
    return {Type::Pool2DOptions, wire::CreatePool2DOptions(file_, Wire(o.padding), o.stride_w, o.stride_h,
                                                           o.filter_width, o.filter_height, Wire(o.activation))
                                     .Union()};
  }
  WrittenOptions operator()(const AddOptions& o) {
    return {Type::AddOptions, wire::CreateAddOptions(file_, Wire(o.activation), o.pot_scale_int16).Union()};
  }
  WrittenOptions operator()(const SubOptions& o) {
    return {Type::SubOptions, wire::CreateSubOptions(file_, Wire(o.activation), o.pot_scale_int16).Union()};
  }
  WrittenOptions operator()(const MulOptions& o) {
    return {Type::MulOptions, wire::CreateMulOptions(file_, Wire(o.activation)).Union()};
  }
  WrittenOptions operator()(const DivOptions& o) {
    return {Type::DivOptions, wire::CreateDivOptions(file_, Wire(o.activation)).Union()};
  }
  WrittenOptions operator()(const L2NormOptions& o) {
    return {Type::L2NormOptions, wire::CreateL2NormOptions(file_, Wire(o.activation)).Union()};
  }
  WrittenOptions operator()(const CumsumOptions& o) {
    return {Type::CumsumOptions, wire::CreateCumsumOptions(file_, o.exclusive, o.reverse).Union()};
  }
  WrittenOptions operator()(const SoftmaxOptions& o) {
    return {Type::SoftmaxOptions, wire::CreateSoftmaxOptions(file_, o.beta).Union()};
  }
  WrittenOptions operator()(const ReshapeOptions&) {
    return {Type::ReshapeOptions, wire::CreateReshapeOptions(file_).Union()};
  }
  WrittenOptions operator()(const PadOptions&) { return Empty(Type::Pad); }
  WrittenOptions operator()(const PadV2Options&) { return Empty(Type::PadV2); }
  WrittenOptions operator()(const QuantizeOptions&) { return Empty(Type::Quantize); }
  WrittenOptions operator()(const DequantizeOptions&) { return Empty(Type::Dequantize); }
  WrittenOptions operator()(const ConcatenationOptions& o) {
    return {Type::ConcatenationOptions, wire::CreateConcatenationOptions(file_, o.axis, Wire(o.activation)).Union()};
  }
  WrittenOptions operator()(const ReducerOptions& o) {
    return {Type::ReducerOptions, wire::CreateReducerOptions(file_, o.keep_dims).Union()};
  }
  WrittenOptions operator()(const LeakyReluOptions& o) {
    return {Type::LeakyReluOptions, wire::CreateLeakyReluOptions(file_, o.alpha).Union()};
  }
  WrittenOptions operator()(const StridedSliceOptions& o) {
    return {Type::StridedSliceOptions, wire::CreateStridedSliceOptions(file_, o.begin_mask, o.end_mask, o.ellipsis_mask,
                                                                       o.new_axis_mask, o.shrink_axis_mask, o.offset)
                                           .Union()};
  }
  WrittenOptions operator()(const SvdfOptions& o) {
    return {Type::SVDFOptions,
            wire::CreateSVDFOptions(file_, o.rank, Wire(o.activation), o.asymmetric_quantize_inputs).Union()};
  }
  WrittenOptions operator()(const IfOptions& o) {
    return {Type::IfOptions, wire::CreateIfOptions(file_, o.then_subgraph_index, o.else_subgraph_index).Union()};
  }
  WrittenOptions operator()(const WhileOptions& o) {
    return {Type::WhileOptions, wire::CreateWhileOptions(file_, o.cond_subgraph_index, o.body_subgraph_index).Union()};
  }
  WrittenOptions operator()(const CallOnceOptions& o) {
    return {Type::CallOnceOptions, wire::CreateCallOnceOptions(file_, o.init_subgraph_index).Union()};
  }
  WrittenOptions operator()(const VarHandleOptions& o) {
    const auto text = [this](const char* value) {
      return value == nullptr ? Offset<flatbuffers::String>{} : file_.CreateString(value);
    };
    const auto container = text(o.container);
    const auto shared_name = text(o.shared_name);
    return {Type::VarHandleOptions, wire::CreateVarHandleOptions(file_, container, shared_name).Union()};
  }
  WrittenOptions operator()(const UnidirectionalSequenceLstmOptions& o) {
    return {
        Type::UnidirectionalSequenceLSTMOptions,
        wire::CreateUnidirectionalSequenceLSTMOptions(file_, Wire(o.activation), o.cell_clip, o.proj_clip, o.time_major,
                                                      o.asymmetric_quantize_inputs, o.diagonal_recurrent_tensors)
            .Union()};
  }
  WrittenOptions operator()(const SplitOptions& o) {
    return {Type::SplitOptions, wire::CreateSplitOptions(file_, o.num_splits).Union()};
  }
  WrittenOptions operator()(const PackOptions& o) {
    return {Type::PackOptions, wire::CreatePackOptions(file_, o.values_count, o.axis).Union()};
  }
  WrittenOptions operator()(const UnpackOptions& o) {
    return {Type::UnpackOptions, wire::CreateUnpackOptions(file_, o.num, o.axis).Union()};
  }
  WrittenOptions operator()(const GatherOptions& o) {
    return {Type::GatherOptions, wire::CreateGatherOptions(file_, o.axis, o.batch_dims).Union()};
  }
  WrittenOptions operator()(const BatchMatMulOptions& o) {
    return {Type::BatchMatMulOptions,
            wire::CreateBatchMatMulOptions(file_, o.adj_x, o.adj_y, o.asymmetric_quantize_inputs).Union()};
  }
  WrittenOptions operator()(const SpaceToDepthOptions& o) {
    return {Type::SpaceToDepthOptions, wire::CreateSpaceToDepthOptions(file_, o.block_size).Union()};
  }
  WrittenOptions operator()(const DepthToSpaceOptions& o) {
    return {Type::DepthToSpaceOptions, wire::CreateDepthToSpaceOptions(file_, o.block_size).Union()};
  }
  WrittenOptions operator()(const ResizeNearestNeighborOptions& o) {
    return {Type::ResizeNearestNeighborOptions,
            wire::CreateResizeNearestNeighborOptions(file_, o.align_corners, o.half_pixel_centers).Union()};
  }
  WrittenOptions operator()(const ResizeBilinearOptions& o) {
    return {Type::ResizeBilinearOptions,
            wire::CreateResizeBilinearOptions(file_, 0, 0, o.align_corners, o.half_pixel_centers).Union()};
  }
  WrittenOptions operator()(const MirrorPadOptions& o) {
    return {Type::MirrorPadOptions,
            wire::CreateMirrorPadOptions(file_, static_cast<wire::MirrorPadMode>(o.mode)).Union()};
  }
  WrittenOptions operator()(const SqueezeOptions& o) {
    const auto dims = file_.CreateVector(o.squeeze_dims.data(), o.squeeze_dims.size());
    return {Type::SqueezeOptions, wire::CreateSqueezeOptions(file_, dims).Union()};
  }
  WrittenOptions operator()(const OtherOptions& o) { return Empty(static_cast<Type>(o.union_type)); }

  WrittenOptions Empty(Type type) { return {type, wire::CreateOtherOptions(file_).Union()}; }

 private:
  FlatBufferBuilder& file_;
};

class Writer {
 public:
  explicit Writer(const ModelBuilder& model) : model_(model) {
    // Everything else aligns relative to the file's end, which is a multiple of this.
    file_.ForceVectorAlignment(16, 1, 16);
  }

  std::vector<std::byte> Write() {
    ListOffset<Offset<wire::OperatorCode>> codes = Tables(model_.codes, &Writer::Code);
    ListOffset<Offset<wire::SubGraph>> subgraphs;
    if (!model_.omit_subgraphs) subgraphs = Tables(model_.subgraphs, &Writer::Subgraph);
    ListOffset<Offset<wire::Buffer>> buffers;
    if (!model_.omit_buffers) buffers = Tables(model_.buffers, &Writer::Buffer);
    const auto metadata = TablesOrNone(model_.metadata, &Writer::Metadata);
    const auto signatures = TablesOrNone(model_.signatures, &Writer::Signature);
    const auto description = Text(file_, model_.description);
    file_.Finish(
        wire::CreateModel(file_, model_.version, codes, subgraphs, description, buffers, 0, metadata, signatures),
        wire::ModelIdentifier());
    const auto* const begin = reinterpret_cast<const std::byte*>(file_.GetBufferPointer());
    std::vector<std::byte> bytes(begin, begin + file_.GetSize());
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 16 != 0) throw std::length_error("the heap is not 16-aligned");
    return bytes;
  }

 private:
  template <typename Specs, typename Table>
  ListOffset<Offset<Table>> Tables(const Specs& specs,
                                   Offset<Table> (Writer::*write)(typename Specs::const_reference)) {
    std::vector<Offset<Table>> tables;
    for (const auto& spec : specs) tables.push_back((this->*write)(spec));
    return file_.CreateVector(tables);
  }
  template <typename Specs, typename Table>
  ListOffset<Offset<Table>> TablesOrNone(const Specs& specs,
                                         Offset<Table> (Writer::*write)(typename Specs::const_reference)) {
    return specs.empty() ? ListOffset<Offset<Table>>{} : Tables(specs, write);
  }

  Offset<wire::OperatorCode> Code(const OperatorCodeSpec& spec) {
    const auto name = spec.custom_code ? file_.CreateString(*spec.custom_code) : Offset<flatbuffers::String>{};
    return wire::CreateOperatorCode(file_, spec.deprecated_builtin_code, name, spec.version,
                                    static_cast<wire::BuiltinOperator>(spec.builtin_code));
  }

  Offset<wire::Buffer> Buffer(const BufferSpec& spec) {
    if (file_.GetSize() + (spec.data ? spec.data->size() : 0) > FLATBUFFERS_MAX_BUFFER_SIZE / 2) {
      throw std::length_error("the model passes 1 GB");
    }
    ListOffset<std::uint8_t> data;
    if (spec.data) {
      if (spec.aligned) {
        file_.ForceVectorAlignment(spec.data->size(), 1, 16);
      } else {
        while ((file_.GetSize() + spec.data->size()) % 16 != 12) file_.PushElement<std::uint8_t>(0);
      }
      data = Bytes(file_, *spec.data);
    }
    return wire::CreateBuffer(file_, data, spec.outside_offset, spec.outside_size);
  }

  Offset<wire::Metadata> Metadata(const MetadataSpec& spec) {
    const auto name = file_.CreateString(spec.name);
    return wire::CreateMetadata(file_, name, spec.buffer);
  }

  Offset<wire::TensorMap> Map(const std::uint32_t& tensor) { return wire::CreateTensorMap(file_, 0, tensor); }

  Offset<wire::SignatureDef> Signature(const SignatureSpec& spec) {
    const auto inputs = Tables(spec.inputs, &Writer::Map);
    const auto outputs = Tables(spec.outputs, &Writer::Map);
    const auto key = Text(file_, spec.key);
    return wire::CreateSignatureDef(file_, inputs, outputs, key, spec.subgraph);
  }

  Offset<wire::QuantizationParameters> Quantization(const QuantizationSpec& spec) {
    const auto scales = ListOrNone(file_, spec.scales);
    const auto zero_points = ListOrNone(file_, spec.zero_points);
    Offset<void> details;
    if (spec.details_type != 0) details = wire::CreateOtherOptions(file_).Union();
    return wire::CreateQuantizationParameters(file_, 0, 0, scales, zero_points,
                                              static_cast<wire::QuantizationDetails>(spec.details_type), details,
                                              spec.dimension);
  }

  Offset<wire::Tensor> Tensor(const TensorSpec& spec) {
    const auto name = Text(file_, spec.name);
    const auto shape = spec.shape ? List(file_, *spec.shape) : ListOffset<std::int32_t>{};
    const auto signature = ListOrNone(file_, spec.shape_signature);
    Offset<wire::QuantizationParameters> quantization;
    if (spec.quantization) quantization = Quantization(*spec.quantization);
    Offset<wire::SparsityParameters> sparsity;
    if (spec.sparse) sparsity = wire::CreateSparsityParameters(file_);
    return wire::CreateTensor(file_, shape, Wire(spec.type), spec.buffer, name, quantization, spec.is_variable,
                              sparsity, signature, false, 0, spec.external_buffer);
  }

  Offset<wire::Operator> Operator(const OperatorSpec& spec) {
    WrittenOptions options = std::visit(OptionsWriter(file_), spec.options);
    if (spec.code < model_.codes.size() && options.type == wire::BuiltinOptions::SplitOptions &&
        model_.codes[spec.code].builtin_code == static_cast<std::int32_t>(BuiltinOperator::kSplitV)) {
      options.type = wire::BuiltinOptions::SplitVOptions;  // the same table under its other name
    }
    if (spec.union_type) {
      options.type = static_cast<wire::BuiltinOptions>(*spec.union_type);
      if (options.table.IsNull()) options.table = wire::CreateOtherOptions(file_).Union();
    }
    if (spec.omit_options_table) options.table = Offset<void>{};
    Offset<void> options_2;
    if (spec.union_2_type != 0) options_2 = wire::CreateOtherOptions(file_).Union();
    const auto inputs = List(file_, spec.inputs);
    const auto outputs = List(file_, spec.outputs);
    const auto intermediates = ListOrNone(file_, spec.intermediates);
    const auto mutating = ListOrNone(file_, spec.mutating_inputs);
    ListOffset<std::uint8_t> custom_options;
    if (!spec.custom_options.empty()) custom_options = Bytes(file_, spec.custom_options);
    return wire::CreateOperator(file_, spec.code, inputs, outputs, options.type, options.table, custom_options,
                                wire::CustomOptionsFormat::FLEXBUFFERS, mutating, intermediates,
                                spec.large_custom_options_offset, 0,
                                static_cast<wire::BuiltinOptions2>(spec.union_2_type), options_2);
  }

  Offset<wire::SubGraph> Subgraph(const SubgraphSpec& spec) {
    ListOffset<Offset<wire::Tensor>> tensors;
    if (!spec.omit_tensors) tensors = Tables(spec.tensors, &Writer::Tensor);
    const auto operators = Tables(spec.operators, &Writer::Operator);
    const auto inputs = spec.omit_inputs ? ListOffset<std::int32_t>{} : List(file_, spec.inputs);
    const auto outputs = spec.omit_outputs ? ListOffset<std::int32_t>{} : List(file_, spec.outputs);
    const auto name = Text(file_, spec.name);
    return wire::CreateSubGraph(file_, tensors, inputs, outputs, operators, name);
  }

  const ModelBuilder& model_;
  FlatBufferBuilder file_;
};

}  // namespace

std::vector<std::byte> WriteModel(const ModelBuilder& description) { return Writer(description).Write(); }

}  // namespace arenaproof

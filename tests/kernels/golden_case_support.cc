#include "tests/kernels/golden_case_support.h"

#include <bit>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

template <typename Value>
Value Named(const std::map<std::string, Value>& table, const std::string& name) {
  const auto found = table.find(name);
  if (found == table.end()) throw std::runtime_error("golden file names an unknown '" + name + "'");
  return found->second;
}

TensorType TypeNamed(const std::string& name) {
  for (int value = 0; value <= static_cast<int>(TensorType::kFloat8E5M2); ++value) {
    const auto type = static_cast<TensorType>(value);
    if (name == TensorTypeName(type)) return type;
  }
  throw std::runtime_error("golden file names an unknown type '" + name + "'");
}

BuiltinOperator OperatorNamed(const std::string& name) {
  for (std::int32_t value = 0; value < kBuiltinOperatorCount; ++value) {
    const auto op = static_cast<BuiltinOperator>(value);
    if (name == BuiltinOperatorName(op)) return op;
  }
  throw std::runtime_error("golden file names an unknown operator '" + name + "'");
}

Padding PaddingOf(const Json& params) {
  return Named<Padding>({{"SAME", Padding::kSame}, {"VALID", Padding::kValid}}, params.at("padding"));
}

Activation ActivationOf(const Json& params) {
  return Named<Activation>({{"NONE", Activation::kNone},
                            {"RELU", Activation::kRelu},
                            {"RELU_N1_TO_1", Activation::kReluN1To1},
                            {"RELU6", Activation::kRelu6},
                            {"TANH", Activation::kTanh}},
                           params.contains("activation") ? params.at("activation") : params.at("fused_activation"));
}

template <typename Options>
void SetWindow(Options& options, const Json& params) {
  options.padding = PaddingOf(params);
  options.stride_h = params.at("stride_h");
  options.stride_w = params.at("stride_w");
  options.activation = ActivationOf(params);
}
template <typename Options>
void SetDilation(Options& options, const Json& params) {
  options.dilation_h = params.at("dilation_h");
  options.dilation_w = params.at("dilation_w");
}

// Given for operators without a bias.
template <typename Options>
void SetBiasType(Options& options, const Json& params) {
  if (params.contains("quantized_bias_type")) options.quantized_bias_type = TypeNamed(params.at("quantized_bias_type"));
}

// `params` of the file are the operator's options in plain words.
OperatorOptions OptionsFrom(BuiltinOperator op, const Json& params) {
  switch (op) {
    case BuiltinOperator::kFullyConnected: {
      FullyConnectedOptions options;
      options.activation = ActivationOf(params);
      options.keep_num_dims = params.at("keep_num_dims");
      SetBiasType(options, params);
      return options;
    }
    case BuiltinOperator::kConv2d: {
      Conv2DOptions options;
      SetWindow(options, params);
      SetDilation(options, params);
      SetBiasType(options, params);
      return options;
    }
    case BuiltinOperator::kDepthwiseConv2d: {
      DepthwiseConv2DOptions options;
      SetWindow(options, params);
      SetDilation(options, params);
      options.depth_multiplier = params.at("depth_multiplier");
      return options;
    }
    case BuiltinOperator::kTransposeConv: {
      TransposeConvOptions options;
      SetWindow(options, params);
      return options;
    }
    case BuiltinOperator::kAveragePool2d:
    case BuiltinOperator::kL2Pool2d:
    case BuiltinOperator::kMaxPool2d: {
      Pool2DOptions options;
      SetWindow(options, params);
      options.filter_height = params.at("filter_h");
      options.filter_width = params.at("filter_w");
      return options;
    }
    case BuiltinOperator::kSoftmax:
      return SoftmaxOptions{.beta = params.at("beta").get<float>()};
    case BuiltinOperator::kAdd:
      return AddOptions{.activation = ActivationOf(params)};
    case BuiltinOperator::kSub:
      return SubOptions{.activation = ActivationOf(params)};
    case BuiltinOperator::kMul:
      return MulOptions{.activation = ActivationOf(params)};
    case BuiltinOperator::kDiv:
      return DivOptions{.activation = ActivationOf(params)};
    case BuiltinOperator::kL2Normalization:
      return L2NormOptions{.activation = ActivationOf(params)};
    case BuiltinOperator::kCumsum:
      return CumsumOptions{.exclusive = params.at("exclusive"), .reverse = params.at("reverse")};
    case BuiltinOperator::kLeakyRelu:
      return LeakyReluOptions{.alpha = params.at("alpha").get<float>()};
    case BuiltinOperator::kUnidirectionalSequenceLstm:
      return UnidirectionalSequenceLstmOptions{.activation = ActivationOf(params),
                                               .cell_clip = params.at("cell_clip").get<float>(),
                                               .proj_clip = params.at("proj_clip").get<float>(),
                                               .time_major = params.at("time_major")};
    case BuiltinOperator::kBatchMatmul:
      return BatchMatMulOptions{.adj_x = params.at("adj_x"), .adj_y = params.at("adj_y")};
    case BuiltinOperator::kConcatenation:
      return ConcatenationOptions{.axis = params.at("axis"), .activation = Activation::kNone};
    case BuiltinOperator::kMean:
    case BuiltinOperator::kSum:
    case BuiltinOperator::kReduceMax:
    case BuiltinOperator::kReduceMin:
    case BuiltinOperator::kReduceAll:
      return ReducerOptions{.keep_dims = params.at("keep_dims")};
    case BuiltinOperator::kStridedSlice: {
      StridedSliceOptions options;
      options.begin_mask = params.at("begin_mask");
      options.end_mask = params.at("end_mask");
      options.shrink_axis_mask = params.at("shrink_axis_mask");
      return options;
    }
    case BuiltinOperator::kPack:
      return PackOptions{.values_count = params.at("values_count"), .axis = params.at("axis")};
    case BuiltinOperator::kUnpack:
      return UnpackOptions{.num = params.at("num"), .axis = params.at("axis")};
    case BuiltinOperator::kGather:
      return GatherOptions{.axis = params.at("axis"), .batch_dims = params.at("batch_dims")};
    case BuiltinOperator::kSpaceToDepth:
      return SpaceToDepthOptions{.block_size = params.at("block_size")};
    case BuiltinOperator::kDepthToSpace:
      return DepthToSpaceOptions{.block_size = params.at("block_size")};
    case BuiltinOperator::kResizeNearestNeighbor:
      return ResizeNearestNeighborOptions{.align_corners = params.at("align_corners"),
                                          .half_pixel_centers = params.at("half_pixel_centers")};
    case BuiltinOperator::kResizeBilinear:
      return ResizeBilinearOptions{.align_corners = params.at("align_corners"),
                                   .half_pixel_centers = params.at("half_pixel_centers")};
    case BuiltinOperator::kMirrorPad:
      return MirrorPadOptions{Named<MirrorPadMode>(
          {{"REFLECT", MirrorPadMode::kReflect}, {"SYMMETRIC", MirrorPadMode::kSymmetric}}, params.at("mode"))};
    case BuiltinOperator::kSvdf:
      return SvdfOptions{.rank = params.at("rank"), .activation = ActivationOf(params)};
    default:
      return std::monostate{};
  }
}

template <typename Element>
void Append(std::vector<std::byte>& bytes, Element element) {
  const auto raw = std::bit_cast<std::array<std::byte, sizeof(Element)>>(element);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

std::vector<std::byte> ValueOf(const Json& json, TensorType type) {
  std::vector<std::byte> bytes;
  if (type == TensorType::kFloat32) {
    for (const std::uint32_t bits : json.at("bits")) Append(bytes, bits);
    return bytes;
  }
  if (type == TensorType::kInt4) return PackedInt4(json.at("data").get<std::vector<int>>());
  for (const std::int64_t value : json.at("data")) {
    switch (ElementBytes(type)) {
      case 1:
        Append(bytes, static_cast<std::uint8_t>(value));
        break;
      case 2:
        Append(bytes, static_cast<std::uint16_t>(value));
        break;
      case 4:
        Append(bytes, static_cast<std::uint32_t>(value));
        break;
      default:
        Append(bytes, value);
    }
  }
  return bytes;
}

TestTensor TensorOf(const Json& json) {
  TestTensor tensor;
  tensor.type = TypeNamed(json.at("type"));
  tensor.shape = json.at("shape").get<std::vector<std::int32_t>>();
  tensor.constant = json.value("const", false);
  tensor.variable = json.value("variable", false);
  tensor.scales = json.value("scale", std::vector<float>{});
  tensor.zero_points = json.value("zero_point", std::vector<std::int64_t>{});
  tensor.quantized_dimension = json.value("quantized_dimension", 0);
  tensor.bytes = ValueOf(json, tensor.type);
  return tensor;
}

// The tensor of an operand; null when it is omitted.
const Json* TensorAt(const Json& tensors, int index) {
  return index < 0 ? nullptr : &tensors.at(static_cast<std::size_t>(index));
}

// A step of a sequence names the tensors whose values it gives; `tensors` are those of the operands.
std::vector<std::vector<std::byte>> ValuesByName(const Json& named, const std::vector<const Json*>& tensors,
                                                 const std::vector<TestTensor>& operands) {
  std::vector<std::vector<std::byte>> values(operands.size());
  for (const Json& entry : named) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (tensors[i] == nullptr || tensors[i]->at("name") != entry.at("name")) continue;
      values[i] = ValueOf(entry, operands[i].type);
    }
  }
  return values;
}

}  // namespace

std::vector<GoldenCase> ReadGoldenCases(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  const Json json = Json::parse(file);
  std::vector<GoldenCase> cases;
  for (const Json& entry : json.at("cases")) {
    GoldenCase golden;
    golden.name = path.stem().string() + " " + std::to_string(entry.at("case").get<int>());
    golden.subject.op = OperatorNamed(entry.at("op"));
    golden.subject.options = OptionsFrom(golden.subject.op, entry.at("params"));
    std::vector<const Json*> inputs;
    for (const int index : entry.at("op_inputs")) inputs.push_back(TensorAt(entry.at("inputs"), index));
    for (const Json* input : inputs) golden.subject.inputs.push_back(input == nullptr ? Absent() : TensorOf(*input));
    std::vector<const Json*> outputs;
    for (const Json& output : entry.at("outputs")) {
      outputs.push_back(&output);
      golden.subject.outputs.push_back(TensorOf(output));
    }
    for (const Json& step : entry.value("sequence", Json::array())) {
      golden.sequence.push_back({ValuesByName(step.at("inputs"), inputs, golden.subject.inputs),
                                 ValuesByName(step.at("outputs"), outputs, golden.subject.outputs),
                                 ValuesByName(step.at("variables"), inputs, golden.subject.inputs)});
    }
    cases.push_back(std::move(golden));
  }
  return cases;
}

}  // namespace arenaproof::testing

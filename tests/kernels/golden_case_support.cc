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
                            {"RELU6", Activation::kRelu6}},
                           params.at("fused_activation"));
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

// `params` of the file are the operator's options in plain words.
OperatorOptions OptionsOf(BuiltinOperator op, const Json& params) {
  switch (op) {
    case BuiltinOperator::kFullyConnected: {
      FullyConnectedOptions options;
      options.activation = ActivationOf(params);
      options.keep_num_dims = params.at("keep_num_dims");
      return options;
    }
    case BuiltinOperator::kConv2d: {
      Conv2DOptions options;
      SetWindow(options, params);
      SetDilation(options, params);
      return options;
    }
    case BuiltinOperator::kDepthwiseConv2d: {
      DepthwiseConv2DOptions options;
      SetWindow(options, params);
      SetDilation(options, params);
      options.depth_multiplier = params.at("depth_multiplier");
      return options;
    }
    case BuiltinOperator::kAveragePool2d:
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
    case BuiltinOperator::kMul:
      return MulOptions{.activation = ActivationOf(params)};
    case BuiltinOperator::kConcatenation:
      return ConcatenationOptions{.axis = params.at("axis"), .activation = Activation::kNone};
    case BuiltinOperator::kMean:
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

// A step of a sequence names the tensors whose values it gives.
std::vector<std::vector<std::byte>> ValuesByName(const Json& named, const Json& tensors,
                                                 const std::vector<TestTensor>& operands) {
  std::vector<std::vector<std::byte>> values(operands.size());
  for (const Json& entry : named) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (tensors.at(i).at("name") == entry.at("name")) values[i] = ValueOf(entry, operands[i].type);
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
    golden.subject.options = OptionsOf(golden.subject.op, entry.at("params"));
    for (const int index : entry.at("op_inputs")) {
      golden.subject.inputs.push_back(index < 0 ? Absent()
                                                : TensorOf(entry.at("inputs").at(static_cast<std::size_t>(index))));
    }
    for (const Json& output : entry.at("outputs")) golden.subject.outputs.push_back(TensorOf(output));
    for (const Json& step : entry.value("sequence", Json::array())) {
      // Every file with a sequence lists each tensor as an operand once, in the operator's order.
      golden.sequence.push_back({ValuesByName(step.at("inputs"), entry.at("inputs"), golden.subject.inputs),
                                 ValuesByName(step.at("outputs"), entry.at("outputs"), golden.subject.outputs),
                                 ValuesByName(step.at("variables"), entry.at("inputs"), golden.subject.inputs)});
    }
    cases.push_back(std::move(golden));
  }
  return cases;
}

}  // namespace arenaproof::testing

#include "engine/generators/models/model_maker.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/generators/reach.h"
#include "engine/oracles/model/broken_rules.h"

namespace arenaproof::testing {
namespace {

// All that have a size.
constexpr std::array kMadeTypes = {
    TensorType::kInt8,   TensorType::kFloat32,  TensorType::kInt16,   TensorType::kInt64,    TensorType::kInt32,
    TensorType::kBool,   TensorType::kUInt8,    TensorType::kFloat64, TensorType::kInt4,     TensorType::kComplex64,
    TensorType::kUInt32, TensorType::kUInt64,   TensorType::kFloat16, TensorType::kResource, TensorType::kComplex128,
    TensorType::kUInt16, TensorType::kBFloat16,
};

template <typename Index>
void Shift(std::vector<Index>& list, std::size_t count) {
  for (Index& index : list) {
    if (static_cast<std::int32_t>(index) >= 0) index += static_cast<Index>(count);
  }
}

class Maker {
 public:
  explicit Maker(Choices& choices) : choices_(choices) {}

  ModelBuilder Make() {
    const std::size_t subgraph_count = 1 + choices_.Below(4);
    for (std::size_t s = 0; s < subgraph_count; ++s) model_.AddSubgraph();
    // Each calls only subgraphs behind itself, so that no calls go round in circles.
    for (std::size_t s = 0; s < subgraph_count; ++s) MakeSubgraph(s);
    if (choices_.OneIn(20)) AddCallChain(model_, 10 + choices_.Below(7), 1);
    if (choices_.OneIn(40)) AddCallChain(model_, 1 + choices_.Below(7), 2);
    if (choices_.OneIn(6)) model_.AddMetadata("min_runtime_version", {});
    if (choices_.OneIn(4)) MakeSignature();
    return std::move(model_);
  }

 private:
  TensorSpec Tensor() {
    TensorSpec tensor{.name = std::string(choices_.Below(6), 't'), .type = choices_.Of(kMadeTypes)};
    if (!choices_.OneIn(8)) tensor.shape = Shape();
    if (choices_.OneIn(5)) tensor.shape_signature = tensor.shape.value_or(std::vector<std::int32_t>{-1});
    if (choices_.OneIn(3)) Quantize(tensor);
    return tensor;
  }

  // Now and then one extent is far and the others are 1, so that there are no more elements than that.
  std::vector<std::int32_t> Shape() {
    static constexpr std::array<std::int32_t, 8> kExtents = {1, 2, 3, 4, 7, 16, 17, 0};
    std::vector<std::int32_t> shape(choices_.Below(4), 1);
    if (!shape.empty() && choices_.OneIn(16)) {
      choices_.Of(shape) = static_cast<std::int32_t>(DrawReach(choices_));
      return shape;
    }
    for (std::int32_t& extent : shape) extent = choices_.Of(kExtents);
    return shape;
  }

  void Quantize(TensorSpec& tensor) {
    const oracle::Range range = oracle::ZeroPointsOf(static_cast<std::int64_t>(tensor.type));
    const std::array<std::int64_t, 6> zero_points = {
        0, 1, range.least, range.most, range.most / 2 + 1, range.least / 2};
    tensor.quantization = Scale(0.5f, choices_.Of(zero_points));
    const std::size_t rank = tensor.shape ? tensor.shape->size() : 0;
    if (rank == 0 || !choices_.OneIn(2)) return;
    const std::size_t axis = choices_.Below(rank);
    const auto extent = static_cast<std::size_t>((*tensor.shape)[axis]);
    if (extent > 0) {
      tensor.quantization = ScalesAlong(static_cast<std::int32_t>(axis), std::vector<float>(extent, 0.25f));
    }
  }

  std::int32_t Constant(SubgraphSpec& graph) {
    TensorSpec tensor = Tensor();
    std::size_t elements = 1;
    for (const std::int32_t extent : tensor.shape.value_or(std::vector<std::int32_t>{})) {
      elements *= static_cast<std::size_t>(extent);
    }
    std::size_t bytes = elements * ElementBytes(tensor.type);
    if (tensor.type == TensorType::kInt4) bytes = bytes / 2 + bytes % 2;
    const std::vector<std::byte> data(bytes, std::byte{1});
    tensor.buffer = model_.AddBuffer(
        data, tensor.type == TensorType::kComplex128 || !choices_.OneIn(4) || ElementBytes(tensor.type) > 4);
    return graph.AddTensor(tensor);
  }

  std::int32_t Variable(SubgraphSpec& graph) {
    TensorSpec tensor = Tensor();
    tensor.is_variable = true;
    // Data of a variable is dropped, whatever its length.
    if (choices_.OneIn(3)) tensor.buffer = model_.AddBuffer(std::vector<std::byte>(1 + choices_.Below(40)));
    return graph.AddTensor(tensor);
  }

  void MakeSubgraph(std::size_t s) {
    SubgraphSpec& graph = model_.subgraphs[s];
    std::vector<std::int32_t> readable;
    for (std::size_t count = choices_.Below(4); count > 0; --count) {
      graph.inputs.push_back(choices_.OneIn(12) ? Variable(graph) : graph.AddTensor(Tensor()));
      readable.push_back(graph.inputs.back());
    }
    for (std::size_t count = choices_.Below(3); count > 0; --count) readable.push_back(Constant(graph));
    if (choices_.OneIn(4)) readable.push_back(Variable(graph));
    if (choices_.OneIn(6)) readable.push_back(graph.AddTensor(Tensor()));  // read, though nobody writes it
    for (std::size_t count = choices_.Below(6); count > 0; --count) {
      OperatorSpec op = MakeOperator(s);
      for (std::size_t k = choices_.Below(4); k > 0 && !readable.empty(); --k) {
        op.inputs.push_back(choices_.OneIn(10) ? -1 : choices_.Of(readable));
      }
      std::vector<std::int32_t> written;
      for (std::size_t k = choices_.Below(4); k > 0; --k) written.push_back(graph.AddTensor(Tensor()));
      op.outputs = written;
      if (choices_.OneIn(12)) op.mutating_inputs.assign(op.inputs.size(), 0);
      readable.insert(readable.end(), written.begin(), written.end());
      graph.AddOperator(std::move(op));
    }
    if (choices_.OneIn(6)) graph.AddTensor(Tensor());  // of nobody
    for (std::size_t count = choices_.Below(4); count > 0; --count) {
      std::vector<std::int32_t> with_producer;
      for (const std::int32_t tensor : readable) {
        if (HasProducer(graph, tensor)) with_producer.push_back(tensor);
      }
      if (!with_producer.empty()) graph.outputs.push_back(choices_.Of(with_producer));
    }
    // More than fit into whatever is looked at in one piece: then all that happens in the subgraph happens behind that.
    if (choices_.OneIn(20)) PutInFront(model_, s, choices_.OneIn(8) ? 4100 : 2048 + choices_.Below(9) - 2);
  }

  bool HasProducer(const SubgraphSpec& graph, std::int32_t tensor) const {
    const TensorSpec& spec = graph.tensors[static_cast<std::size_t>(tensor)];
    const BufferSpec& buffer = model_.buffers[spec.buffer];
    if (spec.is_variable || (buffer.data && !buffer.data->empty())) return true;
    const auto lists = [&](const std::vector<std::int32_t>& list) {
      return std::find(list.begin(), list.end(), tensor) != list.end();
    };
    return lists(graph.inputs) || std::any_of(graph.operators.begin(), graph.operators.end(),
                                              [&](const OperatorSpec& op) { return lists(op.outputs); });
  }

  std::int32_t SubgraphBehind(std::size_t s) {
    return static_cast<std::int32_t>(s + 1 + choices_.Below(model_.subgraphs.size() - s - 1));
  }

  OperatorSpec MakeOperator(std::size_t s) {
    OperatorSpec op;
    const bool may_call = s + 1 < model_.subgraphs.size();
    switch (may_call ? choices_.Below(8) : choices_.Below(4)) {
      case 0:
        op.code = Code(BuiltinOperator::kRelu);
        break;
      case 1:
        op.code = Code(BuiltinOperator::kAdd);
        if (choices_.OneIn(2)) op.options = AddOptions{};
        break;
      case 2:
        op.code = CustomCode();
        op.custom_options.assign(choices_.Below(3), std::byte{});
        break;
      case 3:
        op.code = Code(BuiltinOperator::kSoftmax);
        op.options = SoftmaxOptions{};
        break;
      case 4:
      case 5:
        op.code = Code(BuiltinOperator::kIf);
        op.options = IfOptions{SubgraphBehind(s), SubgraphBehind(s)};
        break;
      case 6:
        op.code = Code(BuiltinOperator::kWhile);
        op.options = WhileOptions{SubgraphBehind(s), SubgraphBehind(s)};
        break;
      default:
        op.code = Code(BuiltinOperator::kCallOnce);
        op.options = CallOnceOptions{SubgraphBehind(s)};
        break;
    }
    return op;
  }

  // One of few names; files may say the same one, or one in another version, a second time.
  std::uint32_t CustomCode() {
    static constexpr std::array kNames = {"custom", "other", "Custom", ""};
    const char* const name = choices_.Of(kNames);
    if (choices_.OneIn(2)) return model_.AddCustomCode(name);
    constexpr auto kCustom = static_cast<std::int32_t>(BuiltinOperator::kCustom);
    model_.codes.push_back({kCustom, kCustom, name, 1 + static_cast<std::int32_t>(choices_.Below(3))});
    return static_cast<std::uint32_t>(model_.codes.size() - 1);
  }

  // In the new field, in the old one, or in both.
  std::uint32_t Code(BuiltinOperator code) {
    const auto value = static_cast<std::int32_t>(code);
    const bool old_too = value < 127;
    OperatorCodeSpec spec{value, static_cast<std::int8_t>(old_too ? value : 127)};
    const std::size_t form = choices_.Below(4);
    if (old_too && form == 1) spec.builtin_code = 0;
    if (old_too && form == 2) spec.deprecated_builtin_code = 0;
    spec.version += static_cast<std::int32_t>(choices_.Below(4));
    model_.codes.push_back(spec);
    return static_cast<std::uint32_t>(model_.codes.size() - 1);
  }

  void MakeSignature() {
    SignatureSpec signature{.key = "serving_default"};
    signature.subgraph = static_cast<std::uint32_t>(choices_.Below(model_.subgraphs.size()));
    const std::size_t tensor_count = model_.subgraphs[signature.subgraph].tensors.size();
    if (tensor_count > 0) {
      for (std::size_t k = choices_.Below(3); k > 0; --k) {
        signature.inputs.push_back(static_cast<std::uint32_t>(choices_.Below(tensor_count)));
      }
      for (std::size_t k = choices_.Below(3); k > 0; --k) {
        signature.outputs.push_back(static_cast<std::uint32_t>(choices_.Below(tensor_count)));
      }
    }
    model_.signatures.push_back(signature);
  }

  Choices& choices_;
  ModelBuilder model_;
};

}  // namespace

void AddCallChain(ModelBuilder& model, std::size_t length, std::size_t call_count) {
  for (; length > 0; --length) {
    SubgraphSpec& graph = model.AddSubgraph();
    if (length == 1) return;
    const auto next = static_cast<std::int32_t>(model.subgraphs.size());
    model.codes.push_back({static_cast<std::int32_t>(BuiltinOperator::kCallOnce), 127});
    for (std::size_t k = 0; k < call_count; ++k) {
      graph.AddOperator({.code = static_cast<std::uint32_t>(model.codes.size() - 1), .options = CallOnceOptions{next}});
    }
  }
}

void PutInFront(ModelBuilder& model, std::size_t subgraph, std::size_t count) {
  SubgraphSpec& graph = model.subgraphs[subgraph];
  graph.tensors.insert(graph.tensors.begin(), count, {.type = TensorType::kInt8, .shape = {{3}}});
  Shift(graph.inputs, count);
  Shift(graph.outputs, count);
  for (OperatorSpec& op : graph.operators) {
    Shift(op.inputs, count);
    Shift(op.outputs, count);
    Shift(op.intermediates, count);
  }
  for (SignatureSpec& signature : model.signatures) {
    if (signature.subgraph != subgraph) continue;
    Shift(signature.inputs, count);
    Shift(signature.outputs, count);
  }
}

ModelBuilder MakeSoundModel(Choices& choices) { return Maker(choices).Make(); }

}  // namespace arenaproof::testing

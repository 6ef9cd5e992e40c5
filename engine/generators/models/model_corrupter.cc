#include <algorithm>
#include <array>
#include <limits>

#include "engine/generators/models/model_maker.h"
#include "engine/oracles/model/broken_rules.h"

namespace arenaproof::testing {
namespace {

// The types of options of ADD, SOFTMAX, IF, WHILE and CALL_ONCE.
constexpr std::array<std::uint8_t, 5> kUnionTypes = {11, 9, 92, 93, 103};

class Corrupter {
 public:
  Corrupter(ModelBuilder& model, Choices& choices) : model_(model), choices_(choices) {}

  void Apply() {
    SubgraphSpec& graph = choices_.Of(model_.subgraphs);
    switch (choices_.Below(8)) {
      case 0:
      case 1:
        return CorruptTensor(graph);
      case 2:
        return CorruptQuantization(graph);
      case 3:
      case 4:
        return CorruptOperator(graph);
      case 5:
        return CorruptLists(graph);
      case 6:
        return CorruptBuffer();
      default:
        return CorruptModel();
    }
  }

 private:
  // Gives a list of indices one entry more, less or other.
  void CorruptIndices(std::vector<std::int32_t>& list, std::size_t count) {
    const std::int32_t index = choices_.Index(count);
    if (list.empty() || choices_.OneIn(4)) {
      list.push_back(index);
    } else if (choices_.OneIn(4)) {
      list.pop_back();
    } else {
      choices_.Of(list) = index;
    }
  }
  void CorruptIndices(std::vector<std::uint32_t>& list, std::size_t count) {
    const auto index = static_cast<std::uint32_t>(choices_.Index(count));
    if (list.empty() || choices_.OneIn(3)) {
      list.push_back(index);
    } else {
      choices_.Of(list) = index;
    }
  }

  void CorruptTensor(SubgraphSpec& graph) {
    if (graph.tensors.empty()) return;
    TensorSpec& tensor = choices_.Of(graph.tensors);
    switch (choices_.Below(9)) {
      case 0:
        tensor.type =
            static_cast<TensorType>(choices_.OneIn(8) ? choices_.Interesting() : static_cast<int>(choices_.Below(24)));
        return;
      case 1:
      case 2:
        if (!tensor.shape) tensor.shape.emplace();
        if (tensor.shape->empty() || choices_.OneIn(3)) return tensor.shape->push_back(choices_.Interesting());
        choices_.Of(*tensor.shape) = choices_.Interesting();
        return;
      case 3:
        tensor.shape.emplace();
        for (std::size_t rank = choices_.Below(5); rank > 0; --rank) tensor.shape->push_back(choices_.Interesting());
        return;
      case 4:
        tensor.buffer = static_cast<std::uint32_t>(choices_.Index(model_.buffers.size()));
        return;
      case 5:
        tensor.is_variable = !tensor.is_variable;
        return;
      case 6:
        tensor.shape_signature.push_back(choices_.Interesting());
        return;
      case 7:
        tensor.sparse = true;
        return;
      default:
        tensor.external_buffer = 1;
    }
  }

  void CorruptQuantization(SubgraphSpec& graph) {
    if (graph.tensors.empty()) return;
    TensorSpec& tensor = choices_.Of(graph.tensors);
    if (!tensor.quantization) tensor.quantization = Scale(0.5f, 0);
    QuantizationSpec& lists = *tensor.quantization;
    static constexpr std::array kScales = {0.0f, -1.0f, 1e-44f, std::numeric_limits<float>::infinity(),
                                           std::numeric_limits<float>::quiet_NaN()};
    // For this type and for others: the last that may be, and the first that may not.
    static constexpr std::array<std::int64_t, 6> kTypes = {3, 7, 9, 12, 16, 17};
    const auto type = static_cast<std::int64_t>(tensor.type);
    const oracle::Range range = oracle::ZeroPointsOf(choices_.OneIn(3) ? choices_.Of(kTypes) : type);
    const std::array<std::int64_t, 8> zero_points = {
        range.least - 1, range.least, range.most + 1, range.most, INT64_MIN, INT64_MAX, 1, -3};
    switch (choices_.Below(7)) {
      case 0:
        if (!lists.scales.empty()) choices_.Of(lists.scales) = choices_.Of(kScales);
        return;
      case 1:
      case 2:
        if (!lists.zero_points.empty()) choices_.Of(lists.zero_points) = choices_.Of(zero_points);
        return;
      case 3:
        return lists.scales.resize(choices_.Below(19), 0.25f);
      case 4:
        return lists.zero_points.resize(choices_.Below(19), 0);
      case 5:
        lists.scales.resize(choices_.Below(19), 0.25f);
        lists.dimension = choices_.Index(tensor.shape ? tensor.shape->size() : 0);
        return lists.zero_points.resize(lists.scales.size(), 0);
      default:
        lists.details_type = 1;
    }
  }

  void CorruptOperator(SubgraphSpec& graph) {
    if (graph.operators.empty()) return;
    OperatorSpec& op = choices_.Of(graph.operators);
    const std::size_t tensor_count = graph.tensors.size();
    switch (choices_.Below(14)) {
      case 0:
        return CorruptIndices(op.inputs, tensor_count);
      case 1:
      case 11:
        return CorruptIndices(op.outputs, tensor_count);
      case 12:  // a second time, or by two
        if (!graph.operators.front().outputs.empty())
          op.outputs.push_back(choices_.Of(graph.operators.front().outputs));
        return;
      case 2:
      case 13:  // in place
        if (!op.inputs.empty()) op.outputs.push_back(choices_.Of(op.inputs));
        return;
      case 3:
        return op.intermediates.push_back(choices_.Index(tensor_count));
      case 4:
        op.code = static_cast<std::uint32_t>(choices_.Index(model_.codes.size()));
        return;
      case 5:  // none though there is a table, that of another, or any
        op.union_type = static_cast<std::uint8_t>(choices_.OneIn(2) ? choices_.Below(127) : 0);
        if (choices_.OneIn(4)) op.union_type = choices_.Of(kUnionTypes);
        return;
      case 6:
        op.omit_options_table = true;
        return;
      case 7:
        op.union_2_type = static_cast<std::uint8_t>(choices_.Below(24));
        return;
      case 8:
        op.custom_options.assign(1 + choices_.Below(4), std::byte{});
        return;
      case 9:
        op.mutating_inputs.assign(choices_.Below(4), 1);
        return;
      default:
        CorruptCall(op);
    }
  }

  void CorruptCall(OperatorSpec& op) {
    const std::int32_t callee = choices_.Index(model_.subgraphs.size());
    const bool second = choices_.OneIn(2);
    if (auto* options = std::get_if<IfOptions>(&op.options)) {
      (second ? options->else_subgraph_index : options->then_subgraph_index) = callee;
    } else if (auto* loop = std::get_if<WhileOptions>(&op.options)) {
      (second ? loop->body_subgraph_index : loop->cond_subgraph_index) = callee;
    } else if (auto* once = std::get_if<CallOnceOptions>(&op.options)) {
      once->init_subgraph_index = callee;
    } else {
      op.large_custom_options_offset = choices_.Below(3);
    }
  }

  void CorruptLists(SubgraphSpec& graph) {
    switch (choices_.Below(7)) {
      case 0:
      case 1:
        return CorruptIndices(graph.inputs, graph.tensors.size());
      case 2:
      case 3:
        return CorruptIndices(graph.outputs, graph.tensors.size());
      case 4:
        graph.omit_inputs = true;
        return;
      case 5:
        graph.omit_outputs = true;
        return;
      default:
        graph.omit_tensors = true;
    }
  }

  void CorruptBuffer() {
    BufferSpec& buffer = choices_.Of(model_.buffers);
    switch (choices_.Below(5)) {
      case 0:
      case 1:  // longer or shorter by a little
        if (!buffer.data) buffer.data.emplace();
        return buffer.data->resize(buffer.data->size() + choices_.Below(4));
      case 2:
        if (buffer.data) buffer.data->resize(buffer.data->size() - std::min(buffer.data->size(), choices_.Below(4)));
        return;
      case 3:
        buffer.aligned = false;
        return;
      default:
        buffer.outside_offset = choices_.Below(4);
    }
  }

  void CorruptModel() {
    switch (choices_.Below(9)) {
      case 8:  // around the deepest and the most that is allowed
        return AddCallChain(model_, 8 + choices_.Below(10), 1 + choices_.Below(4));
      case 0:
        model_.metadata.push_back({"OfflineMemoryAllocation", 0});
        choices_.Of(model_.metadata).buffer = static_cast<std::uint32_t>(choices_.Index(model_.buffers.size()));
        return;
      case 1:
      case 2:
        if (model_.signatures.empty()) model_.signatures.push_back({.key = "other"});
        return CorruptSignature(choices_.Of(model_.signatures));
      case 3:
        if (!model_.codes.empty()) choices_.Of(model_.codes).custom_code.reset();
        return;
      case 4:
        if (!model_.codes.empty()) choices_.Of(model_.codes).builtin_code = static_cast<int>(choices_.Below(212)) - 1;
        return;
      case 5:
        if (!model_.codes.empty()) {
          choices_.Of(model_.codes).deprecated_builtin_code = static_cast<std::int8_t>(choices_.Below(256));
        }
        return;
      case 6:
        model_.omit_buffers = true;
        return;
      default:
        model_.subgraphs.resize(choices_.OneIn(4) ? 250 + choices_.Below(10) : choices_.Below(3));
    }
  }

  void CorruptSignature(SignatureSpec& signature) {
    const bool exists = signature.subgraph < model_.subgraphs.size();
    const std::size_t tensor_count = exists ? model_.subgraphs[signature.subgraph].tensors.size() : 0;
    switch (choices_.Below(3)) {
      case 0:
        signature.subgraph = static_cast<std::uint32_t>(choices_.Index(model_.subgraphs.size()));
        return;
      case 1:
        return CorruptIndices(signature.inputs, tensor_count);
      default:
        return CorruptIndices(signature.outputs, tensor_count);
    }
  }

  ModelBuilder& model_;
  Choices& choices_;
};

}  // namespace

void CorruptModel(ModelBuilder& model, Choices& choices) {
  if (!model.subgraphs.empty()) Corrupter(model, choices).Apply();
}

}  // namespace arenaproof::testing

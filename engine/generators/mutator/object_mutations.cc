#include "engine/generators/mutator/object_mutations.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/model/schema_generated.h"
#include "engine/generators/mutator/metadata_mutation.h"
#include "engine/generators/mutator/options_mutation.h"

namespace arenaproof {
namespace {

// Objects stop growing here: a file of 4 KB holds no more.
constexpr std::size_t kMostTensors = 64;
constexpr std::size_t kMostOperators = 32;
constexpr std::size_t kMostListEntries = 64;
constexpr std::size_t kMostBufferBytes = 2048;

using IndexList = std::vector<std::int32_t>;

class Mutation {
 public:
  Mutation(wire::ModelT& model, RandomChoice& random) : model_(model), random_(random) {}

  void Apply() {
    if (model_.subgraphs.empty() || random_.Chance(8)) return ChangeModel();
    wire::SubGraphT& graph = *random_.Of(model_.subgraphs);
    switch (random_.Below(12)) {
      case 0:
      case 1:
      case 2:
        return ChangeShape(graph);
      case 3:
        return ChangeTensor(graph);
      case 4:
      case 5:
        return ChangeQuantization(graph);
      case 6:
      case 7:
        return ChangeOptions(graph);
      case 8:
      case 9:
        return ChangeOperators(graph);
      case 10:
        return ChangeIndices(graph);
      default:
        return ChangeBuffer();
    }
  }

 private:
  template <typename Integer>
  void ChangeInteger(Integer& number) {
    number = static_cast<Integer>(random_.Interesting(static_cast<std::int32_t>(number)));
  }

  // ---- tensors

  void ChangeShape(wire::SubGraphT& graph) {
    if (graph.tensors.empty()) return;
    wire::TensorT& tensor = *random_.Of(graph.tensors);
    IndexList& shape = tensor.shape;
    const std::size_t kind = random_.Below(8);
    if (kind == 0 && shape.size() < 8) {
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(random_.Below(shape.size() + 1)),
                   static_cast<std::int32_t>(random_.Below(4)));
    } else if (kind == 1) {
      shape = random_.Of(graph.tensors)->shape;
    } else if (!shape.empty() && kind == 2) {
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(random_.Below(shape.size())));
    } else if (!shape.empty() && kind < 6) {
      // A dimension that several tensors have in common often is the same one.
      const std::int32_t old = random_.Of(shape);
      const std::int32_t changed = random_.Interesting(old);
      for (const auto& other : graph.tensors) std::replace(other->shape.begin(), other->shape.end(), old, changed);
    } else if (!shape.empty()) {
      ChangeInteger(random_.Of(shape));
    }
  }

  void ChangeTensor(wire::SubGraphT& graph) {
    if (graph.tensors.empty()) return;
    wire::TensorT& tensor = *random_.Of(graph.tensors);
    switch (random_.Below(10)) {
      case 0:
        ChangeAllTypes(graph);
        break;
      case 1:
      case 2:
        tensor.type = static_cast<wire::TensorType>(random_.Below(24));
        break;
      case 3:
        tensor.type = random_.Of(graph.tensors)->type;
        break;
      case 4:
        tensor.buffer = static_cast<std::uint32_t>(random_.Below(model_.buffers.size() + 1));
        break;
      case 5:
        tensor.is_variable = !tensor.is_variable;
        break;
      case 6:
        ChangeList(tensor.shape_signature, tensor.shape.size());
        break;
      case 7:
        if (graph.tensors.size() < kMostTensors) graph.tensors.push_back(std::make_unique<wire::TensorT>(tensor));
        break;
      case 8:
        if (random_.Chance(10)) tensor.sparsity = std::make_unique<wire::SparsityParametersT>();
        if (random_.Chance(10)) tensor.external_buffer ^= 1u;
        break;
      default:
        graph.tensors.erase(graph.tensors.begin() + static_cast<std::ptrdiff_t>(random_.Below(graph.tensors.size())));
    }
  }

  // Float to int8 or back, as a whole.
  void ChangeAllTypes(wire::SubGraphT& graph) {
    static constexpr std::array kTypes = {wire::TensorType::FLOAT32, wire::TensorType::INT8, wire::TensorType::INT16,
                                          wire::TensorType::UINT8, wire::TensorType::INT32};
    const wire::TensorType from = random_.Of(graph.tensors)->type;
    const wire::TensorType to = random_.Of(kTypes);
    for (const auto& tensor : graph.tensors) {
      if (tensor->type != from) continue;
      tensor->type = to;
      if (tensor->quantization && !tensor->quantization->scale.empty()) continue;
      tensor->quantization = std::make_unique<wire::QuantizationParametersT>();
      tensor->quantization->scale = {0.5f};
      tensor->quantization->zero_point = {0};
    }
  }

  void ChangeQuantization(wire::SubGraphT& graph) {
    if (graph.tensors.empty()) return;
    wire::TensorT& tensor = *random_.Of(graph.tensors);
    if (!tensor.quantization) {
      const wire::TensorT& other = *random_.Of(graph.tensors);
      tensor.quantization = other.quantization ? std::make_unique<wire::QuantizationParametersT>(*other.quantization)
                                               : std::make_unique<wire::QuantizationParametersT>();
      return;
    }
    wire::QuantizationParametersT& lists = *tensor.quantization;
    static constexpr std::array kScales = {1.0f,
                                           0.5f,
                                           1.0f / 256,
                                           1.0f / 128,
                                           2.0f,
                                           1e-6f,
                                           1e-30f,
                                           1e-44f,
                                           1e30f,
                                           3e38f,
                                           0.0f,
                                           -1.0f,
                                           std::numeric_limits<float>::infinity(),
                                           std::numeric_limits<float>::quiet_NaN()};
    static constexpr std::array<std::int64_t, 10> kZeroPoints = {0,   -128, 127,   1,         -1,
                                                                 255, 128,  32767, INT64_MAX, INT64_MIN};
    switch (random_.Below(8)) {
      case 0:
      case 1:
        if (!lists.scale.empty()) random_.Of(lists.scale) = random_.Of(kScales);
        break;
      case 2:
        if (!lists.scale.empty()) random_.Of(lists.scale) *= random_.Chance(50) ? 2.0f : 0.37f;
        break;
      case 3:
        if (!lists.zero_point.empty()) random_.Of(lists.zero_point) = random_.Of(kZeroPoints);
        break;
      case 4:
        lists.scale.resize(1 + random_.Below(8), 0.25f);
        lists.zero_point.resize(lists.scale.size(), 0);
        break;
      case 5:
        lists.zero_point.resize(random_.Below(4), 0);
        break;
      case 6:
        ChangeInteger(lists.quantized_dimension);
        break;
      default:
        if (random_.Chance(50)) tensor.quantization.reset();
    }
  }

  // ---- operators

  void ChangeOptions(wire::SubGraphT& graph) {
    if (!graph.operators.empty()) MutateOptions(*random_.Of(graph.operators), random_);
  }

  void ChangeOperators(wire::SubGraphT& graph) {
    if (graph.operators.empty()) return;
    const auto place = graph.operators.begin() + static_cast<std::ptrdiff_t>(random_.Below(graph.operators.size()));
    wire::OperatorT& op = **place;
    switch (random_.Below(8)) {
      case 0:
      case 1:
        ServeWith(op, random_.Of(kServedOperators));
        break;
      case 2:
      case 3:
        AppendOperator(graph);
        break;
      case 4:
        if (random_.Chance(50)) graph.operators.erase(place);
        break;
      case 5:
        std::swap(*place, random_.Of(graph.operators));
        break;
      case 6:
        op.opcode_index = static_cast<std::uint32_t>(random_.Below(model_.operator_codes.size() + 1));
        break;
      default:
        ChangeOperatorExtras(op);
    }
  }

  void ChangeOperatorExtras(wire::OperatorT& op) {
    switch (random_.Below(4)) {
      case 0:
        op.custom_options.resize(random_.Below(8));
        break;
      case 1:
        op.mutating_variable_inputs.assign(random_.Below(op.inputs.size() + 2), true);
        break;
      case 2:
        ChangeList(op.intermediates, kMostTensors);
        break;
      default:
        op.large_custom_options_offset = random_.Number() >> random_.Below(64);
    }
  }

  // Makes `op` an operator of this code, with options of its kind.
  void ServeWith(wire::OperatorT& op, wire::BuiltinOperator code) {
    std::size_t index = 0;
    for (; index < model_.operator_codes.size(); ++index) {
      if (model_.operator_codes[index]->builtin_code == code) break;
    }
    if (index == model_.operator_codes.size()) {
      auto entry = std::make_unique<wire::OperatorCodeT>();
      entry->builtin_code = code;
      entry->deprecated_builtin_code = static_cast<std::int8_t>(std::min(static_cast<std::int32_t>(code), 127));
      model_.operator_codes.push_back(std::move(entry));
    }
    op.opcode_index = static_cast<std::uint32_t>(index);
    GiveOptions(op, code);
  }

  // An operator behind the last, which reads what there is and writes a new tensor like the one it reads.
  void AppendOperator(wire::SubGraphT& graph) {
    if (graph.tensors.empty() || graph.tensors.size() >= kMostTensors || graph.operators.size() >= kMostOperators) {
      return;
    }
    auto op = random_.Chance(40) ? std::make_unique<wire::OperatorT>(*random_.Of(graph.operators))
                                 : std::make_unique<wire::OperatorT>();
    const auto input = static_cast<std::int32_t>(random_.Below(graph.tensors.size()));
    if (op->inputs.empty()) {
      op->inputs.push_back(input);
      ServeWith(*op, random_.Of(kServedOperators));
      if (random_.Chance(40)) op->inputs.push_back(static_cast<std::int32_t>(random_.Below(graph.tensors.size())));
    } else {
      op->inputs[0] = input;
    }
    auto output = std::make_unique<wire::TensorT>(*graph.tensors[static_cast<std::size_t>(input)]);
    output->buffer = 0;
    output->is_variable = false;
    graph.tensors.push_back(std::move(output));
    op->outputs = {static_cast<std::int32_t>(graph.tensors.size() - 1)};
    if (random_.Chance(70)) graph.outputs = op->outputs;
    graph.operators.push_back(std::move(op));
  }

  // ---- lists

  void ChangeList(IndexList& list, std::size_t limit) {
    const std::size_t kind = random_.Below(5);
    const auto entry = static_cast<std::int32_t>(random_.Below(limit));
    if (kind == 0 && list.size() < kMostListEntries) {
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(random_.Below(list.size() + 1)), entry);
    } else if (list.empty()) {
      list.push_back(entry);
    } else if (kind == 1) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(random_.Below(list.size())));
    } else if (kind == 2) {
      ChangeInteger(random_.Of(list));
    } else {
      random_.Of(list) = entry;
    }
  }

  void ChangeIndices(wire::SubGraphT& graph) {
    const std::size_t count = graph.tensors.size();
    const std::size_t kind = random_.Below(5);
    if (kind == 0) return ChangeList(graph.inputs, count);
    if (kind == 1) return ChangeList(graph.outputs, count);
    if (graph.operators.empty()) return;
    wire::OperatorT& op = *random_.Of(graph.operators);
    ChangeList(kind == 2 ? op.outputs : op.inputs, count);
  }

  // ---- buffers and the rest of the model

  void ChangeBuffer() {
    if (model_.buffers.empty()) return;
    wire::BufferT& buffer = *random_.Of(model_.buffers);
    const std::size_t kind = random_.Below(6);
    if (kind == 0) {
      buffer.data.resize(random_.Below(random_.Chance(20) ? kMostBufferBytes : 64), 3);
    } else if (kind == 1) {
      if (random_.Chance(10)) buffer.offset = random_.Number() >> random_.Below(64);
      if (random_.Chance(10)) buffer.size = random_.Number() >> random_.Below(64);
    } else if (buffer.data.size() >= 4 && kind < 4) {
      // A 32-bit number, such as an axis, a padding or a new shape.
      const std::size_t at = random_.Below(buffer.data.size() / 4) * 4;
      const auto number = static_cast<std::uint32_t>(random_.Interesting(static_cast<std::int8_t>(buffer.data[at])));
      for (std::size_t i = 0; i < 4; ++i) buffer.data[at + i] = static_cast<std::uint8_t>(number >> (8 * i));
    } else if (!buffer.data.empty()) {
      random_.Of(buffer.data) = static_cast<std::uint8_t>(random_.Number());
    }
  }

  void ChangeModel() {
    switch (random_.Below(8)) {
      case 0:
        return MutateMetadata(model_, random_);
      case 1:
        return ChangeSignatures();
      case 2:
        if (model_.subgraphs.empty() || model_.subgraphs.size() > 3) return;
        model_.subgraphs.push_back(std::make_unique<wire::SubGraphT>(*random_.Of(model_.subgraphs)));
        return;
      case 3:
        if (random_.Chance(30) && !model_.subgraphs.empty()) model_.subgraphs.pop_back();
        return;
      case 4:
        if (model_.buffers.size() < kMostTensors) model_.buffers.push_back(std::make_unique<wire::BufferT>());
        if (random_.Chance(80)) model_.buffers.back()->data.resize(random_.Below(64), 1);
        return;
      case 5:
        if (random_.Chance(20) && !model_.buffers.empty()) model_.buffers.pop_back();
        return;
      default:
        return ChangeOperatorCode();
    }
  }

  void ChangeOperatorCode() {
    if (model_.operator_codes.empty()) return;
    wire::OperatorCodeT& code = *random_.Of(model_.operator_codes);
    switch (random_.Below(4)) {
      case 0:
        code.builtin_code = static_cast<wire::BuiltinOperator>(random_.Below(212));
        break;
      case 1:
        code.deprecated_builtin_code = static_cast<std::int8_t>(random_.Number());
        break;
      case 2:
        code.version = random_.Interesting(code.version);
        break;
      default:
        code.custom_code = random_.Chance(50) ? "" : "custom";
    }
  }

  void ChangeSignatures() {
    if (model_.signature_defs.size() < 4 && random_.Chance(60)) {
      auto signature = std::make_unique<wire::SignatureDefT>();
      signature->signature_key = "serving_default";
      signature->subgraph_index = static_cast<std::uint32_t>(random_.Below(model_.subgraphs.size() + 1));
      signature->inputs.push_back(std::make_unique<wire::TensorMapT>());
      signature->inputs[0]->tensor_index = static_cast<std::uint32_t>(random_.Below(4));
      model_.signature_defs.push_back(std::move(signature));
    } else if (!model_.signature_defs.empty()) {
      model_.signature_defs.pop_back();
    }
  }

  wire::ModelT& model_;
  RandomChoice& random_;
};

}  // namespace

void MutateModelObject(wire::ModelT& model, RandomChoice& random) { Mutation(model, random).Apply(); }

void JoinModelObjects(wire::ModelT& model, const wire::ModelT& other, RandomChoice& random) {
  if (model.subgraphs.empty() || other.subgraphs.empty()) return;
  wire::SubGraphT& graph = *random.Of(model.subgraphs);
  const wire::SubGraphT& added = *random.Of(other.subgraphs);
  if (graph.tensors.size() + added.tensors.size() > kMostTensors) return;
  if (graph.operators.size() + added.operators.size() > kMostOperators) return;
  const auto first_tensor = static_cast<std::int32_t>(graph.tensors.size());
  const auto first_buffer = static_cast<std::uint32_t>(model.buffers.size());
  const auto first_code = static_cast<std::uint32_t>(model.operator_codes.size());
  // A negative index stays what it is: an input left out.
  const auto move = [&](IndexList& list) {
    for (std::int32_t& index : list) {
      if (index >= 0 && index < std::numeric_limits<std::int32_t>::max() - first_tensor) index += first_tensor;
    }
  };
  for (const auto& buffer : other.buffers) model.buffers.push_back(std::make_unique<wire::BufferT>(*buffer));
  for (const auto& code : other.operator_codes) {
    model.operator_codes.push_back(std::make_unique<wire::OperatorCodeT>(*code));
  }
  for (const auto& tensor : added.tensors) {
    graph.tensors.push_back(std::make_unique<wire::TensorT>(*tensor));
    if (tensor->buffer != 0) graph.tensors.back()->buffer += first_buffer;
  }
  for (std::size_t i = 0; i < added.operators.size(); ++i) {
    auto op = std::make_unique<wire::OperatorT>(*added.operators[i]);
    op->opcode_index += first_code;
    move(op->inputs);
    move(op->outputs);
    move(op->intermediates);
    if (i == 0 && !op->inputs.empty() && !graph.outputs.empty() && random.Chance(50)) op->inputs[0] = graph.outputs[0];
    graph.operators.push_back(std::move(op));
  }
  IndexList inputs = added.inputs;
  IndexList outputs = added.outputs;
  move(inputs);
  move(outputs);
  graph.inputs.insert(graph.inputs.end(), inputs.begin(), inputs.end());
  graph.outputs.insert(graph.outputs.end(), outputs.begin(), outputs.end());
}

}  // namespace arenaproof

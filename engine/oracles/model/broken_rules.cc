#include "engine/oracles/model/broken_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/model/call_tree.h"
#include "core/model/validate.h"
#include "engine/oracles/model/call_rules.h"
#include "engine/oracles/model/operator_rules.h"
#include "engine/oracles/model/wire_model.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

using Wide = WidestUnsigned;

// Where data of the type has to start, in bytes of the file.
std::size_t DataAlignmentOf(std::int64_t type) {
  if (type == 4 || type == 8 || type == 12) return 4;  // INT64, COMPLEX64, UINT64
  return type == 11 ? 8 : BytesOfType(type);           // COMPLEX128
}

// Tensors of a subgraph; indices out of range are none.
class Marks {
 public:
  explicit Marks(std::size_t count) : marks_(count, 0) {}
  bool Has(std::int64_t index) const {
    return InRange(index, marks_.size()) && marks_[static_cast<std::size_t>(index)] != 0;
  }
  void Add(std::int64_t index) {
    if (InRange(index, marks_.size())) marks_[static_cast<std::size_t>(index)] = 1;
  }

 private:
  std::vector<std::uint8_t> marks_;
};

class Rules {
 public:
  explicit Rules(std::span<const std::byte> file) : file_(file), model_(ModelOf(file)) {}

  std::vector<BrokenRule> All() {
    if (ListEntries() > std::max<std::size_t>(file_.size(), 4096)) {
      Break(StatusCode::kModelListWork);
      return broken_;
    }
    CheckModel();
    for (std::size_t s = 0; s < Count(model_.subgraphs()); ++s) CheckSubgraph(s, *Entry(model_.subgraphs(), s));
    const std::vector<BrokenRule> calls = BrokenCallRules(model_);
    broken_.insert(broken_.end(), calls.begin(), calls.end());
    return broken_;
  }

 private:
  template <typename... Numbers>
  void Break(StatusCode code, Numbers... numbers) {
    broken_.push_back(BrokenRuleOf(code, numbers...));
  }

  std::uint64_t ListEntries() const {
    std::uint64_t count = Count(model_.metadata()) + Count(model_.signature_defs()) + Count(model_.buffers());
    const std::uint64_t enough = std::max<std::size_t>(file_.size(), 4096) + 1;
    for (std::size_t i = 0; i < Count(model_.signature_defs()) && count < enough; ++i) {
      count += Count(Entry(model_.signature_defs(), i)->inputs()) + Count(Entry(model_.signature_defs(), i)->outputs());
    }
    for (std::size_t s = 0; s < Count(model_.subgraphs()) && count < enough; ++s) {
      const wire::SubGraph& graph = *Entry(model_.subgraphs(), s);
      count += 1 + Count(graph.inputs()) + Count(graph.outputs());
      for (std::size_t i = 0; i < Count(graph.tensors()) && count < enough; ++i) {
        const wire::Tensor& tensor = *Entry(graph.tensors(), i);
        count += 1 + Count(tensor.shape()) + Count(tensor.shape_signature());
        if (const auto* lists = tensor.quantization()) count += Count(lists->scale()) + Count(lists->zero_point());
      }
      for (std::size_t i = 0; i < Count(graph.operators()) && count < enough; ++i) {
        const wire::Operator& op = *Entry(graph.operators(), i);
        count += 1 + Count(op.inputs()) + Count(op.outputs()) + Count(op.intermediates());
      }
    }
    return count;
  }

  void CheckModel() {
    const std::size_t subgraph_count = Count(model_.subgraphs());
    if (subgraph_count < 1 || subgraph_count > kMaxSubgraphCount)
      Break(StatusCode::kModelSubgraphCount, subgraph_count, 1, kMaxSubgraphCount);
    if (subgraph_count > 0) {
      const wire::SubGraph& main = *Entry(model_.subgraphs(), 0);
      if (main.tensors() == nullptr) Break(StatusCode::kModelTensorsMissing, 0);
      if (main.inputs() == nullptr) Break(StatusCode::kModelInputsMissing, 0);
      if (main.outputs() == nullptr) Break(StatusCode::kModelOutputsMissing, 0);
    }
    if (Count(model_.buffers()) == 0) {
      Break(StatusCode::kModelBuffersMissing, 0, 1);
    } else if (Count(Entry(model_.buffers(), 0)->data()) != 0) {
      Break(StatusCode::kModelBufferZero, Count(Entry(model_.buffers(), 0)->data()), 0);
    }
    for (std::size_t i = 0; i < Count(model_.metadata()); ++i) {
      const std::uint32_t buffer = Entry(model_.metadata(), i)->buffer();
      if (buffer >= Count(model_.buffers()))
        Break(StatusCode::kModelMetadataBuffer, i, buffer, Count(model_.buffers()));
    }
    for (std::size_t i = 0; i < Count(model_.signature_defs()); ++i) {
      const wire::SignatureDef& signature = *Entry(model_.signature_defs(), i);
      if (signature.subgraph_index() >= subgraph_count) {
        Break(StatusCode::kModelSignatureSubgraph, i, signature.subgraph_index(), subgraph_count);
        continue;
      }
      const std::size_t tensor_count = Count(Entry(model_.subgraphs(), signature.subgraph_index())->tensors());
      std::size_t position = 0;
      for (const auto* list : {signature.inputs(), signature.outputs()}) {
        for (std::size_t k = 0; k < Count(list); ++k, ++position) {
          const std::uint32_t tensor = Entry(list, k)->tensor_index();
          if (tensor >= tensor_count) Break(StatusCode::kModelSignatureTensor, i, position, tensor, tensor_count);
        }
      }
    }
  }

  void CheckSubgraph(std::size_t s, const wire::SubGraph& graph) {
    const std::size_t tensor_count = Count(graph.tensors());
    if (tensor_count > kMaxTensorCount) Break(StatusCode::kModelTensorCount, s, tensor_count, kMaxTensorCount);
    const std::vector<std::int64_t> inputs = Numbers(graph.inputs());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!InRange(inputs[i], tensor_count)) {
        Break(StatusCode::kModelSubgraphInput, s, i, inputs[i], tensor_count);
      } else if (IsConstant(model_, TensorAt(graph, inputs[i]))) {
        Break(StatusCode::kModelConstantInput, s, i, inputs[i]);
      }
    }
    const std::vector<std::int64_t> outputs = Numbers(graph.outputs());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!InRange(outputs[i], tensor_count)) Break(StatusCode::kModelSubgraphOutput, s, i, outputs[i], tensor_count);
    }
    for (std::size_t i = 0; i < tensor_count; ++i) CheckTensor(s, i, *Entry(graph.tensors(), i));
    for (std::size_t i = 0; i < Count(graph.operators()); ++i) CheckOperator(s, i, graph);
    CheckWriters(s, graph);
  }

  static const wire::Tensor& TensorAt(const wire::SubGraph& graph, std::int64_t index) {
    return *Entry(graph.tensors(), static_cast<std::size_t>(index));
  }

  void CheckTensor(std::size_t s, std::size_t i, const wire::Tensor& tensor) {
    const auto type = static_cast<std::int64_t>(tensor.type());
    if (type < 0 || type > 22) Break(StatusCode::kModelTensorType, s, i, type, 22);
    if (tensor.buffer() >= Count(model_.buffers())) {
      Break(StatusCode::kModelTensorBuffer, s, i, tensor.buffer(), Count(model_.buffers()));
    }
    for (std::size_t k = 0; k < Count(tensor.shape_signature()); ++k) {
      const std::int32_t dimension = Entry(tensor.shape_signature(), k);
      if (dimension < -1) Break(StatusCode::kModelTensorSignature, s, i, k, dimension);
    }
    bool has_shape = true;
    for (std::size_t k = 0; k < Count(tensor.shape()); ++k) {
      const std::int32_t dimension = Entry(tensor.shape(), k);
      if (dimension < 0) Break(StatusCode::kModelTensorDimension, s, i, k, dimension);
      has_shape &= dimension >= 0;
    }
    const Wide most_bytes = SIZE_MAX - 15;
    const Wide elements = ExactElements(tensor, 1);
    // Where several dimensions are wrong, or too large, validation may name whichever it meets first.
    if (elements > 2147483647 || elements * BytesOfType(type) > most_bytes) {
      Break(StatusCode::kModelTensorSize, s, i);
      has_shape = false;
    }
    if (has_shape && IsConstant(model_, tensor) && BytesOfType(type) != 0 && tensor.sparsity() == nullptr) {
      CheckConstant(s, i, tensor, type);
    }
    if (tensor.quantization() != nullptr) CheckQuantization(s, i, tensor, type);
  }

  void CheckConstant(std::size_t s, std::size_t i, const wire::Tensor& tensor, std::int64_t type) {
    Wide bytes = ExactElements(tensor, 0) * BytesOfType(type);
    if (type == 17) bytes = (bytes + 1) / 2;  // INT4: two elements in a byte of the file
    const std::size_t found = DataBytes(model_, tensor);
    if (found != bytes) Break(StatusCode::kModelConstantLength, s, i, found, bytes);
    const auto* data = Entry(model_.buffers(), tensor.buffer())->data();
    const auto offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(data->Data()) - file_.data());
    if (offset % DataAlignmentOf(type) != 0) {
      Break(StatusCode::kModelConstantAlignment, s, i, offset, DataAlignmentOf(type));
    }
  }

  void CheckQuantization(std::size_t s, std::size_t i, const wire::Tensor& tensor, std::int64_t type) {
    const wire::QuantizationParameters& lists = *tensor.quantization();
    const std::size_t scale_count = Count(lists.scale());
    const std::size_t zero_point_count = Count(lists.zero_point());
    if (zero_point_count != scale_count && zero_point_count != 1) {
      Break(StatusCode::kModelQuantizationLists, s, i, zero_point_count, scale_count);
    }
    for (std::size_t k = 0; k < scale_count; ++k) {
      const float scale = Entry(lists.scale(), k);
      if (!(scale > 0) || std::isinf(scale)) {
        Break(StatusCode::kModelScale, s, i, k, std::bit_cast<std::uint64_t>(static_cast<double>(scale)));
      }
    }
    const std::vector<std::int64_t> shape = Numbers(tensor.shape());
    if (scale_count > 1) {
      const std::int64_t axis = shape.size() == 1 ? 0 : lists.quantized_dimension();
      if (!InRange(axis, shape.size())) {
        Break(StatusCode::kModelQuantizedDimension, s, i, axis, shape.size());
      } else if (shape[static_cast<std::size_t>(axis)] != static_cast<std::int64_t>(scale_count)) {
        Break(StatusCode::kModelScaleCount, s, i, scale_count, shape[static_cast<std::size_t>(axis)]);
      }
    }
    const Range range = ZeroPointsOf(type);
    for (std::size_t k = 0; k < zero_point_count; ++k) {
      std::int64_t zero_point = 0;  // may lie on four bytes only
      std::memcpy(&zero_point, lists.zero_point()->Data() + k * sizeof zero_point, sizeof zero_point);
      if (zero_point < range.least) Break(StatusCode::kModelZeroPoint, s, i, zero_point, range.least);
      if (zero_point > range.most) Break(StatusCode::kModelZeroPoint, s, i, zero_point, range.most);
    }
  }

  void CheckOperator(std::size_t s, std::size_t i, const wire::SubGraph& graph) {
    const wire::Operator& op = *Entry(graph.operators(), i);
    const std::size_t tensor_count = Count(graph.tensors());
    for (const std::int64_t tensor : Numbers(op.inputs())) {
      if (tensor == -1 || InRange(tensor, tensor_count)) continue;
      Break(StatusCode::kModelOperatorInput, s, i, tensor, tensor_count);
    }
    for (const std::int64_t tensor : Numbers(op.outputs())) {
      if (!InRange(tensor, tensor_count)) Break(StatusCode::kModelOperatorOutput, s, i, tensor, tensor_count);
    }
    for (const std::int64_t tensor : Numbers(op.intermediates())) {
      if (!InRange(tensor, tensor_count)) {
        Break(StatusCode::kModelOperatorIntermediate, s, i, tensor, tensor_count);
        continue;
      }
      const wire::Tensor& view = TensorAt(graph, tensor);
      const Wide bytes = ExactElements(view, 0) * BytesOfType(static_cast<std::int64_t>(view.type()));
      if (bytes != 0) Break(StatusCode::kModelIntermediateBytes, s, i, tensor, bytes);
    }
    const std::size_t flag_count = Count(op.mutating_variable_inputs());
    if (flag_count != 0 && flag_count != Count(op.inputs())) {
      Break(StatusCode::kModelMutatingInputs, s, i, flag_count, Count(op.inputs()));
    }
    if (op.opcode_index() >= Count(model_.operator_codes())) {
      return Break(StatusCode::kModelOpcodeIndex, s, i, op.opcode_index(), Count(model_.operator_codes()));
    }
    const wire::OperatorCode& code = *Entry(model_.operator_codes(), op.opcode_index());
    const bool custom = CodeOf(code) == 32;
    if (custom && code.custom_code() == nullptr) Break(StatusCode::kModelCustomCodeMissing, s, i, op.opcode_index());
    const std::size_t custom_bytes = Count(op.custom_options());
    if (!custom && custom_bytes != 0) Break(StatusCode::kModelCustomOptions, s, i, custom_bytes);
    const OptionsOfOperator* const rule = OptionsOf(CodeOf(code));
    if (rule == nullptr) return;
    const auto type = static_cast<unsigned>(op.builtin_options_type());
    const auto type_2 = static_cast<unsigned>(op.builtin_options_2_type());
    if (type_2 != 0) Break(StatusCode::kModelOptions2Type, s, i, type_2);
    if (type != 0 && type != rule->union_type) {
      Break(StatusCode::kModelOptionsType, s, i, type, rule->union_type);
    }
    const bool absent = type == 0 || op.builtin_options() == nullptr;
    if (absent && rule->required) Break(StatusCode::kModelOptionsMissing, s, i, CodeOf(code), rule->union_type);
  }

  void CheckWriters(std::size_t s, const wire::SubGraph& graph) {
    const std::size_t tensor_count = Count(graph.tensors());
    Marks inputs(tensor_count);
    for (const std::int64_t tensor : Numbers(graph.inputs())) inputs.Add(tensor);
    Marks written(tensor_count);
    Marks read(tensor_count);
    for (std::size_t i = 0; i < Count(graph.operators()); ++i) {
      const wire::Operator& op = *Entry(graph.operators(), i);
      for (const std::int64_t tensor : Numbers(op.inputs())) {
        if (!written.Has(tensor)) read.Add(tensor);
      }
      for (const std::int64_t tensor : Numbers(op.outputs())) {
        if (!InRange(tensor, tensor_count)) continue;
        const wire::Tensor& view = TensorAt(graph, tensor);
        if (view.is_variable()) Break(StatusCode::kModelVariableProduced, s, i, tensor);
        if (IsConstant(model_, view)) Break(StatusCode::kModelConstantProduced, s, i, tensor);
        if (inputs.Has(tensor)) Break(StatusCode::kModelInputProduced, s, i, tensor);
        if (written.Has(tensor)) Break(StatusCode::kModelTensorProducedTwice, s, i, tensor);
        if (read.Has(tensor)) Break(StatusCode::kModelReadBeforeProduced, s, i, tensor);
        written.Add(tensor);
      }
    }
    const std::vector<std::int64_t> outputs = Numbers(graph.outputs());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!InRange(outputs[i], tensor_count)) continue;
      const wire::Tensor& view = TensorAt(graph, outputs[i]);
      const bool has_producer = written.Has(outputs[i]) || inputs.Has(outputs[i]);
      if (!has_producer && !view.is_variable() && !IsConstant(model_, view)) {
        Break(StatusCode::kModelOutputNotProduced, s, i, outputs[i]);
      }
    }
  }

  std::span<const std::byte> file_;
  const wire::Model& model_;
  std::vector<BrokenRule> broken_;
};

}  // namespace

Range ZeroPointsOf(std::int64_t type) {
  switch (type) {
    case 3:
      return {0, 255};
    case 7:
      return {-32768, 32767};
    case 9:
      return {-128, 127};
    case 12:
    case 15:
      return {0, 2147483647};
    case 16:
      return {0, 65535};
    case 17:
      return {-8, 7};
    case 19:
      return {-2, 1};
    case 20:
      return {0, 15};
    default:
      return {-2147483648, 2147483647};
  }
}

std::vector<BrokenRule> BrokenRules(std::span<const std::byte> file) { return Rules(file).All(); }

bool AsksForUnservedFeatures(std::span<const std::byte> file) {
  const wire::Model& model = ModelOf(file);
  for (std::size_t i = 0; i < Count(model.buffers()); ++i) {
    if (Entry(model.buffers(), i)->offset() > 1) return true;
  }
  for (std::size_t s = 0; s < Count(model.subgraphs()); ++s) {
    const wire::SubGraph& graph = *Entry(model.subgraphs(), s);
    for (std::size_t i = 0; i < Count(graph.tensors()); ++i) {
      const wire::Tensor& tensor = *Entry(graph.tensors(), i);
      const bool details =
          tensor.quantization() != nullptr && tensor.quantization()->details_type() != wire::QuantizationDetails::NONE;
      const bool has_size = BytesOfType(static_cast<std::int64_t>(tensor.type())) != 0;
      if (tensor.sparsity() != nullptr || tensor.external_buffer() != 0 || details || !has_size) return true;
    }
    for (std::size_t i = 0; i < Count(graph.operators()); ++i) {
      if (Entry(graph.operators(), i)->large_custom_options_offset() > 1) return true;
    }
  }
  return false;
}

const char* StatusName(StatusCode code) {
  static constexpr std::array kNames = {
#define ARENAPROOF_STATUS(name, meaning) #name,
#include "core/base/status_codes.inc"
#include "engine/unguided.h"
#undef ARENAPROOF_STATUS
  };
  return kNames[static_cast<std::size_t>(code)];
}

std::string CheckValidation(std::span<const std::byte> file, const Status& answer) {
  const std::vector<BrokenRule> broken = BrokenRules(file);
  const bool accepted = answer.ok() || answer.code == StatusCode::kModelUnsupported;
  if (accepted && !broken.empty()) {
    const BrokenRule& rule = broken.front();
    return std::string("validation accepts a model that breaks the rule ") + StatusName(rule.code) + " at " +
           std::to_string(rule.numbers[0]) + ", " + std::to_string(rule.numbers[1]);
  }
  if (accepted) {
    if (!answer.ok() || !AsksForUnservedFeatures(file)) return {};
    return "validation does not say that the model asks for a feature that nobody serves";
  }
  std::size_t most_alike = 0;  // of the numbers, from the first on
  bool known = false;
  for (const BrokenRule& rule : broken) {
    if (rule.code != answer.code) continue;
    known = true;
    const auto end = rule.numbers.begin() + static_cast<std::ptrdiff_t>(rule.known_count);
    const auto differs = std::mismatch(rule.numbers.begin(), end, answer.detail.begin()).first;
    if (differs == end) return {};
    most_alike = std::max(most_alike, static_cast<std::size_t>(differs - rule.numbers.begin()));
  }
  const std::string place = std::to_string(answer.detail[0]) + ", " + std::to_string(answer.detail[1]);
  const std::string rule = std::string("validation refuses with the rule ") + StatusName(answer.code);
  if (!known) return rule + ", which the model does not break at " + place;
  if (most_alike < 2) return rule + ", which the model breaks elsewhere only, not at " + place;
  return rule + ", rightly at " + place +
         ", and names other figures than the file has: " + std::to_string(answer.detail[2]) + ", " +
         std::to_string(answer.detail[3]);
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END

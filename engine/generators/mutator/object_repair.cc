#include "engine/generators/mutator/object_repair.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/schema_generated.h"
#include "core/model/tensor_type.h"

namespace arenaproof {
namespace {

// Constants and lists are not made longer than this.
constexpr std::int64_t kMostRepairedBytes = 2048;

using Shape = std::vector<std::int32_t>;

bool IsTensor(const wire::SubGraphT& graph, std::int32_t index) {
  return index >= 0 && static_cast<std::size_t>(index) < graph.tensors.size();
}

std::optional<std::int64_t> Elements(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int32_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(count, std::int64_t{extent}, &count)) return std::nullopt;
  }
  return count;
}

void RepairConstants(wire::ModelT& model) {
  for (const auto& graph : model.subgraphs) {
    for (const auto& tensor : graph->tensors) {
      if (tensor->buffer >= model.buffers.size()) continue;
      std::vector<std::uint8_t>& data = model.buffers[tensor->buffer]->data;
      const std::optional<std::int64_t> elements = Elements(tensor->shape);
      const auto type = static_cast<TensorType>(tensor->type);
      if (data.empty() || !elements || *elements > kMostRepairedBytes) continue;
      const auto bytes = *elements * static_cast<std::int64_t>(ElementBytes(type));
      if (bytes > kMostRepairedBytes || bytes == 0) continue;
      data.resize(static_cast<std::size_t>(type == TensorType::kInt4 ? (bytes + 1) / 2 : bytes), 1);
    }
  }
}

void RepairQuantization(wire::TensorT& tensor) {
  if (!tensor.quantization) return;
  wire::QuantizationParametersT& lists = *tensor.quantization;
  if (lists.scale.empty() || lists.zero_point.empty()) return;
  const auto axis = static_cast<std::size_t>(lists.quantized_dimension);
  std::size_t count = lists.scale.size();
  if (count > 1 && axis < tensor.shape.size() && tensor.shape[axis] > 0 &&
      tensor.shape[axis] < kMostRepairedBytes / 8) {
    count = static_cast<std::size_t>(tensor.shape[axis]);
  }
  lists.scale.resize(count, lists.scale[0]);
  lists.zero_point.resize(count, lists.zero_point[0]);
}

std::int32_t WindowCount(std::int32_t input, std::int64_t filter, std::int64_t stride, std::int64_t dilation,
                         wire::Padding padding) {
  if (stride <= 0) return 1;
  const std::int64_t span = padding == wire::Padding::SAME ? 1 : (filter - 1) * dilation + 1;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>((input - span + stride) / stride, 0, 1 << 20));
}

// The shape of the first output, where it follows from the first two inputs.
class OutputShape {
 public:
  OutputShape(const wire::SubGraphT& graph, const wire::OperatorT& op) : op_(op) {
    if (!op.inputs.empty() && IsTensor(graph, op.inputs[0])) {
      input_ = &graph.tensors[static_cast<std::size_t>(op.inputs[0])]->shape;
    }
    if (op.inputs.size() > 1 && IsTensor(graph, op.inputs[1])) {
      filter_ = &graph.tensors[static_cast<std::size_t>(op.inputs[1])]->shape;
    }
  }

  std::optional<Shape> Follow(wire::BuiltinOperator code) const {
    if (input_ == nullptr) return std::nullopt;
    switch (code) {
      case wire::BuiltinOperator::RELU:
      case wire::BuiltinOperator::RELU6:
      case wire::BuiltinOperator::LOGISTIC:
      case wire::BuiltinOperator::TANH:
      case wire::BuiltinOperator::SOFTMAX:
      case wire::BuiltinOperator::QUANTIZE:
      case wire::BuiltinOperator::DEQUANTIZE:
        return *input_;
      case wire::BuiltinOperator::ADD:
      case wire::BuiltinOperator::MUL:
        return filter_ != nullptr && filter_->size() > input_->size() ? *filter_ : *input_;
      default:
        return FollowWindow(code);
    }
  }

 private:
  std::optional<Shape> FollowWindow(wire::BuiltinOperator code) const {
    if (code == wire::BuiltinOperator::FULLY_CONNECTED && filter_ != nullptr && filter_->size() == 2) {
      const std::optional<std::int64_t> elements = Elements(*input_);
      const std::int32_t depth = (*filter_)[1];
      if (!elements || depth <= 0 || *elements / depth > 1 << 20) return std::nullopt;
      return Shape{static_cast<std::int32_t>(*elements / depth), (*filter_)[0]};
    }
    if (input_->size() != 4) return std::nullopt;
    Shape shape = *input_;
    const Shape& in = *input_;
    if (const auto* pool = op_.builtin_options.AsPool2DOptions()) {
      shape[1] = WindowCount(in[1], pool->filter_height, pool->stride_h, 1, pool->padding);
      shape[2] = WindowCount(in[2], pool->filter_width, pool->stride_w, 1, pool->padding);
      return shape;
    }
    if (filter_ == nullptr || filter_->size() != 4) return std::nullopt;
    const Shape& filter = *filter_;
    const auto window = [&](const auto& options, std::int32_t depth) {
      shape[1] = WindowCount(in[1], filter[1], options.stride_h, options.dilation_h_factor, options.padding);
      shape[2] = WindowCount(in[2], filter[2], options.stride_w, options.dilation_w_factor, options.padding);
      shape[3] = depth;
      return shape;
    };
    if (const auto* conv = op_.builtin_options.AsConv2DOptions()) return window(*conv, filter[0]);
    if (const auto* depthwise = op_.builtin_options.AsDepthwiseConv2DOptions()) return window(*depthwise, filter[3]);
    return std::nullopt;
  }

  const wire::OperatorT& op_;
  const Shape* input_ = nullptr;
  const Shape* filter_ = nullptr;
};

void RepairShapes(const wire::ModelT& model, wire::SubGraphT& graph) {
  for (const auto& op : graph.operators) {
    if (op->opcode_index >= model.operator_codes.size() || op->outputs.empty()) continue;
    if (!IsTensor(graph, op->outputs[0])) continue;
    const wire::OperatorCodeT& code = *model.operator_codes[op->opcode_index];
    const std::optional<Shape> shape = OutputShape(graph, *op).Follow(code.builtin_code);
    if (shape) graph.tensors[static_cast<std::size_t>(op->outputs[0])]->shape = *shape;
  }
}

}  // namespace

void RepairModelObject(wire::ModelT& model) {
  for (const auto& graph : model.subgraphs) {
    RepairShapes(model, *graph);
    for (const auto& tensor : graph->tensors) RepairQuantization(*tensor);
  }
  RepairConstants(model);
}

}  // namespace arenaproof

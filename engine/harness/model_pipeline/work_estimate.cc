#include "engine/harness/model_pipeline/work_estimate.h"

#include <algorithm>
#include <span>

namespace arenaproof {
namespace {

// The work of an element that goes through a table, a transcendental function or a rescaling.
constexpr std::uint64_t kWorkPerElement = 8;
// What an observer does around each subgraph and operator, opening and closing memory, takes about as long as so many
// products. Without it loops with little in them would take most of a fuzzing engine's time.
constexpr std::uint64_t kWorkPerCall = 4096;

std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

std::uint64_t Plus(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

std::uint64_t Product(std::span<const std::int32_t> dims) {
  std::uint64_t product = 1;
  for (const std::int32_t dim : dims) product = Times(product, dim > 1 ? static_cast<std::uint64_t>(dim) : 1);
  return product;
}

class OperatorWork {
 public:
  OperatorWork(const ModelView& model, std::size_t subgraph, std::size_t operator_index)
      : model_(model), subgraph_(subgraph), op_(model.operator_at(subgraph, operator_index)) {}

  std::uint64_t Estimate() const {
    std::uint64_t elements = 0;
    for (const std::span<const std::int32_t> list : {op_.inputs, op_.outputs}) {
      for (const std::int32_t tensor : list) elements = Plus(elements, Product(Shape(tensor)));
    }
    return Plus(Times(elements, kWorkPerElement), Products());
  }

  std::uint64_t Products() const {
    // Every element of the input goes to every output channel through the whole window.
    if (op_.code == BuiltinOperator::kTransposeConv) {
      const std::span<const std::int32_t> filter = InputShape(1);
      return Times(Product(InputShape(2)), Product(filter.first(std::min<std::size_t>(filter.size(), 3))));
    }
    return Times(OutputElements(), TapsPerOutput());
  }

 private:
  std::span<const std::int32_t> Shape(std::int32_t tensor) const {
    return tensor < 0 ? std::span<const std::int32_t>()
                      : model_.tensor(subgraph_, static_cast<std::size_t>(tensor)).shape;
  }
  std::span<const std::int32_t> InputShape(std::size_t input) const {
    return input < op_.inputs.size() ? Shape(op_.inputs[input]) : std::span<const std::int32_t>();
  }
  std::uint64_t OutputElements() const { return op_.outputs.empty() ? 0 : Product(Shape(op_.outputs[0])); }

  std::uint64_t TapsPerOutput() const {
    const std::span<const std::int32_t> filter = InputShape(1);
    switch (op_.code) {
      case BuiltinOperator::kConv2d:
      case BuiltinOperator::kFullyConnected:
        return Product(filter.subspan(std::min<std::size_t>(filter.size(), 1)));
      case BuiltinOperator::kBatchMatmul: {
        const auto* options = std::get_if<BatchMatMulOptions>(&op_.options);
        const std::span<const std::int32_t> first = InputShape(0);
        if (options == nullptr || first.size() < 2) return 1;
        return Product(first.subspan(first.size() - (options->adj_x ? 2 : 1), 1));
      }
      case BuiltinOperator::kDepthwiseConv2d:
        return filter.size() < 3 ? 1 : Product(filter.subspan(1, 2));
      case BuiltinOperator::kAveragePool2d:
      case BuiltinOperator::kL2Pool2d:
      case BuiltinOperator::kMaxPool2d: {
        // A window is cut at the image's border.
        const auto* options = std::get_if<Pool2DOptions>(&op_.options);
        const std::span<const std::int32_t> input = InputShape(0);
        if (options == nullptr || input.size() < 3) return 1;
        const std::int32_t window[] = {std::min(options->filter_height, input[1]),
                                       std::min(options->filter_width, input[2])};
        return Product(window);
      }
      case BuiltinOperator::kUnidirectionalSequenceLstm: {
        // Four gates, each of which sums over the input and over the hidden state.
        const std::span<const std::int32_t> input = InputShape(0);
        const std::span<const std::int32_t> hidden = InputShape(18);
        if (input.empty() || hidden.empty()) return 1;
        return Times(4, Plus(Product(input.last(1)), Product(hidden.last(1))));
      }
      default:
        return 0;
    }
  }

  const ModelView& model_;
  const std::size_t subgraph_;
  const OperatorView op_;
};

}  // namespace

std::uint64_t EstimateOperatorWork(const ModelView& model, std::size_t subgraph, std::size_t operator_index) {
  return OperatorWork(model, subgraph, operator_index).Estimate();
}

std::uint64_t EstimateOperatorProducts(const ModelView& model, std::size_t subgraph, std::size_t operator_index) {
  return OperatorWork(model, subgraph, operator_index).Products();
}

std::uint64_t EstimateEntryWork(const ModelView& model, std::size_t subgraph) {
  std::uint64_t work = 1;
  for (const std::span<const std::int32_t> list : {model.inputs(subgraph), model.outputs(subgraph)}) {
    for (const std::int32_t tensor : list) {
      work = Plus(work, Product(model.tensor(subgraph, static_cast<std::size_t>(tensor)).shape));
    }
  }
  return work;
}

std::uint64_t EstimateInvokeWork(const ModelView& model) {
  std::uint64_t work = 0;
  for (std::size_t i = 0; i < model.operator_count(0); ++i) work = Plus(work, EstimateOperatorWork(model, 0, i));
  return work;
}

bool WorkBudget::Cancelled(const OperatorLocation& next) {
  const auto subgraph = static_cast<std::size_t>(next.subgraph);
  const std::uint64_t work =
      next.operator_index < 0
          ? Plus(kWorkPerCall, EstimateEntryWork(model_, subgraph))
          : Plus(kWorkPerCall, EstimateOperatorWork(model_, subgraph, static_cast<std::size_t>(next.operator_index)));
  if (work > left_) return true;
  left_ -= work;
  return false;
}

}  // namespace arenaproof

// Values of axes, sizes and indices that do not go with the shapes of the case. What is constant prepare refuses, what
// is computed invoke.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/table/break_rule.h"

namespace arenaproof {
namespace {

using props::Refusal;

using Values = std::vector<std::int64_t>;

struct Place {
  const OperatorCase& made;
  std::size_t operand;
  std::size_t element;
};

std::int64_t ValueAt(const CaseTensor& tensor, std::size_t element) {
  const std::size_t width = ElementBytes(tensor.type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &tensor.bytes[element * width], width);
  const auto unused = static_cast<int>(64 - 8 * width);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

// False where the type does not hold it.
bool SetValue(CaseTensor& tensor, std::size_t element, std::int64_t value) {
  const std::size_t width = ElementBytes(tensor.type);
  std::memcpy(&tensor.bytes[element * width], &value, width);
  return ValueAt(tensor, element) == value;
}

// One step beside the range, and far beside it.
Values Beside(std::int64_t least, std::int64_t most) {
  using Limits = std::numeric_limits<std::int32_t>;
  return {least - 1, most + 1, Limits::min(), Limits::max()};
}

Values BesideAxes(const CaseTensor& data) {
  const auto rank = static_cast<std::int64_t>(data.shape.size());
  return Beside(-rank, rank - 1);
}

// -1 says "the rest", which may be the same.
Values OtherSizes(std::int64_t size) {
  Values values = Beside(size, size);
  std::erase(values, -1);
  return values;
}

Values AddTwin(Values values, const Place& place) {
  const CaseTensor& list = place.made.inputs[place.operand];
  const std::size_t other = (place.element + 1) % list.count();
  if (other != place.element) values.push_back(ValueAt(list, other));
  return values;
}

Values BesideGathered(const OperatorCase& made) {
  const CaseShape& data = made.inputs[0].shape;
  const std::int32_t axis = std::get<GatherOptions>(made.options).axis;
  return Beside(0, data[static_cast<std::size_t>(axis < 0 ? axis + std::ssize(data) : axis)] - 1);
}

// An extent that is neither 1 nor the other shape's, which is not 1.
Values NotBroadcast(const Place& place) {
  const CaseTensor& other = place.made.inputs[1 - place.operand];
  const std::size_t from_end = place.made.inputs[place.operand].count() - place.element;
  if (from_end > other.count()) return {};
  // Of 64 bits the lower half counts.
  const auto extent = static_cast<std::int32_t>(ValueAt(other, other.count() - from_end));
  if (extent == 1) return {};
  Values values{std::int64_t{extent} - 1, std::int64_t{extent} + 1};
  std::erase(values, 1);
  return values;
}

// Values that the shape rule does not allow there, each of them for itself.
Values WrongValues(ShapeRule rule, const Place& place) {
  const OperatorCase& made = place.made;
  const std::size_t i = place.element;
  switch (rule) {
    case ShapeRule::kSplit:
      return BesideAxes(made.inputs[1]);
    case ShapeRule::kSplitV:
      return place.operand == 2 ? BesideAxes(made.inputs[0]) : OtherSizes(ValueAt(made.inputs[1], i));
    case ShapeRule::kExpandDims:
      return BesideAxes(made.output);
    case ShapeRule::kReduction:
    case ShapeRule::kArgMax:
    case ShapeRule::kCumsum:
      return BesideAxes(made.inputs[0]);
    case ShapeRule::kReverse:
      return AddTwin(BesideAxes(made.inputs[0]), place);
    case ShapeRule::kTranspose:
      return AddTwin(Beside(0, std::ssize(made.inputs[0].shape) - 1), place);
    case ShapeRule::kSlice: {
      const std::int64_t size = made.output.shape[i];
      return place.operand == 1 ? Beside(0, made.inputs[0].shape[i] - size) : OtherSizes(size);
    }
    case ShapeRule::kStridedSlice:
      return place.operand == 3 ? Values{0} : Values{};
    case ShapeRule::kSpaceToBatch:
    case ShapeRule::kBatchToSpace: {
      Values values = Beside(ValueAt(made.inputs[place.operand], i), ValueAt(made.inputs[place.operand], i));
      if (place.operand == 1) values.push_back(0);
      return values;
    }
    case ShapeRule::kPad:
    case ShapeRule::kMirrorPad:
    case ShapeRule::kFill:
    case ShapeRule::kBroadcastTo:
    case ShapeRule::kResize:
      return Beside(ValueAt(made.inputs[place.operand], i), ValueAt(made.inputs[place.operand], i));
    case ShapeRule::kBroadcastArgs:
      return NotBroadcast(place);
    case ShapeRule::kGather:
      return BesideGathered(made);
    case ShapeRule::kGatherNd:
      return Beside(0, made.inputs[0].shape[i % static_cast<std::size_t>(made.inputs[1].shape.back())] - 1);
    case ShapeRule::kEmbeddingLookup:
      return Beside(0, made.inputs[1].shape[0] - 1);
    default:
      return {};
  }
}

bool HasMargins(ShapeRule rule, std::size_t operand) {
  const bool of_blocks = rule == ShapeRule::kSpaceToBatch || rule == ShapeRule::kBatchToSpace;
  return operand == (of_blocks ? 2 : 1) && (of_blocks || rule == ShapeRule::kPad || rule == ShapeRule::kMirrorPad);
}

// The other side makes up for it: no extent says that one of them is negative.
bool MoveMargin(CaseRandom& random, CaseTensor& margins) {
  const std::size_t pair = 2 * random.Below(margins.count() / 2), side = random.Below(2);
  const std::int64_t both = ValueAt(margins, pair) + ValueAt(margins, pair + 1);
  const std::int64_t negative = -random.Between(1, 3);
  return SetValue(margins, pair + side, negative) && SetValue(margins, pair + 1 - side, both - negative);
}

bool MoveValue(const BreakDraw& draw, std::size_t operand, OperatorCase& made) {
  CaseTensor& tensor = made.inputs[operand];
  const Place place{made, operand, draw.random.Below(tensor.count())};
  const Values wrong = WrongValues(draw.row.shape, place);
  if (wrong.empty()) return false;
  return SetValue(tensor, place.element, draw.random.Of(wrong));
}

// What is divided by.
void SetZero(CaseRandom& random, CaseTensor& tensor) {
  const std::size_t width = ElementBytes(tensor.type), at = random.Below(tensor.count()) * width;
  const std::int32_t zero = tensor.type == TensorType::kFloat32 ? 0 : tensor.zero_point;
  std::memcpy(&tensor.bytes[at], &zero, width);
}

// Any bias goes with the shapes.
bool IsSumOfProducts(ShapeRule rule) {
  return rule == ShapeRule::kConvolution || rule == ShapeRule::kDepthwise || rule == ShapeRule::kTransposeConvolution ||
         rule == ShapeRule::kFullyConnected;
}

}  // namespace

bool HasValueRule(const OperatorRow& row, std::size_t place) {
  if (place >= kFirstOutputOperand) return false;
  const ValueRule values = row.inputs[place].values;
  if (values == ValueRule::kNotZero) return true;
  if (values != ValueRule::kByShapeRule) return false;
  const bool is_clamped = row.shape == ShapeRule::kDynamicUpdateSlice;
  const bool is_window = row.shape == ShapeRule::kStridedSlice && place != 3;
  return !is_clamped && !is_window && !IsSumOfProducts(row.shape);
}

std::optional<Refusal> BreakValue(const BreakDraw& draw, OperatorCase& made) {
  const std::size_t operand = draw.broken.place;
  if (operand >= made.inputs.size()) return std::nullopt;
  CaseTensor& tensor = made.inputs[operand];
  if (tensor.bytes.empty()) return std::nullopt;
  if (draw.row.inputs[operand].values == ValueRule::kNotZero) {
    SetZero(draw.random, tensor);
    return Refusal{"a divisor of zero", {StatusCode::kKernelDivisor}, {}};
  }
  const bool moves_margin = HasMargins(draw.row.shape, operand) && draw.random.OneIn(2);
  const bool is_broken = moves_margin ? MoveMargin(draw.random, tensor) : MoveValue(draw, operand, made);
  if (!is_broken) return std::nullopt;
  return Refusal{"a value that does not go with the shapes",
                 {StatusCode::kKernelIndex, StatusCode::kKernelOption, StatusCode::kKernelDimension,
                  StatusCode::kKernelRunTimeShape, StatusCode::kKernelElementCount, StatusCode::kKernelRank,
                  StatusCode::kKernelUnsupported},
                 {}};
}

}  // namespace arenaproof

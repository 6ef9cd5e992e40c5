#include <algorithm>
#include <array>

#include "core/operators/type_tuples.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/table/break_rule.h"

namespace arenaproof {
namespace {

using props::Refusal;

std::optional<TensorType> TypeOf(const CaseTensor& tensor) {
  return tensor.present ? std::optional(tensor.type) : std::nullopt;
}

OperandTypes TypesOf(const OperatorCase& made) {
  OperandTypes types;
  for (const CaseTensor& input : made.inputs) types.inputs.push_back(TypeOf(input));
  for (std::size_t i = 0; i < made.output_count(); ++i) types.outputs.push_back(TypeOf(made.output_at(i)));
  return types;
}

// Of as many elements; its values are zeros.
void SetType(CaseTensor& tensor, TensorType type) {
  tensor.type = type;
  if (!tensor.bytes.empty()) {
    const bool packed = tensor.constant && type == TensorType::kInt4;
    tensor.bytes.assign(packed ? (tensor.count() + 1) / 2 : tensor.count() * ElementBytes(type), std::byte{0});
  }
  if (tensor.scales.empty()) tensor.scales = {0.125f};
  tensor.zero_point = 0;
  tensor.channel_zero_points.clear();
}

std::optional<Refusal> BreakType(const BreakDraw& draw, OperatorCase& made) {
  std::uint64_t number = 0;
  CaseTensor* const tensor = DrawBrokenOperand(draw, made, &number);
  if (tensor == nullptr) return std::nullopt;
  SetType(*tensor, draw.random.Of(kSchemaTypes));
  if (TupleOf(draw.row, TypesOf(made))) return std::nullopt;
  return Refusal{"a type outside every tuple", {StatusCode::kKernelType, StatusCode::kKernelUnsupportedType}, {}};
}

std::optional<Refusal> Omit(const BreakDraw& draw, OperatorCase& made) {
  std::uint64_t number = 0;
  CaseTensor* const tensor = DrawBrokenOperand(draw, made, &number);
  if (tensor == nullptr) return std::nullopt;
  tensor->present = false;
  return Refusal{"an operand that is left out", {StatusCode::kKernelOperandMissing}, number};
}

std::optional<Refusal> CutInputs(const BreakDraw& draw, OperatorCase& made) {
  made.inputs.resize(draw.broken.place);
  return Refusal{"too few inputs", {StatusCode::kKernelOperandCount, StatusCode::kKernelOperandMissing}, {}};
}

std::optional<Refusal> AddOne(const BreakDraw& draw, OperatorCase& made) {
  if (draw.broken.place == kFirstOutputOperand) {
    made.more_outputs.push_back(made.output);
    return Refusal{"too many outputs", {StatusCode::kKernelOperandCount}, {}};
  }
  std::size_t most = draw.row.inputs.size();
  if (draw.row.inputs.back().presence == Presence::kRepeated) most += draw.row.most_repeated - std::size_t{1};
  made.inputs.resize(most + 1, made.inputs.back());
  return Refusal{"too many inputs", {StatusCode::kKernelOperandCount}, {}};
}

std::optional<Refusal> FillForbidden(const BreakDraw& draw, OperatorCase& made) {
  if (made.inputs.size() <= draw.broken.place) return std::nullopt;
  CaseTensor& tensor = made.inputs[draw.broken.place];
  tensor = made.inputs[0];
  tensor.constant = true;
  return Refusal{
      "an operand in a place for none", {StatusCode::kKernelUnsupported, StatusCode::kKernelOperandCount}, {}};
}

// Dimensions of 1 in front, or those in front made one.
bool SetRank(CaseTensor& tensor, std::size_t rank) {
  auto& shape = tensor.shape;
  while (shape.size() < rank) {
    shape.insert(shape.begin(), 1);
    ++tensor.dimension;
  }
  while (shape.size() > rank) {
    const std::int32_t first = shape.front();
    shape.erase(shape.begin());
    if (!shape.empty()) shape.front() *= first;
    const bool is_cut = shape.empty() && !tensor.bytes.empty();
    if (is_cut) tensor.bytes.resize(tensor.bytes.size() / static_cast<std::size_t>(std::max(first, 1)));
    if (tensor.scales.size() > 1 && tensor.dimension-- == 0) return false;
  }
  return true;
}

// Of no dimensions none is an axis, which these say instead of the rank.
bool ReadsAxisFirst(ShapeRule rule) {
  using enum ShapeRule;
  constexpr ShapeRule kRules[] = {kConcatenation, kSplit, kSplitV, kReduction, kCumsum, kGather};
  return std::find(std::begin(kRules), std::end(kRules), rule) != std::end(kRules);
}

// Alone, so that it does not go with the others any more, or with all operands of the same shape.
std::optional<Refusal> BreakRank(const BreakDraw& draw, OperatorCase& made) {
  std::uint64_t number = 0;
  CaseTensor* const tensor = DrawBrokenOperand(draw, made, &number);
  if (tensor == nullptr) return std::nullopt;
  const OperandRow& row = BrokenOperandRow(draw.row, draw.broken.place);
  const bool above = draw.broken.kind == Breakage::kRankAbove;
  const std::size_t rank = above ? row.most_rank + std::size_t{1} : row.least_rank - std::size_t{1};
  const bool together = draw.random.OneIn(2);
  const auto old = tensor->shape;
  bool fits = true;
  const auto change = [&](CaseTensor& each) {
    if (each.present && (&each == tensor || (together && each.shape == old))) fits = fits && SetRank(each, rank);
  };
  for (CaseTensor& input : made.inputs) change(input);
  for (std::size_t i = 0; i < made.output_count(); ++i) change(made.output_at(i));
  if (!fits) return std::nullopt;
  if (above) return Refusal{"a rank above the most", {StatusCode::kKernelRank}, {}};
  std::vector<StatusCode> codes = {StatusCode::kKernelRank};
  if (ReadsAxisFirst(draw.row.shape)) codes.insert(codes.end(), {StatusCode::kKernelOption, StatusCode::kKernelIndex});
  return Refusal{"a rank below the least", codes, {}};
}

std::optional<Refusal> ChangeSource(const BreakDraw& draw, OperatorCase& made) {
  std::uint64_t number = 0;
  CaseTensor* const tensor = DrawBrokenOperand(draw, made, &number);
  if (tensor == nullptr) return std::nullopt;
  const bool computed = draw.broken.kind == Breakage::kComputed;
  if (computed && tensor->type == TensorType::kInt4) return std::nullopt;  // packed in constants only
  (computed ? tensor->constant : tensor->variable) = false;
  return Refusal{computed ? "a computed operand that has to be constant" : "an operand that has to be a variable",
                 {computed ? StatusCode::kKernelNotConstant : StatusCode::kKernelNotVariable},
                 number};
}

// Extents of the output that the operator does not derive from its inputs, or not from one of them alone.
bool IsFreeExtent(const OperatorCase& made, ShapeRule rule, std::size_t axis) {
  switch (rule) {
    case ShapeRule::kFullyConnected:  // rows of the filter may be left away
      return axis + 1 == made.output.shape.size();
    case ShapeRule::kTransposeConvolution:  // where the last taps of a stride fall
      return axis == 1 || axis == 2;
    default:
      return false;
  }
}

std::optional<Refusal> BreakOutputExtent(const BreakDraw& draw, OperatorCase& made) {
  std::uint64_t number = 0;
  CaseTensor* const tensor = DrawBrokenOperand(draw, made, &number);
  if (tensor == nullptr || tensor->shape.empty()) return std::nullopt;
  const std::size_t axis = draw.random.Below(tensor->shape.size());
  if (IsFreeExtent(made, draw.row.shape, axis)) return std::nullopt;
  std::int32_t& extent = tensor->shape[axis];
  extent += extent > 1 && draw.random.OneIn(2) ? -1 : 1;
  // Places and sizes in an operand do not go with it any more.
  return Refusal{"an output of another extent",
                 {StatusCode::kKernelDimension, StatusCode::kKernelElementCount, StatusCode::kKernelRank,
                  StatusCode::kKernelRunTimeShape, StatusCode::kKernelIndex},
                 {}};
}

}  // namespace

const OperandRow& BrokenOperandRow(const OperatorRow& row, std::size_t place) {
  return place < kFirstOutputOperand ? row.inputs[place] : row.outputs[place - kFirstOutputOperand];
}

CaseTensor* DrawBrokenOperand(const BreakDraw& draw, OperatorCase& made, std::uint64_t* number) {
  const bool is_input = draw.broken.place < kFirstOutputOperand;
  const std::size_t first = is_input ? draw.broken.place : draw.broken.place - kFirstOutputOperand;
  const std::size_t rows = is_input ? draw.row.inputs.size() : draw.row.outputs.size();
  const std::size_t count = is_input ? made.inputs.size() : made.output_count();
  if (first >= count) return nullptr;
  const std::size_t which = first + 1 == rows ? first + draw.random.Below(count - first) : first;
  CaseTensor& tensor = is_input ? made.inputs[which] : made.output_at(which);
  *number = which + (is_input ? 0 : kFirstOutputOperand);
  return tensor.present ? &tensor : nullptr;
}

std::optional<Refusal> BreakOperand(const BreakDraw& draw, OperatorCase& made) {
  switch (draw.broken.kind) {
    case Breakage::kType:
      return BreakType(draw, made);
    case Breakage::kOmitted:
      return Omit(draw, made);
    case Breakage::kTooFew:
      return CutInputs(draw, made);
    case Breakage::kTooMany:
      return AddOne(draw, made);
    case Breakage::kForbidden:
      return FillForbidden(draw, made);
    case Breakage::kRankAbove:
    case Breakage::kRankBelow:
      return BreakRank(draw, made);
    case Breakage::kComputed:
    case Breakage::kNotVariable:
      return ChangeSource(draw, made);
    case Breakage::kOutputExtent:
      return BreakOutputExtent(draw, made);
    default:
      return std::nullopt;
  }
}

}  // namespace arenaproof

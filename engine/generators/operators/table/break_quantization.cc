#include <array>
#include <cmath>
#include <limits>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/table/break_rule.h"
#include "engine/generators/operators/table/table_quantization.h"

namespace arenaproof {
namespace {

using props::Refusal;

bool SaysScale(QuantizationRule rule) {
  using enum QuantizationRule;
  return rule == kAsFirst || rule == kProduct || rule == kUnit8 || rule == kUnit16 || rule == kLogarithm;
}

bool IsBrokenBy(QuantizationRule rule, QuantizationRead read, Breakage kind) {
  using enum QuantizationRule;
  if (rule == kNone || read == QuantizationRead::kNothing) return false;
  if (rule == kCentered && kind != Breakage::kZeroPoint) return false;
  switch (kind) {
    case Breakage::kQuantizationMissing:
      return rule != kSymmetricOrNone;
    case Breakage::kZeroPoint:
      return rule != kByOperator;
    case Breakage::kScale:
      return SaysScale(rule) && read != QuantizationRead::kAnyScale;
    default:
      return true;
  }
}

// The first operand of the case that is quantised: others follow it.
const CaseTensor* FirstQuantized(const OperatorCase& made) {
  for (const CaseTensor& input : made.inputs) {
    if (input.present && !input.scales.empty()) return &input;
  }
  return nullptr;
}

std::int32_t LeastZeroPoint(TensorType type) {
  return type == TensorType::kUInt8 ? 0 : type == TensorType::kInt16 ? -32768 : type == TensorType::kInt4 ? -8 : -128;
}

std::int32_t MostZeroPoint(TensorType type) { return type == TensorType::kUInt8 ? 255 : -1 - LeastZeroPoint(type); }

std::optional<Refusal> BreakZeroPoint(CaseRandom& random, QuantizationRule rule, CaseTensor& tensor,
                                      std::uint64_t number) {
  const std::int32_t most = MostZeroPoint(tensor.type);
  if (rule == QuantizationRule::kFree) {
    if (tensor.type == TensorType::kInt32) return std::nullopt;  // nothing is outside
    tensor.zero_point = random.OneIn(2) ? most + 1 : LeastZeroPoint(tensor.type) - 1;
    return Refusal{"a zero point outside its type", {StatusCode::kKernelZeroPoint}, number};
  }
  const std::int32_t step = tensor.zero_point < most ? 1 : -1;
  if (tensor.scales.size() > 1) {
    tensor.channel_zero_points.assign(tensor.scales.size(), tensor.zero_point);
    tensor.channel_zero_points[random.Below(tensor.scales.size())] += step;
  } else {
    tensor.zero_point += step;
  }
  return Refusal{"a zero point beside the rule", {StatusCode::kKernelZeroPoint}, {}};
}

void AddScale(QuantizationRule rule, CaseTensor& tensor) {
  const auto add = [&] { tensor.scales.push_back(tensor.scales.back()); };
  add();
  if (rule != QuantizationRule::kChannels) return;
  const auto channels = static_cast<std::size_t>(tensor.shape[static_cast<std::size_t>(tensor.dimension)]);
  if (tensor.scales.size() == channels) add();
}

void BreakScale(CaseRandom& random, QuantizationRule rule, QuantizationRead read, CaseTensor& tensor) {
  constexpr float kBesideUnit16 = 1.002f;  // which holds within a thousandth
  float& scale = tensor.scales[random.Below(tensor.scales.size())];
  if (rule == QuantizationRule::kUnit16) {
    scale *= kBesideUnit16;
  } else if (rule == QuantizationRule::kProduct || read == QuantizationRead::kNearly || random.OneIn(2)) {
    scale *= 2;
  } else {
    scale = std::nextafter(scale, 2 * scale);
  }
}

Refusal RemoveScale(CaseRandom& random, CaseTensor& tensor, std::uint64_t number) {
  using Limits = std::numeric_limits<float>;
  constexpr std::array kNone = {0.0f, -0.0f, -0.5f, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()};
  tensor.scales[random.Below(tensor.scales.size())] = random.Of(kNone);
  return {"a scale that is none", {StatusCode::kKernelScale, StatusCode::kKernelUnsupported}, number};
}

}  // namespace

bool HasQuantizationRule(const OperatorRow& row, std::size_t place, Breakage kind) {
  const OperandRow& operand = BrokenOperandRow(row, place);
  if (place == 0 && kind == Breakage::kScale && operand.quantization == QuantizationRule::kAsFirst) return false;
  for (const TypeTuple& tuple : row.types) {
    const TensorType type = tuple[operand.type_column];
    if (IsBrokenBy(RuleFor(operand, type), ReadFor(operand, type), kind)) return true;
  }
  return false;
}

std::optional<Refusal> BreakQuantization(const BreakDraw& draw, OperatorCase& made) {
  std::uint64_t number = 0;
  CaseTensor* const tensor = DrawBrokenOperand(draw, made, &number);
  if (tensor == nullptr || tensor->scales.empty()) return std::nullopt;
  const OperandRow& operand = BrokenOperandRow(draw.row, draw.broken.place);
  QuantizationRule rule = RuleFor(operand, tensor->type);
  const QuantizationRead read = ReadFor(operand, tensor->type);
  if (rule == QuantizationRule::kSymmetricIfConverted && tensor->type == made.output.type) return std::nullopt;
  // Nothing in front of it that it could differ from.
  if (rule == QuantizationRule::kAsFirst && FirstQuantized(made) == tensor) rule = QuantizationRule::kFree;
  // A tuple that the operator's shape rule quantises in its own way.
  constexpr float kUnits[] = {1.0f / 256.0f, 1.0f / 65536.0f};
  const bool is_unit = tensor->scales[0] == kUnits[tensor->type == TensorType::kInt16 ? 1 : 0];
  if (rule == QuantizationRule::kUnit8 && !is_unit) rule = QuantizationRule::kByOperator;
  if (!IsBrokenBy(rule, read, draw.broken.kind)) return std::nullopt;
  switch (draw.broken.kind) {
    case Breakage::kQuantizationMissing:
      tensor->scales.clear();
      return Refusal{"a missing quantisation", {StatusCode::kKernelQuantizationMissing}, number};
    case Breakage::kNoScale:
      return RemoveScale(draw.random, *tensor, number);
    case Breakage::kScaleCount:
      AddScale(rule, *tensor);
      return Refusal{"a scale too many", {StatusCode::kKernelScaleCount}, number};
    case Breakage::kZeroPoint:
      return BreakZeroPoint(draw.random, rule, *tensor, number);
    default:
      BreakScale(draw.random, rule, read, *tensor);
      return Refusal{"a scale beside the rule", {StatusCode::kKernelScale}, {}};
  }
}

}  // namespace arenaproof

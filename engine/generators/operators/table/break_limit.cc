// Limits that no operand's row says: lengths of rows, and what OperatorRow::limits has in words.
#include <algorithm>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/table/break_rule.h"

namespace arenaproof {
namespace {

using props::Refusal;

// Its values are zeros.
void SetInputShape(CaseTensor& input, const CaseShape& shape) {
  input.shape = shape;
  input.bytes.assign(input.count() * ElementBytes(input.type), std::byte{0});
}

// A sum of one summand more than its 32 bits hold.
std::optional<Refusal> AddSummands(OperatorCase& made) {
  constexpr std::size_t kMostInt8Inputs = 15;
  if (made.output.type != TensorType::kInt8) return std::nullopt;
  made.inputs.resize(kMostInt8Inputs + 1, made.inputs.back());
  return Refusal{"more inputs of int8 than are served", {StatusCode::kKernelOperandCount}, {}};
}

std::optional<Refusal> AddFloatDimensions(OperatorCase& made) {
  constexpr std::size_t kMostFloatRank = 4;
  if (made.output.type != TensorType::kFloat32) return std::nullopt;
  CaseShape& shape = made.output.shape;
  while (shape.size() <= kMostFloatRank) shape.insert(shape.begin(), 1);
  for (CaseTensor& input : made.inputs) {
    while (input.shape.size() <= kMostFloatRank) input.shape.insert(input.shape.begin(), 1);
  }
  return Refusal{"floats of more dimensions than are served", {StatusCode::kKernelRank}, {}};
}

std::optional<Refusal> AddCoordinates(OperatorCase& made) {
  constexpr std::int32_t kMostCoordinates = 5;
  SetInputShape(made.inputs[0], CaseShape(kMostCoordinates + 1, 2));
  SetInputShape(made.inputs[1], {3, kMostCoordinates + 1});
  made.output.shape = {3};
  return Refusal{"more coordinates than are served", {StatusCode::kKernelDimension}, {}};
}

struct LimitInWords {
  BuiltinOperator code;
  std::optional<Refusal> (*exceed)(OperatorCase& made);
};
constexpr LimitInWords kLimitsInWords[] = {{BuiltinOperator::kAddN, AddSummands},
                                           {BuiltinOperator::kPrelu, AddFloatDimensions},
                                           {BuiltinOperator::kGatherNd, AddCoordinates}};

const LimitInWords* LimitOf(const OperatorRow& row) {
  const auto* const found = std::find_if(std::begin(kLimitsInWords), std::end(kLimitsInWords),
                                         [&](const auto& limit) { return limit.code == row.code; });
  return found == std::end(kLimitsInWords) ? nullptr : found;
}

}  // namespace

bool HasLimitInWords(const OperatorRow& row) { return LimitOf(row) != nullptr; }

std::optional<Refusal> ExceedLimitInWords(const BreakDraw& draw, OperatorCase& made) {
  return LimitOf(draw.row)->exceed(made);
}

// One row alone.
std::optional<Refusal> LengthenRow(const BreakDraw& draw, OperatorCase& made) {
  const LongestRow& longest = draw.row.longest_rows[draw.broken.place];
  if (made.inputs[0].type != longest.type) return std::nullopt;
  CaseShape shape(made.output.shape.size(), 1);
  shape.back() = longest.most + 1;
  for (CaseTensor& input : made.inputs) SetInputShape(input, shape);
  made.output.shape = shape;
  return Refusal{"a row longer than the longest", {StatusCode::kKernelUnsupported}, {}};
}

}  // namespace arenaproof

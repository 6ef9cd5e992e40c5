#include "engine/generators/operators/table/table_case.h"

#include <algorithm>

#include "core/operators/operand_rules.h"
#include "core/operators/operator_table.h"
#include "engine/generators/operators/table/shape_draws.h"
#include "engine/generators/operators/table/table_quantization.h"

namespace arenaproof {
namespace {

CaseTensor OperandOf(CaseRandom& random, const OperandRow& row, const TypeTuple& types) {
  CaseTensor tensor{.type = types[row.type_column]};
  tensor.present = row.presence != Presence::kForbidden && (row.presence != Presence::kOptional || random.OneIn(2));
  tensor.variable = row.source == Source::kVariable;
  // Elements of int4 lie two in a byte in constants only.
  tensor.constant = row.source == Source::kConstant || tensor.type == TensorType::kInt4;
  return tensor;
}

// A thin case repeats little, so that its far extent may be as far as one comes.
void AddOperands(CaseRandom& random, const OperatorRow& row, const TypeTuple& types, bool is_thin, OperatorCase& made) {
  const std::int32_t most = is_thin ? std::min<std::int32_t>(row.most_repeated, 2) : row.most_repeated;
  const std::size_t repeats = static_cast<std::size_t>(random.Between(1, most));
  for (const OperandRow& operand : row.inputs) {
    const std::size_t count = operand.presence == Presence::kRepeated ? repeats : 1;
    for (std::size_t i = 0; i < count; ++i) made.inputs.push_back(OperandOf(random, operand, types));
  }
  // What comes first is data, not weights.
  if (!row.inputs.empty() && row.inputs[0].source == Source::kAny) made.inputs[0].constant = false;
  made.output = OperandOf(random, row.outputs[0], types);
  made.output.constant = false;
  for (std::size_t i = 1; row.outputs.back().presence == Presence::kRepeated && i < repeats; ++i) {
    made.more_outputs.push_back(made.output);
  }
}

// Now and then sixteenths of a wide range: its ends, and floats that are few-digit numbers of base two.
std::int64_t DrawOption(CaseRandom& random, const OptionRow& option) {
  const std::int64_t range = option.most - option.least;
  if (range > 1000 && random.OneIn(4)) return option.least + range * static_cast<std::int64_t>(random.Below(17)) / 16;
  return option.least + static_cast<std::int64_t>(random.Below(static_cast<std::size_t>(range) + 1));
}

void DrawOptions(CaseRandom& random, const OperatorRow& row, OperatorCase& made) {
  made.options = row.default_options;
  for (const OptionRow& option : row.options) {
    if (!option.by_shape_rule) option.set(made.options, DrawOption(random, option));
  }
}

}  // namespace

bool HasTableCases(const OperatorRow& row) { return ShapeDrawOf(row.shape) != nullptr; }

std::span<const OperatorRow* const> RowsWithCases() {
  static const auto rows = [] {
    std::vector<const OperatorRow*> all;
    for (const OperatorRow* row : OperatorTable()) {
      if (HasTableCases(*row)) all.push_back(row);
    }
    return all;
  }();
  return rows;
}

const OperatorRow& DrawRowWithCases(CaseRandom& random) {
  static const auto by_tuples = [] {
    std::vector<const OperatorRow*> all;
    for (const OperatorRow* row : RowsWithCases()) all.insert(all.end(), row->types.size(), row);
    return all;
  }();
  const auto rows = RowsWithCases();
  return random.OneIn(2) ? *random.Of(rows) : *random.Of(by_tuples);
}

TableCase DrawTableShapes(CaseRandom& random, const OperatorRow& row, std::size_t far) {
  TableCase drawn;
  drawn.tuple = random.Below(row.types.size());
  OperatorCase& made = drawn.subject;
  made.code = row.code;
  Extents extents(random, far);
  AddOperands(random, row, row.types[drawn.tuple], extents.is_thin(), made);
  DrawOptions(random, row, made);
  ShapeDraw draw{random, row, extents};
  ShapeDrawOf(row.shape)(draw, made);
  drawn.far_extent = extents.far_extent();
  drawn.far = far;
  return drawn;
}

TableCase MakeTableCase(CaseRandom& random, const OperatorRow& row, std::size_t far) {
  TableCase drawn = DrawTableShapes(random, row, far);
  OperatorCase& made = drawn.subject;
  const CaseTensor* first = nullptr;
  const auto quantize = [&](const OperandRow& operand, CaseTensor& tensor) {
    if (!tensor.present) return;
    if (tensor.scales.empty()) DrawQuantization(random, operand, made, first, tensor);
    if (first == nullptr && !tensor.scales.empty()) first = &tensor;
  };
  for (std::size_t i = 0; i < made.inputs.size(); ++i) quantize(OperandRowAt(row.inputs, i), made.inputs[i]);
  for (std::size_t i = 0; i < made.output_count(); ++i) quantize(OperandRowAt(row.outputs, i), made.output_at(i));
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    const OperandRow& operand = OperandRowAt(row.inputs, i);
    CaseTensor& tensor = made.inputs[i];
    // The file's empty tensor is no constant.
    const bool may_be_constant = i > 0 && operand.source == Source::kAny && tensor.count() > 0;
    if (may_be_constant && random.OneIn(4)) tensor.constant = true;
    DrawValues(random, operand, made.output, tensor);
  }
  return drawn;
}

TableCase MakeNearOrFarTableCase(CaseRandom& random, const OperatorRow& row) {
  const bool far = random.OneIn(4);
  return MakeTableCase(random, row, far ? random.Below(kMostFarExtents) : Extents::kNoneFar);
}

}  // namespace arenaproof

#include "engine/generators/mutator/table_repair.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/model/model_view.h"
#include "core/model/schema_generated.h"
#include "core/operators/operand_rules.h"
#include "core/operators/operator_table.h"
#include "engine/generators/mutator/model_object.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

const OperatorRow* RowOf(const wire::ModelT& model, const wire::OperatorT& op) {
  if (op.opcode_index >= model.operator_codes.size()) return nullptr;
  const wire::OperatorCodeT& code = *model.operator_codes[op.opcode_index];
  const auto number =
      std::max(static_cast<std::int32_t>(code.builtin_code), std::int32_t{code.deprecated_builtin_code});
  return FindOperatorRow(static_cast<BuiltinOperator>(number));
}

wire::TensorT* TensorAt(wire::SubGraphT& graph, std::int32_t index) {
  const bool is_there = index >= 0 && static_cast<std::size_t>(index) < graph.tensors.size();
  return is_there ? graph.tensors[static_cast<std::size_t>(index)].get() : nullptr;
}

void RepairRank(std::vector<std::int32_t>& shape, const OperandRow& row) {
  while (shape.size() < row.least_rank) shape.insert(shape.begin(), 1);
  while (shape.size() > row.most_rank) shape.erase(shape.begin());
}

void RepairSide(wire::SubGraphT& graph, const std::vector<std::int32_t>& operands, std::span<const OperandRow> rows,
                const TypeTuple& tuple) {
  for (std::size_t i = 0; i < operands.size() && !rows.empty(); ++i) {
    const OperandRow& row = OperandRowAt(rows, i);
    wire::TensorT* const tensor = TensorAt(graph, operands[i]);
    if (tensor == nullptr || row.presence == Presence::kForbidden || !row.read) continue;
    tensor->type = static_cast<wire::TensorType>(tuple[row.type_column]);
    RepairRank(tensor->shape, row);
  }
}

std::size_t FittingOperands(wire::SubGraphT& graph, const std::vector<std::int32_t>& operands,
                            std::span<const OperandRow> rows, const TypeTuple& tuple) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < operands.size() && !rows.empty(); ++i) {
    const wire::TensorT* const tensor = TensorAt(graph, operands[i]);
    const TensorType type = tuple[OperandRowAt(rows, i).type_column];
    count += tensor != nullptr && static_cast<TensorType>(tensor->type) == type ? 1 : 0;
  }
  return count;
}

// One of those that most operands already fit, so that what lies around the operator stays.
const TypeTuple& ChooseTuple(wire::SubGraphT& graph, const wire::OperatorT& op, const OperatorRow& row,
                             RandomSource& random) {
  std::vector<const TypeTuple*> best;
  std::size_t most = 0;
  for (const TypeTuple& tuple : row.types) {
    const std::size_t count =
        FittingOperands(graph, op.inputs, row.inputs, tuple) + FittingOperands(graph, op.outputs, row.outputs, tuple);
    if (count > most) best.clear();
    most = std::max(most, count);
    if (count == most) best.push_back(&tuple);
  }
  return *random.Of(best);
}

// Nothing when the model cannot be written and read again.
std::optional<OperatorOptions> OptionsOf(wire::ModelT& model, std::size_t subgraph, std::size_t op) {
  const std::vector<std::uint8_t> file = WriteModelObject(model);
  std::vector<std::byte> aligned(file.size() + kModelAlignment);
  const std::size_t address = reinterpret_cast<std::uintptr_t>(aligned.data());
  const std::size_t start = (kModelAlignment - address % kModelAlignment) % kModelAlignment;
  const auto bytes = std::as_bytes(std::span(file));
  std::copy(bytes.begin(), bytes.end(), aligned.begin() + static_cast<std::ptrdiff_t>(start));
  ModelView view;
  if (!ModelView::Open(std::span(aligned).subspan(start, file.size()), &view).ok()) return std::nullopt;
  OperatorOptions options = view.operator_at(subgraph, op).options;
  // Lists lie in the file, which goes.
  if (std::holds_alternative<SqueezeOptions>(options) || std::holds_alternative<VarHandleOptions>(options)) {
    return std::nullopt;
  }
  return options;
}

void SetOptions(wire::OperatorT& op, const OperatorOptions& options, BuiltinOperator code) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::int32_t tensor = graph.AddTensor({});
  graph.AddOperator({.code = builder.AddCode(code), .inputs = {tensor}, .outputs = {tensor}, .options = options});
  const std::vector<std::byte> file = builder.Finish();
  const ModelObject object = ReadModelObject({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  if (object == nullptr) return;
  op.builtin_options = std::move(object->subgraphs[0]->operators[0]->builtin_options);
}

void RepairOptions(wire::ModelT& model, std::size_t subgraph, std::size_t op, const OperatorRow& row,
                   RandomSource& random) {
  if (row.options.empty()) return;
  OperatorOptions options = OptionsOf(model, subgraph, op).value_or(row.default_options);
  if (options.index() != row.default_options.index()) options = row.default_options;
  for (const OptionRow& option : row.options) {
    const std::int64_t value = option.get(options);
    if (value >= option.least && value <= option.most) continue;
    // Small numbers are what fits most shapes.
    constexpr std::int64_t kSmall = 7;
    const std::int64_t room = std::min(option.most - option.least, kSmall);
    option.set(options, option.least + static_cast<std::int64_t>(random.Below(static_cast<std::size_t>(room) + 1)));
  }
  SetOptions(*model.subgraphs[subgraph]->operators[op], options, row.code);
}

}  // namespace

void RepairByRow(wire::ModelT& model, std::size_t subgraph, std::size_t op, const OperatorRow& row,
                 RandomSource& random) {
  wire::SubGraphT& graph = *model.subgraphs[subgraph];
  const wire::OperatorT& repaired = *graph.operators[op];
  if (row.types.empty()) return;  // those of its subgraphs
  const TypeTuple& tuple = ChooseTuple(graph, repaired, row, random);
  RepairSide(graph, repaired.inputs, row.inputs, tuple);
  RepairSide(graph, repaired.outputs, row.outputs, tuple);
  RepairOptions(model, subgraph, op, row, random);
}

void RepairByTable(wire::ModelT& model, RandomSource& random) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t subgraph = 0; subgraph < model.subgraphs.size(); ++subgraph) {
    for (std::size_t op = 0; op < model.subgraphs[subgraph]->operators.size(); ++op) {
      if (RowOf(model, *model.subgraphs[subgraph]->operators[op]) != nullptr) places.emplace_back(subgraph, op);
    }
  }
  if (places.empty()) return;
  const auto [subgraph, op] = random.Of(places);
  RepairByRow(model, subgraph, op, *RowOf(model, *model.subgraphs[subgraph]->operators[op]), random);
}

}  // namespace arenaproof

// What the mutator brings back within an operator's row.
#include "engine/generators/mutator/table_repair.h"

#include <gtest/gtest.h>

#include "core/model/schema_generated.h"
#include "core/operators/operand_rules.h"
#include "engine/generators/mutator/model_object.h"
#include "engine/generators/operators/reach/table_reach.h"
#include "engine/generators/operators/table/table_case.h"

namespace arenaproof {
namespace {

// The operator as a reader of the written file finds it.
ReachedOperator ReadBack(wire::ModelT& model, std::vector<std::uint8_t>& file, ModelView* view) {
  file = WriteModelObject(model);
  EXPECT_TRUE(ModelView::Open(std::as_bytes(std::span(file)), view).ok());
  return ReachedOf(*view, 0, view->operator_at(0, 0));
}

void ExpectWithinRow(const OperatorRow& row, const ReachedOperator& op) {
  EXPECT_TRUE(TupleOf(row, op.types)) << BuiltinOperatorName(row.code);
  if (row.options.empty()) return;
  ASSERT_EQ(op.options.index(), row.default_options.index()) << BuiltinOperatorName(row.code);
  for (const OptionRow& option : row.options) {
    EXPECT_GE(option.get(op.options), option.least) << BuiltinOperatorName(row.code) << " " << option.name;
    EXPECT_LE(option.get(op.options), option.most) << BuiltinOperatorName(row.code) << " " << option.name;
  }
}

// Every operand gets a type that no row has and no dimensions, or as many as are too many, and the options go.
TEST(TableRepair, BringsEveryOperatorBackWithinItsRow) {
  for (const OperatorRow* row : RowsWithCases()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      CaseRandom random(seed);
      const std::vector<std::byte> bytes = ModelOf(MakeTableCase(random, *row).subject);
      if (bytes.size() > kMostObjectBytes) continue;
      const ModelObject model = ReadModelObject({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      ASSERT_NE(model, nullptr);
      for (const auto& tensor : model->subgraphs[0]->tensors) {
        tensor->type = wire::TensorType::STRING;
        tensor->shape.assign(seed % 2 == 0 ? 7 : 0, 1);
      }
      model->subgraphs[0]->operators[0]->builtin_options.Reset();
      std::vector<std::uint8_t> file;
      ModelView view;
      EXPECT_FALSE(TupleOf(*row, ReadBack(*model, file, &view).types));
      RepairByRow(*model, 0, 0, *row, random);
      const ReachedOperator repaired = ReadBack(*model, file, &view);
      ExpectWithinRow(*row, repaired);
      for (std::size_t input = 0; input < repaired.ranks.size(); ++input) {
        const OperandRow& operand = OperandRowAt(row->inputs, input);
        if (!operand.read || !repaired.types.inputs[input]) continue;
        EXPECT_GE(repaired.ranks[input], operand.least_rank) << BuiltinOperatorName(row->code) << " " << operand.name;
        EXPECT_LE(repaired.ranks[input], operand.most_rank) << BuiltinOperatorName(row->code) << " " << operand.name;
      }
    }
  }
}

TEST(TableRepair, KeepsWhatIsWithinTheRow) {
  for (const OperatorRow* row : RowsWithCases()) {
    CaseRandom random(1);
    const std::vector<std::byte> bytes = ModelOf(MakeTableCase(random, *row).subject);
    if (bytes.size() > kMostObjectBytes) continue;
    const ModelObject model = ReadModelObject({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    ASSERT_NE(model, nullptr);
    std::vector<std::uint8_t> file;
    ModelView view;
    const ReachedOperator before = ReadBack(*model, file, &view);
    RepairByTable(*model, random);
    const ReachedOperator after = ReadBack(*model, file, &view);
    EXPECT_EQ(after.types.inputs, before.types.inputs) << BuiltinOperatorName(row->code);
    EXPECT_EQ(after.types.outputs, before.types.outputs) << BuiltinOperatorName(row->code);
    EXPECT_EQ(after.ranks, before.ranks) << BuiltinOperatorName(row->code);
    ExpectWithinRow(*row, after);
    for (const OptionRow& option : row->options) {
      EXPECT_EQ(option.get(after.options), option.get(before.options))
          << BuiltinOperatorName(row->code) << " " << option.name;
    }
  }
}

}  // namespace
}  // namespace arenaproof

// Lists of axes, paddings or extents that have no elements: a file's empty tensor is no constant, and operands without
// dimensions are served with them all the same.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "test_arena_support.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

struct ListOperator {
  BuiltinOperator code;
  OperatorOptions options = {};
  std::vector<std::vector<std::int32_t>> lists = {{0}};  // shapes of what stands beside the number
  bool lists_come_first = false;
};

// From a number to a number.
std::vector<std::byte> ModelOf(const ListOperator& subject) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const std::vector<std::int32_t> scalar;
  const std::int32_t number = graph.AddTensor({.type = TensorType::kFloat32, .shape = {scalar}});
  const std::int32_t result = graph.AddTensor({.type = TensorType::kFloat32, .shape = {scalar}});
  OperatorSpec op;
  op.code = builder.AddCode(subject.code);
  op.options = subject.options;
  op.outputs = {result};
  for (const auto& shape : subject.lists) {
    op.inputs.push_back(graph.AddTensor({.type = TensorType::kInt32, .shape = {shape}}));
  }
  op.inputs.insert(subject.lists_come_first ? op.inputs.end() : op.inputs.begin(), number);
  graph.AddOperator(op);
  graph.inputs = {number};
  graph.outputs = {result};
  return builder.Finish();
}

TEST(EmptyLists, ServeOperandsWithoutDimensions) {
  const ListOperator operators[] = {
      {BuiltinOperator::kTranspose, {}},
      {BuiltinOperator::kPad, PadOptions{}, {{0, 2}}},
      {BuiltinOperator::kStridedSlice, StridedSliceOptions{}, {{0}, {0}, {0}}},
      {BuiltinOperator::kBroadcastTo, {}},
      {BuiltinOperator::kFill, {}, {{0}}, true},
  };
  for (const ListOperator& subject : operators) {
    SCOPED_TRACE(BuiltinOperatorName(subject.code));
    const std::vector<std::byte> file = ModelOf(subject);
    const ValidatedModel model = Validated(file);
    const TestArena arena(8192);
    Interpreter interpreter(model, ReferenceKernels(), arena.start(), arena.bytes(), InterpreterOptions());
    ASSERT_EQ(interpreter.AllocateTensors(), Ok());
    const float number = 2.5f;
    std::memcpy(interpreter.inputs()[0].data, &number, sizeof(number));
    ASSERT_EQ(interpreter.Invoke(), Ok());
    EXPECT_EQ(std::memcmp(interpreter.outputs()[0].data, &number, sizeof(number)), 0);
  }
}

}  // namespace
}  // namespace arenaproof::testing

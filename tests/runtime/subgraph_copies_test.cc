// Copies between an operator and the subgraph that it calls: what may be written, and that nothing is before all fits.
#include <cstring>

#include "asking_operator_support.h"

namespace arenaproof::testing {
namespace {

using Kind = TensorListKind;
using SubgraphCopies = AskingOperator;

TEST_F(SubgraphCopies, NameWhatMayBeWritten) {
  asks_in_invoke = [](RuntimeServices& runtime) {
    for (const Kind from : {Kind::kOperatorInputs, Kind::kSubgraphOutputs}) {
      for (const Kind to : {Kind::kOperatorInputs, Kind::kSubgraphOutputs}) {
        EXPECT_EQ(runtime.CopyTensors({from, 1, 1}, {to, 1, 1}), Failure(StatusCode::kSubgraphCopyTarget, to));
      }
    }
    return Ok();
  };
  ControlRun run(model_, AskingKernels(), {}, 8192);
  EXPECT_TRUE(run.interpreter->Invoke().ok());
}

TEST_F(SubgraphCopies, HaveAsManyTensorsOfAsManyBytes) {
  asks_in_invoke = [](RuntimeServices& runtime) {
    const auto inputs_to_callee = [&](std::size_t skipped) {
      return runtime.CopyTensors({Kind::kOperatorInputs, -1, skipped}, {Kind::kSubgraphInputs, 1, 0});
    };
    EXPECT_EQ(inputs_to_callee(0), Failure(StatusCode::kSubgraphCopyCount, 2, 1));
    EXPECT_EQ(inputs_to_callee(2), Failure(StatusCode::kSubgraphCopyCount, 0, 1));
    EXPECT_EQ(inputs_to_callee(99), Failure(StatusCode::kSubgraphCopyCount, 0, 1));
    EXPECT_EQ(runtime.CopyTensors({Kind::kSubgraphOutputs, 1, 0}, {Kind::kOperatorOutputs, -1, 0}),
              Failure(StatusCode::kSubgraphCopyCount, 2, 1));
    EXPECT_EQ(runtime.CopyTensors({Kind::kSubgraphOutputs, 1, 0}, {Kind::kSubgraphInputs, 1, 0}),
              Failure(StatusCode::kSubgraphCopyCount, 2, 1));
    EXPECT_EQ(runtime.CopyTensors({Kind::kOperatorInputs, -1, 2}, {Kind::kOperatorOutputs, -1, 1}), Ok()) << "nothing";
    EXPECT_EQ(inputs_to_callee(1), Ok());
    return runtime.CopyTensors({Kind::kSubgraphOutputs, 1, 1}, {Kind::kOperatorOutputs, -1, 0});
  };
  ControlRun run(model_, AskingKernels(), {}, 8192);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetInput(1, {5, 7});
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(std::memcmp(Bytes(run, 0, 1).data(), run.interpreter->inputs()[1].data, 8), 0);
  EXPECT_EQ(std::memcmp(Bytes(run, 2, 1).data(), run.interpreter->outputs()[0].data, 8), 0);
}

TEST_F(SubgraphCopies, OfOtherBytesWriteNothing) {
  ControlModel model;
  model.Subgraph();
  const auto condition = model.Bool(), x = model.Value(2), z = model.Value(2), y = model.Value(2), w = model.Value(3);
  model.Apply(BuiltinOperator::kIf, {condition, x, z}, {y, w}, IfOptions{1, 1}).Bounds({condition, x, z}, {y, w});
  model.Subgraph();
  model.Value(2);
  model.Bounds({0}, {0});
  asks_in_invoke = [](RuntimeServices& runtime) {
    EXPECT_EQ(runtime.CopyTensors({Kind::kOperatorInputs, -1, 1}, {Kind::kOperatorOutputs, -1, 0}),
              Failure(StatusCode::kSubgraphCopyBytes, 1, 8, 12));
    return Ok();
  };
  ControlRun run(model, AskingKernels(), {}, 8192);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetInput(1, {5, 7});
  std::memset(run.interpreter->outputs()[0].data, 0x33, 8);
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(run.interpreter->outputs()[0].data[i], std::byte{0x33}) << i;
}

}  // namespace
}  // namespace arenaproof::testing

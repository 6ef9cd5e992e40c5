// What an operator that calls a subgraph may ask for besides copies: outputs, runs and descriptions; each with the
// refusal of what does not fit.
#include <array>
#include <tuple>

#include "asking_operator_support.h"

namespace arenaproof::testing {
namespace {

using SubgraphRequests = AskingOperator;

TEST_F(SubgraphRequests, ForOutputsGiveTheFirstBytes) {
  std::array<std::byte, 16> read;
  asks_in_invoke = [&read](RuntimeServices& runtime) {
    read.fill(std::byte{0x77});
    EXPECT_EQ(runtime.ReadOutput(1, 2, read), Failure(StatusCode::kRuntimeTensorIndex, 2, 2));
    EXPECT_EQ(runtime.ReadOutput(1, 0, std::span(read).first(13)), Failure(StatusCode::kSubgraphCopyBytes, 0, 12, 13));
    EXPECT_EQ(runtime.ReadOutput(1, 1, std::span(read).first(9)), Failure(StatusCode::kSubgraphCopyBytes, 1, 8, 9));
    EXPECT_EQ(runtime.ReadOutput(1, 1, {}), Ok());
    EXPECT_EQ(read[0], std::byte{0x77}) << "a refusal writes nothing";
    return runtime.ReadOutput(1, 0, std::span(read).subspan(1, 12));
  };
  ControlRun run(model_, AskingKernels(), {}, 8192);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  const std::span<std::byte> output = Bytes(run, 1, 1);
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<std::byte>(i);
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(read[0], std::byte{0x77});
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(read[1 + i], static_cast<std::byte>(i));
  EXPECT_EQ(read[13], std::byte{0x77});
}

// However often, and whether the callee fails or not: afterwards it is as if it had not been called.
TEST_F(SubgraphRequests, ForRunsEndWithTheCallee) {
  int runs = 0;
  Mock().invoke = [&runs](const InvokeContext&) { return ++runs % 3 == 2 ? Failure(StatusCode::kKernelRank) : Ok(); };
  asks_in_invoke = [](RuntimeServices& runtime) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(runtime.InvokeSubgraph(1).code, i % 2 == 0 ? StatusCode::kKernelRank : StatusCode::kOk) << i;
    }
    return Ok();
  };
  ControlRun run(model_, AskingKernels(), {}, 8192);
  EXPECT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_FALSE(run.interpreter->failed_operator().known()) << "what failed below was dealt with";
}

// The one that its options name, whatever is asked for.
TEST_F(SubgraphRequests, ForOtherSubgraphsAreRefused) {
  std::byte byte{};
  asks_in_invoke = [&byte](RuntimeServices& runtime) {
    const TensorList own{TensorListKind::kOperatorInputs, -1, 1};
    for (const auto& [subgraph, refusal] : {std::pair{0, Failure(StatusCode::kSubgraphNotCalled, 0, 0, 0)},
                                            {2, Failure(StatusCode::kRuntimeSubgraphIndex, 2, 2)},
                                            {-1, Failure(StatusCode::kRuntimeSubgraphIndex, -1, 2)}}) {
      EXPECT_EQ(runtime.InvokeSubgraph(subgraph), refusal);
      EXPECT_EQ(runtime.ReadOutput(subgraph, 0, {&byte, 1}), refusal);
      EXPECT_EQ(runtime.CopyTensors(own, {TensorListKind::kSubgraphInputs, subgraph, 0}), refusal);
      EXPECT_EQ(runtime.CopyTensors({TensorListKind::kSubgraphOutputs, subgraph, 0}, own).code,
                StatusCode::kSubgraphCopyTarget);
    }
    return Ok();
  };
  ControlRun run(model_, AskingKernels(), {}, 8192);
  EXPECT_TRUE(run.interpreter->Invoke().ok());
}

// What ends an invoke quietly has the place of the operator that ended it, and is no failure, whatever failed before.
TEST_F(SubgraphRequests, ForRunsMayEndQuietly) {
  for (const std::int32_t value : {15, 8}) {
    const StatusCode code = value == 15 ? StatusCode::kInvokeAborted : StatusCode::kInvokeCancelled;
    Mock().invoke = [value](const InvokeContext&) { return StatusOfKernelValue(value); };
    asks_in_invoke = [](RuntimeServices& runtime) { return runtime.InvokeSubgraph(1); };
    ControlRun run(model_, AskingKernels(), {}, 8192);
    EXPECT_EQ(run.interpreter->Invoke(), Failure(code, 1, 0)) << "the callee's first operator";
    EXPECT_FALSE(run.interpreter->failed_operator().known());
    Mock().invoke = [](const InvokeContext&) { return Failure(StatusCode::kKernelRank); };
    asks_in_invoke = [value](RuntimeServices& runtime) {
      EXPECT_EQ(runtime.InvokeSubgraph(1).code, StatusCode::kKernelRank);
      return StatusOfKernelValue(value);
    };
    EXPECT_EQ(run.interpreter->Invoke(), Failure(code, 0, 0));
    EXPECT_FALSE(run.interpreter->failed_operator().known());
  }
}

TEST_F(SubgraphRequests, ForDescriptionsAreAnsweredPositionByPosition) {
  struct alignas(16) Buffer {
    std::byte bytes[16];
  } buffer;
  asks_in_prepare = [](RuntimeServices& runtime) {
    SubgraphCounts counts;
    EXPECT_EQ(runtime.DescribeSubgraph(1, &counts), Ok());
    EXPECT_EQ(counts.inputs, 1U);
    EXPECT_EQ(counts.outputs, 2U);
    Operand operand;
    EXPECT_EQ(runtime.DescribeOperand(1, 1, &operand), Failure(StatusCode::kRuntimeTensorIndex, 1, 1));
    EXPECT_EQ(runtime.DescribeOperand(1, kFirstOutputOperand - 1, &operand),
              Failure(StatusCode::kRuntimeTensorIndex, kFirstOutputOperand - 1, 1));
    EXPECT_EQ(runtime.DescribeOperand(1, kFirstOutputOperand + 2, &operand),
              Failure(StatusCode::kRuntimeTensorIndex, 2, 2));
    for (const auto& [position, tensor, bytes] :
         {std::tuple{std::size_t{0}, 0, 8U}, {kFirstOutputOperand, 1, 12U}, {kFirstOutputOperand + 1, 2, 8U}}) {
      EXPECT_EQ(runtime.DescribeOperand(1, position, &operand), Ok());
      EXPECT_EQ(operand.tensor_index, tensor);
      EXPECT_EQ(operand.bytes, bytes);
      EXPECT_EQ(operand.data, nullptr) << "also where the application has a buffer for it";
    }
    return Ok();
  };
  ControlRun run(model_, AskingKernels(), {}, 8192);
  ASSERT_EQ(run.interpreter->RegisterPreallocatedTensor(1, 0, buffer.bytes, sizeof buffer.bytes), Ok());
  EXPECT_TRUE(run.interpreter->AllocateTensors().ok());
}

}  // namespace
}  // namespace arenaproof::testing

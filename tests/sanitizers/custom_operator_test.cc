// A custom operator under an instrument: its option bytes are open in init, to the byte, and closed in invoke.
#include <gmock/gmock.h>

#include "tests/sanitizers/checked_model.h"
#include "tests/sanitizers/mock_operator.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kOptionBytes = 24;
constexpr std::size_t kFurtherBytes = 8;  // one granule of AddressSanitizer, whatever the options' place is

Status ReadAllOptions(PrepareContext& context) {
  for (const std::byte& option : context.custom_options) Load<std::uint8_t>(&option);
  context.op_data = const_cast<std::byte*>(context.custom_options.data());
  return Ok();
}
Status ReadBehindOptions(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(ReadAllOptions(context));
  Load<std::uint8_t>(context.custom_options.data() + context.custom_options.size() + kFurtherBytes - 1);
  return Ok();
}
Status WriteOutput(const InvokeContext& context) {
  context.outputs[0].data[0] = std::byte{1};
  return Ok();
}
Status ReadOptionsLate(const InvokeContext& context) {
  Load<std::uint8_t>(static_cast<const std::byte*>(context.op_data));
  return WriteOutput(context);
}

std::vector<std::byte> ModelWithOptions() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 2; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{1}}});
  OperatorSpec op;
  op.code = builder.AddCustomCode("mine");
  op.inputs = {0};
  op.outputs = {1};
  op.custom_options.assign(kOptionBytes, std::byte{1});
  graph.AddOperator(op);
  graph.inputs = {0};
  graph.outputs = {1};
  return builder.Finish();
}

class CustomOperatorAccess : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!MakeInstrument(GetParam())->Available().ok()) {
      GTEST_SKIP() << "the instrument " << GetParam() << " is not compiled into this build";
    }
  }
  std::vector<Violation> ViolationsOf(Status (*init)(PrepareContext&), Status (*invoke)(const InvokeContext&)) {
    const Kernel kernels[] = {
        {.op = BuiltinOperator::kCustom, .name = "own", .init = init, .invoke = invoke, .custom_name = "mine"}};
    const KernelSet set{.name = "own", .kernels = kernels};
    CheckedModel model(GetParam(), Layout::kDilated);
    EXPECT_EQ(model.Run(ModelWithOptions(), set), Ok());
    return model.groups();
  }
};
INSTANTIATE_TEST_SUITE_P(By, CustomOperatorAccess, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(CustomOperatorAccess, ToItsOptionsIsCleanInInit) {
  EXPECT_THAT(ViolationsOf(ReadAllOptions, WriteOutput), ::testing::IsEmpty());
}

TEST_P(CustomOperatorAccess, BehindItsOptionsIsReportedUnderItsName) {
  const std::vector<Violation> found = ViolationsOf(ReadBehindOptions, WriteOutput);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].op.name, "mine");
  EXPECT_EQ(found[0].op.phase, OperatorPhase::kInit);
  EXPECT_EQ(found[0].operand.kind, OperandKind::kOptions);
  EXPECT_EQ(found[0].operand.bytes, kOptionBytes);
  EXPECT_EQ(found[0].side, ViolationSide::kAfter);
  EXPECT_EQ(found[0].distance_bytes, kFurtherBytes);
}

TEST_P(CustomOperatorAccess, ToItsOptionsInInvokeIsReported) {
  const std::vector<Violation> found = ViolationsOf(ReadAllOptions, ReadOptionsLate);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].op.phase, OperatorPhase::kInvoke);
}

}  // namespace
}  // namespace arenaproof::testing

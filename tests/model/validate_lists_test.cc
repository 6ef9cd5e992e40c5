// Validation of the model's own lists: one broken rule per test, the exact status and its numbers.
#include <gtest/gtest.h>

#include "core/model/call_tree.h"
#include "core/model/validate.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

using Code = StatusCode;

TEST(Validation, AcceptsASoundModel) {
  EXPECT_EQ(Text(Validate(SmallModel().builder).status), Text(Ok()));
  EXPECT_EQ(Text(Validate(BuildIfModel()).status), Text(Ok()));
}

// ---- the model's own lists

TEST(Validation, RefusesAModelWithoutSubgraphs) {
  SmallModel m;
  m.builder.omit_subgraphs = true;
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphCount, 0, 1, 256);
  m.builder.omit_subgraphs = false;
  m.builder.subgraphs.clear();
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphCount, 0, 1, 256);
}

TEST(Validation, RefusesMoreSubgraphsThanItKeepsCountOf) {
  SmallModel m;
  for (std::size_t i = 1; i < kMaxSubgraphCount; ++i) m.builder.AddSubgraph();
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.builder.AddSubgraph();
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphCount, 257, 1, 256);
}

TEST(Validation, RefusesAMainGraphWithoutItsLists) {
  SmallModel m;
  m.graph().omit_outputs = true;
  EXPECT_REFUSED(m.builder, Code::kModelOutputsMissing, 0);
  m.graph().omit_inputs = true;
  EXPECT_REFUSED(m.builder, Code::kModelInputsMissing, 0);
  m.graph().omit_tensors = true;
  EXPECT_REFUSED(m.builder, Code::kModelTensorsMissing, 0);
}

TEST(Validation, AcceptsACalledSubgraphWithoutLists) {
  SmallModel m;
  SubgraphSpec& init = m.builder.AddSubgraph("init");
  init.omit_tensors = init.omit_inputs = init.omit_outputs = true;
  m.graph().AddOperator({.code = m.builder.AddCode(BuiltinOperator::kCallOnce), .options = CallOnceOptions{1}});
  EXPECT_EQ(Text(Validate(m.builder).status), Text(Ok()));
}

TEST(Validation, RefusesMissingBuffers) {
  SmallModel m;
  m.builder.omit_buffers = true;
  EXPECT_REFUSED(m.builder, Code::kModelBuffersMissing, 0, 1);
}

TEST(Validation, RefusesDataInBufferZero) {
  SmallModel m;
  m.builder.buffers[0].data.emplace(3);
  EXPECT_REFUSED(m.builder, Code::kModelBufferZero, 3, 0);
  m.builder.buffers[0].data->clear();  // a list of no bytes is as good as none
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesAMetadataBufferOutOfRange) {
  SmallModel m;
  m.builder.metadata = {{"fine", 2}, {"not", 3}};
  EXPECT_REFUSED(m.builder, Code::kModelMetadataBuffer, 1, 3, 3);
}

TEST(Validation, RefusesSignaturesThatPointNowhere) {
  SmallModel m;
  m.builder.signatures = {{"serve", 0, {0}, {4}}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.builder.signatures[0].outputs = {5};
  EXPECT_REFUSED(m.builder, Code::kModelSignatureTensor, 0, 1, 5, 5);
  m.builder.signatures[0].subgraph = 1;
  EXPECT_REFUSED(m.builder, Code::kModelSignatureSubgraph, 0, 1, 1);
}

TEST(Validation, RefusesMoreTensorsThanItFollows) {
  SmallModel m;
  m.graph().tensors.resize(kMaxTensorCount + 1);
  EXPECT_REFUSED(m.builder, Code::kModelTensorCount, 0, 65537, 65536);
}

// ---- subgraph inputs and outputs

TEST(Validation, RefusesSubgraphInputsThatAreNoTensors) {
  SmallModel m;
  m.graph().inputs = {0, 5};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphInput, 0, 1, 5, 5);
  m.graph().inputs = {-1};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphInput, 0, 0, Negative(-1), 5);
}

TEST(Validation, RefusesSubgraphOutputsThatAreNoTensors) {
  SmallModel m;
  m.graph().outputs = {-2};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphOutput, 0, 0, Negative(-2), 5);
  m.graph().outputs = {4, 1000000};
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphOutput, 0, 1, 1000000, 5);
}

TEST(Validation, RefusesAConstantAsSubgraphInput) {
  SmallModel m;
  m.graph().inputs = {SmallModel::kX, SmallModel::kWeights};
  EXPECT_REFUSED(m.builder, Code::kModelConstantInput, 0, 1, 1);
}

}  // namespace
}  // namespace arenaproof::testing

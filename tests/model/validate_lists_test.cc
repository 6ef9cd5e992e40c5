// Validation of the model's own lists: what is sound, and where its limits lie. What breaks one rule stands in
// engine/cases/invalid_models.cc.
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

TEST(Validation, RefusesMoreSubgraphsThanItKeepsCountOf) {
  SmallModel m;
  for (std::size_t i = 1; i < kMaxSubgraphCount; ++i) m.builder.AddSubgraph();
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.builder.AddSubgraph();
  EXPECT_REFUSED(m.builder, Code::kModelSubgraphCount, 257, 1, 256);
}

TEST(Validation, ReportsTheFirstListThatTheMainGraphLacks) {
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

TEST(Validation, AcceptsAListOfNoBytesInBufferZero) {
  SmallModel m;
  m.builder.buffers[0].data.emplace();
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsASignature) {
  SmallModel m;
  m.builder.signatures = {{"serve", 0, {0}, {4}}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesMoreTensorsThanItFollows) {
  SmallModel m;
  m.graph().tensors.resize(kMaxTensorCount + 1);
  EXPECT_REFUSED(m.builder, Code::kModelTensorCount, 0, 65537, 65536);
}

}  // namespace
}  // namespace arenaproof::testing

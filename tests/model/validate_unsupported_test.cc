// What is sound but not served: named and counted, all at once.
#include <gtest/gtest.h>

#include "core/model/validate.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

using Code = StatusCode;

TEST(Validation, CountsEverythingUnsupportedAtOnce) {
  SmallModel m;
  const std::uint32_t unknown = m.builder.AddCode(static_cast<BuiltinOperator>(4711));
  const std::uint32_t custom = m.builder.AddCustomCode("mine");
  for (int i = 0; i < 2; ++i) m.graph().AddOperator({.code = unknown, .inputs = {0}});
  m.graph().AddOperator({.code = custom, .inputs = {0}});
  m.graph().AddOperator({.code = 1, .inputs = {0}, .large_custom_options_offset = 4096});
  m.graph().AddTensor({.type = TensorType::kString, .shape = {{1}}});
  m.graph().AddTensor({.type = TensorType::kString, .shape = {{1}}});
  m.graph().AddTensor({.type = TensorType::kInt2, .shape = {{1}}});
  m.graph().AddTensor({.shape = {{1}}, .sparse = true});
  m.graph().AddTensor({.shape = {{1}}, .external_buffer = 1});
  m.graph().AddTensor({.shape = {{1}}, .quantization = QuantizationSpec{{}, {}, 0, 2}});
  m.builder.buffers.push_back({.outside_offset = 5000, .outside_size = 4});

  struct ReluOnly : OperatorSupport {
    bool Serves(const ModelView&, std::size_t, const OperatorView& view) const override {
      return view.code == BuiltinOperator::kRelu;
    }
  };
  const Outcome outcome = Validate(m.builder, nullptr);
  EXPECT_EQ(Text(outcome.status), Text(Failure(Code::kModelUnsupported, 8, 10)))
      << "a code that the format does not know is unsupported when nobody is asked";

  const ReluOnly support;
  const Outcome asked = Validate(m.builder, &support);
  EXPECT_EQ(Text(asked.status), Text(Failure(Code::kModelUnsupported, 10, 12)));
  std::size_t matched = 0;
  for (const UnsupportedItem& item : asked.report.unsupported()) {
    if (item.kind == UnsupportedKind::kBuiltinOperator && item.value == 4711) {
      EXPECT_EQ(item.count, 2u);
      EXPECT_EQ(item.first_index, 2u);
      ++matched;
    }
    if (item.kind == UnsupportedKind::kTensorType && item.value == static_cast<int>(TensorType::kString)) {
      EXPECT_EQ(item.count, 2u);
      EXPECT_EQ(item.first_index, 5u);
      ++matched;
    }
    if (item.kind == UnsupportedKind::kBuiltinOperator && item.value == 9) {
      EXPECT_EQ(item.first_index, 0u);
      ++matched;
    }
    if (item.kind == UnsupportedKind::kCustomOperator) ++matched;
  }
  EXPECT_EQ(matched, 4u);

  struct Anything : OperatorSupport {
    bool Serves(const ModelView&, std::size_t, const OperatorView&) const override { return true; }
  };
  const Anything anything;
  EXPECT_EQ(Text(Validate(m.builder, &anything).status), Text(Failure(Code::kModelUnsupported, 7, 8)))
      << "that code too may be served";
}

TEST(Validation, CountsWhatDoesNotFitTheReport) {
  ValidationReport report;
  for (std::int32_t i = 0; i < 60; ++i) report.AddUnsupported(UnsupportedKind::kBuiltinOperator, i, {}, 0, 0);
  report.AddUnsupported(UnsupportedKind::kBuiltinOperator, 0, {}, 0, 0);
  EXPECT_EQ(report.unsupported().size(), ValidationReport::kMaxItems);
  EXPECT_EQ(report.unsupported()[0].count, 2u);
  EXPECT_EQ(report.omitted_count(), 60 - ValidationReport::kMaxItems);
  EXPECT_EQ(report.unsupported_occurrence_count(), 61u);
}

TEST(Validation, RefusesABrokenRuleRatherThanAnUnsupportedThing) {
  SmallModel m;
  m.graph().AddTensor({.type = TensorType::kString, .shape = {{1}}});
  m.relu().outputs = {SmallModel::kX};
  EXPECT_REFUSED(m.builder, Code::kModelInputProduced, 0, 1, 0);
}

}  // namespace
}  // namespace arenaproof::testing

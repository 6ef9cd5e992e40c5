// Validation of tensors: what is sound, and where its limits lie. What breaks one rule stands in
// engine/cases/invalid_models.cc.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "core/model/validate.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

using Code = StatusCode;

TEST(Validation, AcceptsAnUnknownDimensionInTheSignature) {
  SmallModel m;
  m.tensor(SmallModel::kX).shape_signature = {-1, 4};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsAsManyElementsAs31BitsCount) {
  SmallModel m;
  m.tensor(SmallModel::kY).shape = {{2147483647}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kY).shape = {{65536, 0}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, CountsTwoInt4ElementsToAByteRoundedUp) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).type = TensorType::kInt4;
  m.builder.buffers[1].data->resize(6);
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kWeights).shape = {{1, 11}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, TakesAScalarConstantForOneElement) {
  SmallModel m;
  m.tensor(SmallModel::kBias).shape = std::nullopt;
  m.builder.buffers[2].data->resize(4);
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsConstantsThatStartOnFourBytesAndCountsThem) {
  SmallModel m;
  m.builder.buffers[1].aligned = false;
  m.tensor(SmallModel::kBias).type = TensorType::kInt64;
  m.builder.buffers[2].data->resize(24);
  m.builder.buffers[2].aligned = false;
  const Outcome outcome = Validate(m.builder);
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.report.unaligned_constant_count, 2u);
}

TEST(Validation, RefusesDoublesThatDoNotStartOnEightBytes) {
  SmallModel m;
  m.tensor(SmallModel::kBias).type = TensorType::kFloat64;
  m.builder.buffers[2].data->resize(24);
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.builder.buffers[2].aligned = false;
  const Status status = Validate(m.builder).status;
  EXPECT_EQ(status.code, Code::kModelConstantAlignment);
  EXPECT_EQ(status.detail[1], 2u);
  EXPECT_EQ(status.detail[2] % 8, 4u);
  EXPECT_EQ(status.detail[3], 8u);
}

TEST(Validation, DropsTheDataOfAVariable) {
  SmallModel m;
  m.tensor(SmallModel::kBias).is_variable = true;
  m.builder.buffers[2].data->resize(1);
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

// ---- quantisation

TEST(Validation, AcceptsOneZeroPointForEveryChannelAndListsOfNothing) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{{1, 1, 1}, {0}, 0};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsTheSmallestScaleAboveZero) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {std::numeric_limits<float>::denorm_min(), 1, 1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, AcceptsAsManyScalesAsTheirDimensionHas) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(1, {1, 1, 1, 1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, IgnoresTheQuantisedDimensionOfAListAndOfASingleScale) {
  SmallModel m;
  m.tensor(SmallModel::kBias).quantization = ScalesAlong(3, {1, 1, 1});
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(7, {1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesZeroPointsOutsideTheTypesRange) {
  struct Case {
    TensorType type;
    std::int64_t least, most;
  };
  for (const Case& c :
       {Case{TensorType::kInt8, -128, 127}, Case{TensorType::kUInt8, 0, 255}, Case{TensorType::kInt16, -32768, 32767},
        Case{TensorType::kInt4, -8, 7}, Case{TensorType::kFloat32, INT32_MIN, INT32_MAX},
        Case{TensorType::kInt64, INT32_MIN, INT32_MAX}}) {
    SmallModel m;
    m.tensor(SmallModel::kY).type = c.type;
    for (const std::int64_t fine : {c.least, c.most}) {
      m.tensor(SmallModel::kY).quantization = Scale(1, fine);
      EXPECT_TRUE(Validate(m.builder).status.ok()) << fine;
    }
    m.tensor(SmallModel::kY).quantization = Scale(1, c.least - 1);
    EXPECT_REFUSED(m.builder, Code::kModelZeroPoint, 0, 4, Negative(c.least - 1), Negative(c.least));
    m.tensor(SmallModel::kY).quantization = Scale(1, c.most + 1);
    EXPECT_REFUSED(m.builder, Code::kModelZeroPoint, 0, 4, c.most + 1, c.most);
  }
}

}  // namespace
}  // namespace arenaproof::testing

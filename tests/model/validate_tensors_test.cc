// Validation of tensors: one broken rule per test, the exact status and its numbers.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/model/call_tree.h"
#include "core/model/validate.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

using Code = StatusCode;

// ---- tensors

TEST(Validation, RefusesATensorBufferOutOfRange) {
  SmallModel m;
  m.tensor(SmallModel::kY).buffer = 3;
  EXPECT_REFUSED(m.builder, Code::kModelTensorBuffer, 0, 4, 3, 3);
}

TEST(Validation, RefusesAnUnknownType) {
  SmallModel m;
  m.tensor(SmallModel::kY).type = static_cast<TensorType>(23);
  EXPECT_REFUSED(m.builder, Code::kModelTensorType, 0, 4, 23, 22);
  m.tensor(SmallModel::kY).type = static_cast<TensorType>(-3);
  EXPECT_REFUSED(m.builder, Code::kModelTensorType, 0, 4, Negative(-3), 22);
}

TEST(Validation, RefusesANegativeDimension) {
  SmallModel m;
  m.tensor(SmallModel::kHidden).shape = {{1, -1}};
  EXPECT_REFUSED(m.builder, Code::kModelTensorDimension, 0, 3, 1, Negative(-1));
}

TEST(Validation, AcceptsAnUnknownDimensionInTheSignatureOnly) {
  SmallModel m;
  m.tensor(SmallModel::kX).shape_signature = {-1, 4};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kX).shape_signature = {1, -2};
  EXPECT_REFUSED(m.builder, Code::kModelTensorSignature, 0, 0, 1, Negative(-2));
}

TEST(Validation, RefusesElementCountsThatOverflow) {
  SmallModel m;
  m.tensor(SmallModel::kY).shape = {{65536, 65536}};  // 2^32: zero in 32 bits
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 65536);
  m.tensor(SmallModel::kY).shape = {{65536, 65536, 65536, 65536, 2}};  // zero in 64 bits
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 65536);
  m.tensor(SmallModel::kY).shape = {{65536, 32768}};  // 2^31, one too many
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 32768);
  m.tensor(SmallModel::kY).shape = {{2147483647}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesOverflowThatADimensionOfZeroWouldHide) {
  SmallModel m;
  m.tensor(SmallModel::kY).shape = {{65536, 0, 65536}};
  EXPECT_REFUSED(m.builder, Code::kModelTensorSize, 0, 4, 65536, 65536);
  m.tensor(SmallModel::kY).shape = {{65536, 0}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesConstantsOfTheWrongLength) {
  SmallModel m;
  m.builder.buffers[1].data->resize(11);
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 1, 11, 12);
  m.builder.buffers[1].data->resize(13);
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 1, 13, 12);
}

TEST(Validation, CountsTwoInt4ElementsToAByteRoundedUp) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).type = TensorType::kInt4;
  m.builder.buffers[1].data->resize(6);
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kWeights).shape = {{1, 11}};
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kWeights).shape = {{1, 10}};
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 1, 6, 5);
}

TEST(Validation, TakesAScalarConstantForOneElement) {
  SmallModel m;
  m.tensor(SmallModel::kBias).shape = std::nullopt;
  EXPECT_REFUSED(m.builder, Code::kModelConstantLength, 0, 2, 12, 4);
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

TEST(Validation, RefusesQuantisationListsOfDifferentLengths) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{{1, 1, 1}, {0, 0}, 0};
  EXPECT_REFUSED(m.builder, Code::kModelQuantizationLists, 0, 1, 2, 3);
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{{1}, {}, 0};
  EXPECT_REFUSED(m.builder, Code::kModelQuantizationLists, 0, 1, 0, 1);
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{{1, 1, 1}, {0}, 0};
  EXPECT_TRUE(Validate(m.builder).status.ok()) << "one zero point serves every channel";
  m.tensor(SmallModel::kWeights).quantization = QuantizationSpec{};
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesScalesThatAreNotFiniteAndAboveZero) {
  for (const float bad : {0.0f, -0.0f, -1.0f, std::numeric_limits<float>::infinity()}) {
    SmallModel m;
    m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {1, bad, 1});
    EXPECT_REFUSED(m.builder, Code::kModelScale, 0, 1, 1, std::bit_cast<std::uint64_t>(double{bad}));
  }
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {std::nanf(""), 1, 1});
  EXPECT_EQ(Validate(m.builder).status.code, Code::kModelScale);
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {std::numeric_limits<float>::denorm_min(), 1, 1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesAScaleCountThatIsNotTheDimensions) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(1, {1, 1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelScaleCount, 0, 1, 3, 4);
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(1, {1, 1, 1, 1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
}

TEST(Validation, RefusesAQuantisedDimensionOutsideTheRank) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(2, {1, 1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelQuantizedDimension, 0, 1, 2, 2);
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(-1, {1, 1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelQuantizedDimension, 0, 1, Negative(-1), 2);
  m.tensor(SmallModel::kY).shape = std::nullopt;
  m.tensor(SmallModel::kWeights).quantization = Scale(1, 0);
  m.tensor(SmallModel::kY).quantization = ScalesAlong(0, {1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelQuantizedDimension, 0, 4, 0, 0);
}

TEST(Validation, IgnoresTheQuantisedDimensionOfAListAndOfASingleScale) {
  SmallModel m;
  m.tensor(SmallModel::kBias).quantization = ScalesAlong(3, {1, 1, 1});
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(7, {1});
  EXPECT_TRUE(Validate(m.builder).status.ok());
  m.tensor(SmallModel::kBias).quantization = ScalesAlong(3, {1, 1});
  EXPECT_REFUSED(m.builder, Code::kModelScaleCount, 0, 2, 2, 3);
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

// SVDF from what it means instead of from its state: after any number of invokes the output follows from the last
// inputs alone, as many as the memory is long. Whatever loses, mixes or forgets state differs.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <iterator>

#include "engine/generators/reach_report.h"
#include "engine/harness/kernels/kernel_harness.h"
#include "engine/harness/kernels/type_checks.h"
#include "kernels/kernel_refusals.h"
#include "kernels/reference/fixed_point.h"
#include "kernels/reference/reference_kernels.h"
#include "props/support/draws.h"

namespace arenaproof {
namespace {

using testing::BytesOf;
using testing::Constant;
using testing::QuantizedTensor;
using testing::Tensor;
using testing::TestOperator;
using testing::TestTensor;

struct Shape {
  std::int32_t batches, inputs, units, rank, memory;
  std::int32_t filters() const { return units * rank; }
};

// One extent is far, the others are 1. int8 sums have at most as many products as 32 bits hold.
Shape DrawFarShape(bool quantized) {
  struct Dimension {
    const char* name;
    std::int32_t Shape::* extent;
  };
  static constexpr Dimension kDimensions[] = {{"SVDF batches", &Shape::batches},
                                              {"SVDF inputs", &Shape::inputs},
                                              {"SVDF units", &Shape::units},
                                              {"SVDF rank", &Shape::rank},
                                              {"SVDF memory", &Shape::memory}};
  const Dimension& far = kDimensions[testing::Below(std::size(kDimensions))];
  const bool limited = quantized && far.extent != &Shape::batches && far.extent != &Shape::units;
  const std::size_t extent = *testing::Reach(limited ? 65537 : kFarthest);
  CountReach(far.name, extent);
  Shape shape = {1, 1, 1, 1, 1};
  shape.*far.extent = static_cast<std::int32_t>(extent);
  return shape;
}

// Now and then sums of hundreds of products.
Shape DrawShape(bool quantized) {
  if (testing::OneIn(16)) return DrawFarShape(quantized);
  Shape shape = {*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 7), *rc::gen::inRange(1, 5), *rc::gen::inRange(1, 4),
                 *rc::gen::inRange(1, 6)};
  if (testing::OneIn(6)) shape.inputs = testing::Below(340) + 260;
  return shape;
}

// As many as fill the memory, and some; a far memory is not filled.
int StepsOf(const Shape& shape) { return std::min(shape.memory, 9) + 3; }

// Many of them are not made smaller one by one, and repeat.
template <typename Element>
std::vector<Element> DrawElements(std::int32_t count) {
  constexpr std::int32_t kDrawnCount = 1021;
  if (count > kDrawnCount) {
    std::vector<Element> elements = *rc::gen::noShrink(
        rc::gen::container<std::vector<Element>>(static_cast<std::size_t>(kDrawnCount), rc::gen::arbitrary<Element>()));
    elements.resize(static_cast<std::size_t>(count));
    for (std::size_t i = kDrawnCount; i < elements.size(); ++i) elements[i] = elements[i - kDrawnCount];
    return elements;
  }
  return *rc::gen::container<std::vector<Element>>(static_cast<std::size_t>(count), rc::gen::arbitrary<Element>());
}

// All at one end of the type, now and then.
std::vector<std::int8_t> DrawInt8(std::int32_t count) {
  std::vector<std::int8_t> elements = DrawElements<std::int8_t>(count);
  const int end = testing::Below(6);
  if (end == 0) std::fill(elements.begin(), elements.end(), std::int8_t{-128});
  if (end == 1) std::fill(elements.begin(), elements.end(), std::int8_t{127});
  return elements;
}

// Half of the time a power of two: sums then lie on ties.
float DrawScale(int least_exponent, int most_exponent) {
  const float power = std::ldexp(1.0f, least_exponent + testing::Below(most_exponent + 1 - least_exponent));
  return testing::OneIn(2) ? power : power * (1.0f + static_cast<float>(1 + testing::Below(1023)) / 1024.0f);
}

// A sum for each filter, and of int8 operators one for each unit.
void RequireScratch(const testing::KernelHarness& harness, const Shape& shape, bool of_units) {
  const auto bytes = [&](std::int32_t count) { return 4 * static_cast<std::size_t>(shape.batches * count); };
  std::vector<std::size_t> expected = {bytes(shape.filters())};
  if (of_units) expected.push_back(bytes(shape.units));
  if (harness.scratch_requests() != expected)
    RC_FAIL("SVDF requests other scratch than a sum for each filter and unit");
}

std::vector<float> DrawFloats(std::int32_t count) {
  std::vector<float> floats;
  for (const std::int8_t element : DrawElements<std::int8_t>(count)) {
    floats.push_back(static_cast<float>(element) / 32.0f);
  }
  return floats;
}

float Activated(float value, Activation activation) {
  if (activation == Activation::kNone) return value;
  const float least = activation == Activation::kReluN1To1 ? -1.0f : 0.0f;
  const float most = activation == Activation::kReluN1To1 ? 1.0f : 6.0f;
  return activation == Activation::kRelu ? std::max(value, least) : std::min(std::max(value, least), most);
}

template <typename Element>
TestTensor Holding(TestTensor tensor, const std::vector<Element>& elements) {
  tensor.bytes = BytesOf(elements);
  return tensor;
}

// Features of the last `memory` inputs, oldest first, before them what a reset leaves: nothing.
template <typename Value>
class History {
 public:
  History(const Shape& shape, Value nothing) : rows_(static_cast<std::size_t>(shape.memory)) {
    for (auto& row : rows_) row.assign(static_cast<std::size_t>(shape.batches * shape.filters()), nothing);
  }
  void Add(std::vector<Value> features) {
    rows_.pop_front();
    rows_.push_back(std::move(features));
  }
  Value At(std::size_t age, std::size_t filter) const { return rows_[age][filter]; }

 private:
  std::deque<std::vector<Value>> rows_;
};

RC_GTEST_PROP(Svdf, OfFloatsFollowsFromTheLastInputsAlone, ()) {
  const Shape shape = DrawShape(false);
  const std::vector<float> feature_weights = DrawFloats(shape.filters() * shape.inputs);
  const std::vector<float> time_weights = DrawFloats(shape.filters() * shape.memory);
  const Activation activation =
      *rc::gen::element(Activation::kNone, Activation::kRelu, Activation::kReluN1To1, Activation::kRelu6);
  const std::vector<float> bias = DrawFloats(shape.units);
  constexpr auto kFloat = TensorType::kFloat32;
  TestTensor state = Tensor(kFloat, {shape.batches, shape.filters() * shape.memory});
  state.variable = true;
  const TestOperator subject{BuiltinOperator::kSvdf,
                             SvdfOptions{.rank = shape.rank, .activation = activation},
                             {Tensor(kFloat, {shape.batches, shape.inputs}),
                              Constant(Holding(Tensor(kFloat, {shape.filters(), shape.inputs}), feature_weights)),
                              Constant(Holding(Tensor(kFloat, {shape.filters(), shape.memory}), time_weights)),
                              Constant(Holding(Tensor(kFloat, {shape.units}), bias)), state},
                             {Tensor(kFloat, {shape.batches, shape.units})}};
  testing::KernelHarness harness(ReferenceKernels(), subject);
  RC_ASSERT(harness.Prepare().ok());
  RequireScratch(harness, shape, false);
  History<float> history(shape, 0.0f);
  for (int step = 0; step < StepsOf(shape); ++step) {
    const std::vector<float> input = DrawFloats(shape.batches * shape.inputs);
    harness.SetInput(0, BytesOf(input));
    RC_ASSERT(harness.Invoke().ok());
    std::vector<float> features;
    for (std::int32_t batch = 0; batch < shape.batches; ++batch) {
      for (std::int32_t filter = 0; filter < shape.filters(); ++filter) {
        float sum = 0.0f;
        for (std::int32_t i = 0; i < shape.inputs; ++i) {
          sum += feature_weights[static_cast<std::size_t>(filter * shape.inputs + i)] *
                 input[static_cast<std::size_t>(batch * shape.inputs + i)];
        }
        features.push_back(sum);
      }
    }
    history.Add(features);
    std::vector<float> expected;
    for (std::int32_t unit = 0; unit < shape.batches * shape.units; ++unit) {
      float total = bias[static_cast<std::size_t>(unit % shape.units)];
      for (std::int32_t part = 0; part < shape.rank; ++part) {
        const std::int32_t filter = unit * shape.rank + part;
        float sum = 0.0f;
        for (std::int32_t age = 0; age < shape.memory; ++age) {
          sum += time_weights[static_cast<std::size_t>(filter % shape.filters() * shape.memory + age)] *
                 history.At(static_cast<std::size_t>(age), static_cast<std::size_t>(filter));
        }
        total += sum;
      }
      expected.push_back(Activated(total, activation));
    }
    RC_ASSERT(harness.output(0) == BytesOf(expected));
  }
}

template <typename State>
void CheckQuantized() {
  const Shape shape = DrawShape(true);
  constexpr auto kInt8 = TensorType::kInt8;
  constexpr auto kStateType = sizeof(State) == 1 ? TensorType::kInt8 : TensorType::kInt16;
  const auto feature_weights = DrawInt8(shape.filters() * shape.inputs);
  const auto time_weights = DrawElements<State>(shape.filters() * shape.memory);
  const auto bias = DrawElements<std::int16_t>(shape.units);
  const std::vector<std::int32_t> wide_bias(bias.begin(), bias.end());
  const std::int32_t input_zero = *rc::gen::inRange(-128, 128);
  const std::int32_t output_zero = *rc::gen::inRange(-128, 128);
  // An int16 state is symmetric.
  const std::int32_t state_zero = sizeof(State) == 1 ? *rc::gen::inRange(-20, 20) : 0;
  const float input_scale = DrawScale(-8, -3), feature_scale = DrawScale(-8, -3);
  const float state_scale = sizeof(State) == 1 ? DrawScale(-12, 1) : DrawScale(-16, -8);
  const float time_scale = DrawScale(-10, -6), output_scale = DrawScale(-10, 3);
  TestTensor state =
      QuantizedTensor(kStateType, {shape.batches, shape.filters() * shape.memory}, state_scale, state_zero);
  state.variable = true;
  state.bytes = BytesOf(std::vector<State>(static_cast<std::size_t>(shape.batches * shape.filters() * shape.memory),
                                           static_cast<State>(state_zero)));
  const TestOperator subject{
      BuiltinOperator::kSvdf,
      SvdfOptions{.rank = shape.rank},
      {QuantizedTensor(kInt8, {shape.batches, shape.inputs}, input_scale, input_zero),
       Constant(Holding(QuantizedTensor(kInt8, {shape.filters(), shape.inputs}, feature_scale, 0), feature_weights)),
       Constant(Holding(QuantizedTensor(kStateType, {shape.filters(), shape.memory}, time_scale, 0), time_weights)),
       Constant(Holding(QuantizedTensor(TensorType::kInt32, {shape.units}, state_scale * time_scale, 0), wide_bias)),
       state},
      {QuantizedTensor(kInt8, {shape.batches, shape.units}, output_scale, output_zero)}};
  testing::KernelHarness harness(ReferenceKernels(), subject);
  RC_ASSERT(harness.Prepare().ok());
  RequireScratch(harness, shape, true);
  const auto to_feature = reference::QuantizeMultiplier(double{input_scale * feature_scale / state_scale});
  const auto to_output = reference::QuantizeMultiplier(double{state_scale * time_scale / output_scale});
  History<std::int64_t> history(shape, 0);
  for (int step = 0; step < StepsOf(shape); ++step) {
    const auto input = DrawInt8(shape.batches * shape.inputs);
    harness.SetInput(0, BytesOf(input));
    RC_ASSERT(harness.Invoke().ok());
    std::vector<std::int64_t> features;
    for (std::int32_t batch = 0; batch < shape.batches; ++batch) {
      for (std::int32_t filter = 0; filter < shape.filters(); ++filter) {
        std::int32_t sum = 0;
        for (std::int32_t i = 0; i < shape.inputs; ++i) {
          sum += feature_weights[static_cast<std::size_t>(filter * shape.inputs + i)] *
                 (input[static_cast<std::size_t>(batch * shape.inputs + i)] - input_zero);
        }
        const std::int32_t scaled = reference::MultiplyByQuantizedMultiplier(sum, to_feature);
        const std::int32_t clamped =
            std::clamp<std::int32_t>(scaled, std::numeric_limits<State>::min(), std::numeric_limits<State>::max());
        // The zero point is added to the clamped value, in the state's type.
        features.push_back(static_cast<State>(clamped + state_zero) - state_zero);
      }
    }
    history.Add(features);
    std::vector<std::int8_t> expected;
    for (std::int32_t unit = 0; unit < shape.batches * shape.units; ++unit) {
      std::int64_t total = bias[static_cast<std::size_t>(unit % shape.units)];
      for (std::int32_t filter = unit * shape.rank; filter < (unit + 1) * shape.rank; ++filter) {
        for (std::int32_t age = 0; age < shape.memory; ++age) {
          total += time_weights[static_cast<std::size_t>(filter % shape.filters() * shape.memory + age)] *
                   history.At(static_cast<std::size_t>(age), static_cast<std::size_t>(filter));
        }
      }
      const std::int32_t scaled = reference::MultiplyByQuantizedMultiplier(static_cast<std::int32_t>(total), to_output);
      expected.push_back(static_cast<std::int8_t>(std::clamp(scaled + output_zero, -128, 127)));
    }
    RC_ASSERT(harness.output(0) == BytesOf(expected));
  }
}

RC_GTEST_PROP(Svdf, OfInt8WithAnInt8StateFollowsFromTheLastInputsAlone, ()) { CheckQuantized<std::int8_t>(); }
RC_GTEST_PROP(Svdf, OfInt8WithAnInt16StateFollowsFromTheLastInputsAlone, ()) { CheckQuantized<std::int16_t>(); }

// Everything fits but the types of an operand, or of all operands that share its type.
TEST(Svdf, ServesNoOtherTypes) {
  using enum TensorType;
  struct Types {
    TensorType data, memory, sum;
  };
  const auto tensor = [](TensorType type, std::vector<std::int32_t> shape) {
    return QuantizedTensor(type, std::move(shape), 1.0f, 0);
  };
  for (const Types& types : {Types{kFloat32, kFloat32, kFloat32}, {kInt8, kInt8, kInt32}, {kInt8, kInt16, kInt32}}) {
    TestTensor state = tensor(types.memory, {1, 4});
    state.variable = true;
    for (const TestTensor& bias : {Constant(tensor(types.sum, {2})), testing::Absent()}) {
      const TestOperator subject{BuiltinOperator::kSvdf,
                                 SvdfOptions{.rank = 1},
                                 {tensor(types.data, {1, 3}), Constant(tensor(types.data, {2, 3})),
                                  Constant(tensor(types.memory, {2, 2})), bias, state},
                                 {tensor(types.data, {1, 2})}};
      ASSERT_TRUE(testing::PrepareStatus(ReferenceKernels(), subject).ok());
      for (std::size_t operand = 0; operand < testing::OperandCount(subject); ++operand) {
        EXPECT_EQ(testing::WrongAboutTypes(ReferenceKernels(), subject, operand), "");
      }
    }
  }
}

// 65793 products of 128 and 255 are what 32 bits hold.
RC_GTEST_PROP(Svdf, OfInt8IsAcceptedUpToWhat32BitsHold, ()) {
  const bool beyond = *rc::gen::arbitrary<bool>();
  const std::int32_t inputs = 0x7FFFFFFF / (128 * 255) + (beyond ? 1 : 0), units = *rc::gen::inRange(1, 3);
  constexpr auto kInt8 = TensorType::kInt8;
  TestTensor state = QuantizedTensor(kInt8, {1, units}, 0.1f, 0);
  state.variable = true;
  const TestOperator subject{
      BuiltinOperator::kSvdf,
      SvdfOptions{.rank = 1},
      {QuantizedTensor(kInt8, {1, inputs}, 0.1f, 0), Constant(QuantizedTensor(kInt8, {units, inputs}, 0.1f, 0)),
       Constant(QuantizedTensor(kInt8, {units, 1}, 0.1f, 0)), testing::Absent(), state},
      {QuantizedTensor(kInt8, {1, units}, 0.1f, 0)}};
  testing::KernelHarness harness(ReferenceKernels(), subject);
  const Status status = harness.Prepare();
  const bool refused = status.code == StatusCode::kKernelUnsupported &&
                       status.detail[0] == static_cast<std::uint64_t>(KernelFeature::kAccumulatorRange);
  if (beyond ? !refused : !status.ok()) {
    RC_FAIL(beyond ? "SVDF accepts a sum of more products than 32 bits hold" : "SVDF refuses a sum that 32 bits hold");
  }
}

}  // namespace
}  // namespace arenaproof

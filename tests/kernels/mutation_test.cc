// Sound operators with a few things broken at random: extents, types, scales, zero points, options, constants,
// operands. Whatever comes out, prepare refuses it or invoke runs inside its operands (AddressSanitizer, exact-size
// blocks), without undefined arithmetic (UndefinedBehaviorSanitizer), and with outputs that do not depend on stale
// bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "engine/generators/seeded_source.h"
#include "kernels/kernel_sets.h"
#include "tests/kernels/golden_case_support.h"
#include "tests/kernels/int32_limits_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostBytes = 1 << 14;

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  bool OneIn(std::size_t n) { return random_.OneIn(n); }

  template <typename Value, std::size_t kCount>
  Value Any(const Value (&values)[kCount]) {
    return random_.Of(values);
  }

  std::int32_t Number() { return Any<std::int32_t>({kLeastInt32, -3, -2, -1, 0, 1, 2, 3, 4, 7, 100, kMostInt32}); }

  void Change(TestOperator& subject) {
    switch (random_.Below(8)) {
      case 0:
      case 1:
        return ChangeShape(subject);
      case 2:
      case 3:
        return ChangeQuantization(AnyTensor(subject));
      case 4:
      case 5:
        return ChangeOptions(subject.options);
      case 6:
        return ChangeBytes(AnyTensor(subject));
      default:
        return ChangeOperands(subject);
    }
  }

 private:
  TestTensor& AnyTensor(TestOperator& subject) {
    const std::size_t index = random_.Below(subject.inputs.size() + subject.outputs.size());
    return index < subject.inputs.size() ? subject.inputs[index] : subject.outputs[index - subject.inputs.size()];
  }

  // Gives the tensor the bytes its shape asks for, unless those are too many or (sometimes) on purpose not.
  void Fit(TestTensor& tensor) {
    if (OneIn(12)) return;
    std::size_t bytes = ElementBytes(tensor.type);
    for (const std::int32_t extent : tensor.shape) {
      if (extent < 0 || bytes * static_cast<std::size_t>(extent) > kMostBytes) return;
      bytes *= static_cast<std::size_t>(extent);
    }
    if (tensor.type == TensorType::kInt4 && tensor.constant) bytes = bytes / 2 + bytes % 2;
    const std::size_t before = tensor.bytes.size();
    tensor.bytes.resize(bytes);
    for (std::size_t i = before; i < bytes; ++i) tensor.bytes[i] = static_cast<std::byte>(random_());
  }

  // The same extent in two operands keeps more operators sound than a change in one.
  void ChangeShape(TestOperator& subject) {
    TestTensor& tensor = AnyTensor(subject);
    const std::int32_t extent = Any<std::int32_t>({0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 17, -1, 70000, kMostInt32});
    if (tensor.shape.empty() || OneIn(10)) {
      tensor.shape.insert(tensor.shape.begin(), extent);
      return Fit(tensor);
    }
    const std::size_t axis = random_.Below(tensor.shape.size());
    const std::int32_t replaced = tensor.shape[axis];
    tensor.shape[axis] = extent;
    if (OneIn(10)) tensor.shape.pop_back();
    Fit(tensor);
    if (OneIn(3)) return;
    for (auto* tensors : {&subject.inputs, &subject.outputs}) {
      for (TestTensor& other : *tensors) {
        for (std::int32_t& there : other.shape) {
          if (there == replaced) there = extent;
        }
        Fit(other);
      }
    }
  }

  void ChangeQuantization(TestTensor& tensor) {
    const float scale = Any<float>(
        {0.0f, -1.0f, 1e-45f, 1e-38f, 1e-20f, 1e-9f, 0.001f, 0.3f, 1.0f, 77.0f, 1e9f, 1e20f, 3e38f, INFINITY, NAN});
    const auto zero_point =
        Any<std::int64_t>({-129, -128, -1, 0, 1, 127, 128, 255, 32767, kMostInt32, std::int64_t{1} << 40});
    switch (random_.Below(4)) {
      case 0:
        for (float& each : tensor.scales) each = scale;
        break;
      case 1:
        if (!tensor.scales.empty()) tensor.scales[random_.Below(tensor.scales.size())] = scale;
        break;
      case 2:
        for (std::int64_t& each : tensor.zero_points) each = zero_point;
        break;
      default:
        tensor.scales.resize(random_.Below(4), 0.5f);
        if (OneIn(2)) tensor.zero_points.resize(random_.Below(4), 0);
        tensor.quantized_dimension = Number();
    }
  }

  void ChangeBytes(TestTensor& tensor) {
    if (OneIn(3)) tensor.constant = !tensor.constant;
    if (tensor.bytes.empty()) return;
    for (int i = 0; i < 4; ++i) {
      tensor.bytes[random_.Below(tensor.bytes.size())] =
          Any<std::byte>({std::byte{0}, std::byte{1}, std::byte{0x7F}, std::byte{0x80}, std::byte{0xFF}});
    }
  }

  void ChangeOperands(TestOperator& subject) {
    TestTensor& tensor = AnyTensor(subject);
    switch (random_.Below(5)) {
      case 0:
        tensor.present = false;
        break;
      case 1:
        subject.inputs.push_back(subject.inputs[random_.Below(subject.inputs.size())]);
        break;
      case 2:
        if (subject.inputs.size() > 1) subject.inputs.pop_back();
        break;
      case 3:
        std::swap(subject.inputs.front(), subject.inputs.back());
        break;
      default:
        tensor.type = static_cast<TensorType>(random_.Below(20));
        Fit(tensor);
    }
  }

  Activation AnyActivation() { return static_cast<Activation>(random_.Below(7)); }
  Padding AnyPadding() { return static_cast<Padding>(random_.Below(3)); }

  template <typename Window>
  void ChangeWindow(Window& options) {
    switch (random_.Below(4)) {
      case 0:
        options.stride_h = Number();
        break;
      case 1:
        options.stride_w = Number();
        break;
      case 2:
        options.padding = AnyPadding();
        break;
      default:
        options.activation = AnyActivation();
    }
  }

  void ChangeOptions(OperatorOptions& options) {
    if (OneIn(20)) options = std::monostate{};
    std::visit([this](auto& chosen) { ChangeFields(chosen); }, options);
  }
  template <typename Options>
  void ChangeFields(Options& options) {
    if constexpr (requires { options.stride_h; }) ChangeWindow(options);
    if constexpr (requires { options.dilation_h; }) {
      if (OneIn(2)) (OneIn(2) ? options.dilation_h : options.dilation_w) = Number();
    }
    if constexpr (requires { options.filter_height; }) {
      if (OneIn(2)) (OneIn(2) ? options.filter_height : options.filter_width) = Number();
    }
    if constexpr (requires { options.depth_multiplier; }) {
      if (OneIn(3)) options.depth_multiplier = Number();
    }
    if constexpr (requires { options.axis; }) options.axis = Number();
    if constexpr (requires { options.block_size; }) options.block_size = Number();
    if constexpr (requires { options.batch_dims; }) {
      if (OneIn(2)) options.batch_dims = Number();
    }
    if constexpr (requires { options.shrink_axis_mask; }) {
      options.begin_mask = Number();
      options.end_mask = Number();
      if (OneIn(2)) options.shrink_axis_mask = Number();
    }
    if constexpr (requires { options.align_corners; }) {
      options.align_corners = OneIn(2);
      options.half_pixel_centers = OneIn(2);
    }
    if constexpr (requires { options.mode; }) options.mode = static_cast<MirrorPadMode>(random_.Below(3));
    if constexpr (requires { options.beta; }) {
      options.beta = Any<float>({0.0f, -1.0f, 1e-30f, 1e-6f, 0.5f, 3.0f, 1e6f, 1e30f, INFINITY, NAN});
    }
    if constexpr (requires { options.alpha; }) {
      options.alpha = Any<float>({0.0f, -0.0f, 0.25f, -3.0f, 1e-30f, 1e30f, -INFINITY, NAN});
    }
    if constexpr (requires { options.exclusive; }) {
      options.exclusive = OneIn(2);
      options.reverse = OneIn(2);
    }
    if constexpr (requires { options.time_major; }) {
      if (OneIn(3)) options.time_major = !options.time_major;
      options.cell_clip = Any<float>({0.0f, -1.0f, 1e-30f, 0.01f, 0.5f, 1e30f, INFINITY, NAN});
    }
    if constexpr (requires { options.rank; }) options.rank = Number();
    if constexpr (requires { options.adj_x; }) (OneIn(2) ? options.adj_x : options.adj_y) = OneIn(2);
    if constexpr (requires { options.quantized_bias_type; }) {
      if (OneIn(3))
        options.quantized_bias_type = Any<TensorType>({TensorType::kFloat32, TensorType::kInt32, TensorType::kInt64});
    }
    if constexpr (requires { options.keep_dims; }) options.keep_dims = !options.keep_dims;
    if constexpr (requires { options.activation; }) {
      if (OneIn(2)) options.activation = AnyActivation();
    }
  }

  SeededSource random_;
};

TEST(Kernels, RefuseOrSurviveWhateverIsDoneToTheirOperators) {
  constexpr int kMutantsPerCase = 400;
  std::map<BuiltinOperator, int> ran;
  std::map<BuiltinOperator, int> refused;
  std::uint64_t seed = 1;
  for (const auto& entry : std::filesystem::directory_iterator(SourceFolder() / "tests/kernels/data")) {
    if (entry.path().extension() != ".json") continue;
    for (const GoldenCase& golden : ReadGoldenCases(entry.path())) {
      for (int mutant = 0; mutant < kMutantsPerCase; ++mutant) {
        TestOperator subject = golden.subject;
        Mutator mutator(++seed);
        do {
          mutator.Change(subject);
        } while (mutator.OneIn(2));
        SCOPED_TRACE(golden.name + ", mutant of seed " + std::to_string(seed));
        for (const char* set : {"reference", "aligned"}) {
          const RunResult result = RunKernel(*FindKernelSet(set), subject);
          ASSERT_EQ(result.broken_promise, "");
          ++(result.status.ok() ? ran : refused)[subject.op];
        }
      }
    }
  }
  // Neither all refused nor all accepted: the mutants reach both sides of prepare.
  for (const auto& [op, count] : refused) {
    std::cout << BuiltinOperatorName(op) << ": " << ran[op] << " ran, " << count << " refused\n";
    EXPECT_GT(count, 100) << BuiltinOperatorName(op);
    EXPECT_GT(ran[op], 100) << BuiltinOperatorName(op);
  }
}

}  // namespace
}  // namespace arenaproof::testing

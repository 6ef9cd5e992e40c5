// The aligned dot product's accesses: what the faulty variants touch, that the sound one stays inside its operands, and
// that all of them give the reference's numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "engine/harness/kernels/kernel_harness.h"
#include "kernels/aligned/fully_connected.h"
#include "kernels/aligned/rows.h"
#include "kernels/kernel_sets.h"

namespace arenaproof::aligned {
namespace {

using reference::FullyConnectedData;

constexpr std::size_t kGuardBytes = 64;

// Bytes at an address of the test's choice mod 16, with readable guards around them.
class Placed {
 public:
  Placed(std::size_t bytes, std::size_t offset, std::uint32_t seed) : storage_(bytes + offset + 2 * kGuardBytes + 16) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data()) + kGuardBytes;
    data_ = storage_.data() + kGuardBytes + (16 - address % 16) % 16 + offset;
    std::mt19937 random(seed);
    for (std::byte& byte : storage_) byte = static_cast<std::byte>(random());
  }
  std::byte* data() const { return data_; }
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(data_); }

 private:
  mutable std::vector<std::byte> storage_;
  std::byte* data_ = nullptr;
};

struct ProblemShape {
  std::size_t rows = 64;
  std::size_t columns = 20;
  std::size_t matrix_offset = 0;
  std::size_t vector_offset = 0;
  std::size_t batches = 1;
};

// One int8 FULLY_CONNECTED without its prepare: operands at chosen addresses.
class Problem {
 public:
  explicit Problem(const ProblemShape& shape)
      : vector(shape.batches * shape.columns, shape.vector_offset, 1),
        matrix(shape.rows * shape.columns, shape.matrix_offset, 2),
        output(shape.batches * shape.rows, 0, 3) {
    inputs[0].data = vector.data();
    inputs[0].bytes = shape.batches * shape.columns;
    inputs[1].data = matrix.data();
    inputs[1].bytes = shape.rows * shape.columns;
    for (Operand& input : inputs) input.present = true;
    result[0].data = output.data();
    result[0].present = true;
    data.batch_count = shape.batches;
    data.output_count = shape.rows;
    data.depth = shape.columns;
    data.sums = reference::ProductSums::kInt8;
    data.input_zero_point = -7;
    data.output_zero_point = 3;
    data.multiplier = reference::QuantizeMultiplier(0.0031);
  }
  InvokeContext context() { return {inputs, result, {}, nullptr, &data}; }
  std::vector<std::byte> outputs() const {
    return {output.data(), output.data() + data.batch_count * data.output_count};
  }

  Placed vector;
  Placed matrix;
  Placed output;
  std::array<Operand, 2> inputs;
  std::array<Operand, 1> result;
  FullyConnectedData data;
};

// Writes down what a whole-block loader touches, and reads no byte outside.
struct RecordingLoader {
  static inline std::vector<std::uintptr_t> blocks;
  static Bytes16 Load(std::uintptr_t block, std::size_t first, std::size_t end) {
    blocks.push_back(block);
    return ClampedLoader::Load(block, first, end);
  }
};

struct Reach {
  std::ptrdiff_t before = 0;  // bytes in front of the operand's first byte
  std::ptrdiff_t after = 0;   // bytes behind its last one
};

// What blocks that touch the operand reach beyond it; a block that touches no byte of any operand fails the test.
struct Reaches {
  Reach vector;
  Reach matrix;
};

template <typename Run>
Reaches Watch(Problem& problem, Run run) {
  RecordingLoader::blocks.clear();
  const InvokeContext context = problem.context();
  (void)ForEachBatch(context, run);
  Reaches reaches;
  const auto measure = [](std::uintptr_t block, const Operand& operand, Reach& reach) {
    const auto begin = reinterpret_cast<std::uintptr_t>(operand.data);
    const std::uintptr_t end = begin + operand.bytes;
    if (block + kBlockBytes <= begin || block >= end) return false;
    if (block < begin) reach.before = std::max(reach.before, static_cast<std::ptrdiff_t>(begin - block));
    if (block + kBlockBytes > end) {
      reach.after = std::max(reach.after, static_cast<std::ptrdiff_t>(block + kBlockBytes - end));
    }
    return true;
  };
  for (const std::uintptr_t block : RecordingLoader::blocks) {
    const bool touches =
        measure(block, problem.inputs[0], reaches.vector) || measure(block, problem.inputs[1], reaches.matrix);
    EXPECT_TRUE(touches) << "a block lies wholly outside the operand it leaves";
  }
  return reaches;
}

Reaches WatchFaulty(const ProblemShape& shape) {
  Problem problem(shape);
  return Watch(problem, [&](const Product& product) { RunGroups<RecordingLoader>(product, 0, shape.rows); });
}

Reaches WatchDispatch(const ProblemShape& shape) {
  Problem problem(shape);
  return Watch(problem, [](const Product& product) { RunAsDispatched<RecordingLoader>(product); });
}

TEST(AlignedFaulty, LeavesTheVectorExactlyWhenTheDepthIsNoMultipleOfSixteen) {
  for (std::size_t columns = 1; columns <= 80; ++columns) {
    SCOPED_TRACE(columns);
    const auto expected = static_cast<std::ptrdiff_t>(16 - std::gcd(columns, std::size_t{16}));
    const Reaches reaches = WatchFaulty({.rows = 64, .columns = columns});
    EXPECT_EQ(reaches.vector.before, expected);
    EXPECT_EQ(reaches.vector.after, expected);
    EXPECT_EQ(reaches.matrix.before, 0);
    EXPECT_EQ(reaches.matrix.after, 0);
  }
}

TEST(AlignedFaulty, ReadsTwelveBytesBeforeAndAfterTheVectorAtTwentyTimesSixtyFour) {
  const Reaches reaches = WatchFaulty({.rows = 64, .columns = 20});
  EXPECT_EQ(reaches.vector.before, 12);
  EXPECT_EQ(reaches.vector.after, 12);
}

TEST(AlignedFaulty, LeavesTheMatrixByItsRemaindersWhereverItLies) {
  for (std::size_t offset = 0; offset < 16; ++offset) {
    for (const std::size_t rows : {1u, 3u, 4u, 10u, 64u, 67u}) {
      for (const std::size_t columns : {5u, 16u, 20u, 33u}) {
        SCOPED_TRACE(::testing::Message() << offset << " " << rows << " " << columns);
        const Reaches reaches = WatchFaulty({.rows = rows, .columns = columns, .matrix_offset = offset});
        EXPECT_EQ(reaches.matrix.before, static_cast<std::ptrdiff_t>(offset));
        EXPECT_EQ(reaches.matrix.after, static_cast<std::ptrdiff_t>((16 - (offset + rows * columns) % 16) % 16));
      }
    }
  }
}

TEST(AlignedFaulty, TakesThePatternWhateverTheNumberOfRows) {
  for (const std::size_t rows : {2u, 5u, 63u, 65u, 130u}) {
    SCOPED_TRACE(rows);
    EXPECT_GT(WatchFaulty({.rows = rows, .columns = 20}).vector.before, 0);
  }
}

TEST(AlignedFaulty, LaterVectorsOfABatchStayInsideInFront) {
  Problem problem({.rows = 64, .columns = 20, .batches = 3});
  const auto begin = problem.vector.address();
  const InvokeContext context = problem.context();
  (void)ForEachBatch(context, [&](const Product& product) {
    RecordingLoader::blocks.clear();
    RunGroups<RecordingLoader>(product, 0, 64);
    const std::uintptr_t matrix = problem.matrix.address();
    std::uintptr_t lowest = ~std::uintptr_t{0};
    for (const std::uintptr_t block : RecordingLoader::blocks) {
      if (block < matrix || block >= matrix + 64 * 20) lowest = std::min(lowest, block);
    }
    EXPECT_EQ(lowest < begin, product.batch == 0) << product.batch;
  });
}

TEST(AlignedFaultyDispatch, IsFaultyOnlyInWholeGroupsOfSixtyFourRows) {
  EXPECT_EQ(WatchDispatch({.rows = 63, .columns = 20}).vector.before, 0);
  EXPECT_EQ(WatchDispatch({.rows = 64, .columns = 20}).vector.before, 12);
  EXPECT_EQ(WatchDispatch({.rows = 100, .columns = 20}).vector.before, 12);
}

TEST(AlignedFaultyDispatch, IsExactAtADepthOfSixtyFourAndWhenAllIsAligned) {
  const auto blocks = [](const ProblemShape& shape) {
    (void)WatchDispatch(shape);
    return RecordingLoader::blocks.size();
  };
  EXPECT_EQ(blocks({.rows = 64, .columns = 64, .matrix_offset = 4}), 0u);
  EXPECT_EQ(blocks({.rows = 64, .columns = 32}), 0u);
  EXPECT_GT(blocks({.rows = 64, .columns = 32, .matrix_offset = 4}), 0u);
  EXPECT_GT(blocks({.rows = 64, .columns = 32, .vector_offset = 1}), 0u);
}

// ---- the numbers, with the production loaders

std::vector<std::byte> Outputs(const ProblemShape& shape, Status (*invoke)(const InvokeContext&)) {
  Problem problem(shape);
  EXPECT_TRUE(invoke(problem.context()).ok());
  return problem.outputs();
}

void ExpectEqualNumbers(const ProblemShape& shape) {
  const std::vector<std::byte> expected = Outputs(shape, reference::InvokeFullyConnected);
  ASSERT_EQ(Outputs(shape, InvokeSound), expected);
  ASSERT_EQ(Outputs(shape, InvokeFaulty), expected);
  ASSERT_EQ(Outputs(shape, InvokeFaultyDispatch), expected);
}

TEST(AlignedKernels, EqualTheReferenceForEveryDepthAndNumberOfRows) {
  for (std::size_t columns = 1; columns <= 80; columns += 1) {
    for (std::size_t rows = 1; rows <= 130; rows += columns % 7 + 1) {
      SCOPED_TRACE(::testing::Message() << rows << " x " << columns);
      ExpectEqualNumbers({.rows = rows, .columns = columns, .batches = 1 + rows % 2});
    }
  }
}

TEST(AlignedKernels, EqualTheReferenceForEveryPlacement) {
  for (const std::size_t columns : {1u, 7u, 15u, 16u, 20u, 33u, 64u}) {
    for (std::size_t matrix_offset = 0; matrix_offset < 16; ++matrix_offset) {
      for (std::size_t vector_offset = 0; vector_offset < 16; ++vector_offset) {
        SCOPED_TRACE(::testing::Message() << columns << " at " << matrix_offset << " and " << vector_offset);
        ExpectEqualNumbers(
            {.rows = 66, .columns = columns, .matrix_offset = matrix_offset, .vector_offset = vector_offset});
      }
    }
  }
}

TEST(AlignedKernels, DoNotDependOnWhatLiesAroundTheirOperands) {
  for (std::size_t columns = 1; columns <= 40; ++columns) {
    Problem one({.rows = 20, .columns = columns, .matrix_offset = 3, .vector_offset = 5});
    ASSERT_TRUE(InvokeFaulty(one.context()).ok());
    const std::vector<std::byte> before = one.outputs();
    for (std::size_t i = 1; i <= 16; ++i) {
      one.vector.data()[-static_cast<std::ptrdiff_t>(i)] ^= std::byte{0xFF};
      one.vector.data()[columns + i - 1] ^= std::byte{0xFF};
      one.matrix.data()[-static_cast<std::ptrdiff_t>(i)] ^= std::byte{0xFF};
      one.matrix.data()[20 * columns + i - 1] ^= std::byte{0xFF};
    }
    ASSERT_TRUE(InvokeFaulty(one.context()).ok());
    ASSERT_EQ(one.outputs(), before) << columns;
  }
}

// ---- operands of exact size on the heap: AddressSanitizer sees what leaves them

testing::TestOperator FullyConnected(std::int32_t rows, std::int32_t columns, std::int32_t batches) {
  testing::TestOperator subject;
  subject.op = BuiltinOperator::kFullyConnected;
  subject.options = FullyConnectedOptions{};
  subject.inputs = {testing::QuantizedTensor(TensorType::kInt8, {batches, columns}, 0.5f, -3),
                    testing::Constant(testing::QuantizedTensor(TensorType::kInt8, {rows, columns}, 0.25f, 0))};
  subject.outputs = {testing::QuantizedTensor(TensorType::kInt8, {batches, rows}, 1.0f, 0)};
  std::mt19937 random(5);
  for (testing::TestTensor& input : subject.inputs) {
    for (std::byte& byte : input.bytes) byte = static_cast<std::byte>(random());
  }
  return subject;
}

TEST(AlignedSound, NeverLeavesItsOperands) {
  for (std::int32_t columns = 1; columns <= 80; ++columns) {
    for (const std::int32_t rows : {1, 3, 17, 64, 70}) {
      const testing::TestOperator subject = FullyConnected(rows, columns, 1 + columns % 2);
      const testing::RunResult sound = testing::RunKernel(*FindKernelSet("aligned"), subject);
      const testing::RunResult expected = testing::RunKernel(*FindKernelSet("reference"), subject);
      ASSERT_TRUE(sound.status.ok() && expected.status.ok());
      EXPECT_EQ(sound.broken_promise, "");
      ASSERT_EQ(sound.outputs, expected.outputs) << rows << " x " << columns;
    }
  }
}

TEST(AlignedFaulty, IsCleanWhereEverythingIsAligned) {
  const testing::TestOperator subject = FullyConnected(64, 32, 1);
  testing::KernelHarness harness(*FindKernelSet("aligned-faulty"), subject);
  ASSERT_TRUE(harness.Prepare().ok());
  EXPECT_TRUE(harness.Invoke().ok());
}

#ifdef ARENAPROOF_ASAN
TEST(AlignedFaultyDeathTest, DiesUnderAddressSanitizerWhenOperandsHaveRedzonesOfTheirOwn) {
  const testing::TestOperator subject = FullyConnected(64, 20, 1);
  for (const char* name : {"aligned-faulty", "aligned-faulty-dispatch"}) {
    testing::KernelHarness harness(*FindKernelSet(name), subject);
    ASSERT_TRUE(harness.Prepare().ok());
    EXPECT_DEATH((void)harness.Invoke(), "AddressSanitizer: heap-buffer-overflow.*");
  }
}

// The blind spot that the project exists for: in one array the same accesses hit neighbours and nobody notices.
TEST(AlignedFaulty, IsSilentUnderPlainAddressSanitizerInsideOneArena) {
  EXPECT_GT(WatchFaulty({.rows = 64, .columns = 20}).vector.before, 0);
  Problem problem({.rows = 64, .columns = 20});
  EXPECT_TRUE(InvokeFaulty(problem.context()).ok());
}
#endif

TEST(KernelSets, AreFoundByNameAndServeWhatTheySay) {
  EXPECT_EQ(FindKernelSet("no-such-set"), nullptr);
  const testing::TestOperator int8 = FullyConnected(4, 4, 1);
  testing::TestOperator floats = int8;
  for (auto* tensors : {&floats.inputs, &floats.outputs}) {
    for (testing::TestTensor& tensor : *tensors) {
      const bool constant = tensor.constant;
      tensor = testing::Tensor(TensorType::kFloat32, tensor.shape);
      tensor.constant = constant;
    }
  }
  for (const KernelSet* set : AllKernelSets()) {
    EXPECT_EQ(FindKernelSet(set->name), set);
    EXPECT_STREQ(testing::KernelHarness(*set, int8).kernel()->name, set->name);
    EXPECT_STREQ(testing::KernelHarness(*set, floats).kernel()->name, "reference");
  }
}

}  // namespace
}  // namespace arenaproof::aligned

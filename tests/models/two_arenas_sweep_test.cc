// Every size of either of two arenas, and of an arena whose graph inputs lie outside: too small fails with a status
// that asks for more, and from the first size that is enough every larger one is. AddressSanitizer, where it is built
// in, watches the bytes around.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <iostream>
#include <memory>

#include "core/arena/tensor_arena.h"
#include "core/model/offline_plan.h"
#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tests/models/model_files_support.h"
#include "tools/memory/larger_arena.h"
#include "tools/memory/memory_need.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostNeedBytes = 5000;
constexpr std::size_t kBeyondBytes = 64;

// A heap block of exactly so many bytes on a multiple of 16.
class Block {
 public:
  explicit Block(std::size_t bytes) : bytes_(bytes), start_(new(std::align_val_t{16}) std::byte[bytes + 1]) {}
  ~Block() { ::operator delete[](start_, std::align_val_t{16}); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  std::byte* start() const { return start_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  std::byte* start_;
};

bool Runs(Interpreter& interpreter) {
  InputGenerator generator(1);
  for (const Operand& input : interpreter.inputs()) generator.Fill(input.type, {input.data, input.bytes});
  return interpreter.Invoke().ok();
}

// `attempt(bytes, &works)`: the status of a set-up with so many bytes, and whether an invoke works then.
void SweepOneOfTwoArenas(std::size_t largest_bytes, const std::function<Status(std::size_t, bool*)>& attempt) {
  std::size_t enough_bytes = 0;
  for (std::size_t bytes = 0; bytes <= largest_bytes; ++bytes) {
    bool works = false;
    const Status status = attempt(bytes, &works);
    if (status.ok()) {
      if (enough_bytes == 0) enough_bytes = bytes;
      ASSERT_TRUE(works) << bytes << " bytes";
    } else {
      ASSERT_TRUE(AsksForALargerArena(status)) << bytes << " bytes: status " << static_cast<int>(status.code);
      ASSERT_EQ(enough_bytes, 0u) << bytes << " bytes fail, " << enough_bytes << " were enough";
    }
  }
  ASSERT_NE(enough_bytes, 0u);
}

class SmallModels : public ::testing::Test {
 protected:
  void ForEach(const std::function<void(const ValidatedModel&, std::size_t need_bytes)>& check) {
    std::size_t count = 0;
    for (const auto& path : RunnableModels()) {
      SCOPED_TRACE(path.filename().string());
      ModelFile file;
      ASSERT_EQ(file.Load(path, nullptr), "");
      const std::size_t need_bytes = MeasureMemory(file.model(), kernels_).need_bytes;
      if (need_bytes > kMostNeedBytes) continue;
      ++count;
      check(file.model(), need_bytes);
      if (HasFatalFailure()) return;
    }
    EXPECT_GE(count, 3u);
  }

  const KernelSet& kernels_ = *FindKernelSet("reference");
};

TEST_F(SmallModels, FailCleanlyOrWorkWithEverySizeOfThePersistentArena) {
  ForEach([&](const ValidatedModel& model, std::size_t need_bytes) {
    const Block non_persistent(need_bytes + 4096);
    SweepOneOfTwoArenas(need_bytes + kBeyondBytes, [&](std::size_t bytes, bool* works) {
      const Block persistent(bytes);
      Interpreter interpreter(model, kernels_,
                              ArenaBuffers{persistent.start(), bytes, non_persistent.start(), non_persistent.bytes()},
                              ForModel(model));
      const Status status = interpreter.AllocateTensors();
      *works = status.ok() && Runs(interpreter);
      return status;
    });
  });
}

TEST_F(SmallModels, FailCleanlyOrWorkWithEverySizeOfTheNonPersistentArena) {
  ForEach([&](const ValidatedModel& model, std::size_t need_bytes) {
    const Block persistent(need_bytes + 4096);
    SweepOneOfTwoArenas(need_bytes + kBeyondBytes, [&](std::size_t bytes, bool* works) {
      const Block non_persistent(bytes);
      Interpreter interpreter(model, kernels_,
                              ArenaBuffers{persistent.start(), persistent.bytes(), non_persistent.start(), bytes},
                              ForModel(model));
      const Status status = interpreter.AllocateTensors();
      *works = status.ok() && Runs(interpreter);
      return status;
    });
  });
}

// What the model's own plan says of a tensor of the main graph, read word by word; kPlannedAtRunTime without a plan.
std::int32_t PlannedOffset(const ModelView& model, std::int32_t tensor) {
  OfflinePlanEntry plan;
  EXPECT_EQ(LocateOfflinePlan(model, &plan), Ok());
  if (!plan.present) return kPlannedAtRunTime;
  std::int32_t offset = 0;
  std::memcpy(&offset, plan.bytes.data() + OfflinePlanBytes(static_cast<std::size_t>(tensor)), sizeof offset);
  return offset;
}

// A model whose plan has a place for its first input keeps it inside; which models those are is the files' to say.
TEST_F(SmallModels, FailCleanlyOrWorkWithEverySizeOfAnArenaThatTheirFirstInputIsOutside) {
  std::size_t outside_count = 0;
  std::size_t fixed_count = 0;
  ForEach([&](const ValidatedModel& model, std::size_t need_bytes) {
    const Block outside(kMostNeedBytes);
    const std::int32_t input = model.inputs(0)[0];
    const auto serve = [&](Interpreter& interpreter) {
      return interpreter.RegisterPreallocatedTensor(0, input, outside.start(), outside.bytes());
    };
    if (PlannedOffset(model, input) != kPlannedAtRunTime) {
      ++fixed_count;
      const Block arena(need_bytes);
      Interpreter interpreter(model, kernels_, arena.start(), need_bytes, ForModel(model));
      ASSERT_EQ(serve(interpreter).code, StatusCode::kPreallocatedOfflinePlanned);
      ASSERT_EQ(interpreter.AllocateTensors(), Ok()) << "nothing is registered";
      ASSERT_TRUE(Runs(interpreter));
      return;
    }
    ++outside_count;
    SweepOneOfTwoArenas(need_bytes + kBeyondBytes, [&](std::size_t bytes, bool* works) {
      const Block arena(bytes);
      Interpreter interpreter(model, kernels_, arena.start(), bytes, ForModel(model));
      EXPECT_EQ(serve(interpreter), Ok());
      const Status status = interpreter.AllocateTensors();
      *works = status.ok() && interpreter.inputs()[0].data == outside.start() && Runs(interpreter);
      return status;
    });
  });
  std::cout << outside_count << " models with their first input outside, " << fixed_count
            << " whose own plan has a place for it\n";
  EXPECT_GE(outside_count, 1u);
  EXPECT_GE(fixed_count, 1u) << "a seed model brings such a plan";
}

}  // namespace
}  // namespace arenaproof::testing

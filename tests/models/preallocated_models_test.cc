// Every tensor of every model that runs, served in turn from a buffer of the application: the same answers, and a head
// that shrinks only when the tensor took part in the busiest step.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "core/model/offline_plan.h"
#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tests/models/model_files_support.h"
#include "tests/support/shared_files.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_need.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"
#include "tools/model/plan_recorder.h"

namespace arenaproof::testing {
namespace {

constexpr std::int32_t kNobody = -1;
// Larger models are invoked with their graph inputs and outputs outside only.
constexpr std::size_t kMostInvokedBytes = 20000;

std::size_t RoundedUp(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

// The largest sum of bytes that are alive in one step: no plan is smaller.
std::size_t BusiestStep(const std::vector<PlanEntry>& plan, std::int32_t without = kNobody) {
  std::size_t busiest_bytes = 0;
  for (const PlanEntry& at : plan) {
    std::size_t bytes = 0;
    for (const PlanEntry& buffer : plan) {
      if (buffer.subgraph == 0 && buffer.tensor == without && without != kNobody) continue;
      if (buffer.first <= at.first && at.first <= buffer.last) bytes += RoundedUp(buffer.bytes);
    }
    busiest_bytes = std::max(busiest_bytes, bytes);
  }
  return busiest_bytes;
}

struct Outcome {
  std::size_t head_bytes = 0;
  std::vector<PlanEntry> plan;
  std::vector<std::byte> outputs;
};

class Served {
 public:
  explicit Served(const std::filesystem::path& path) {
    EXPECT_EQ(file_.Load(path, nullptr), "");
    arena_bytes_ = 2 * MeasureMemory(file_.model(), *FindKernelSet("reference")).need_bytes;
    EXPECT_TRUE(arena_.Grow(arena_bytes_));
  }

  // `outside`: the tensor to be preallocated.
  Outcome SetUp(std::int32_t outside, bool invoke) {
    PlanRecorder recorder;
    const auto interpreter =
        std::make_unique<Interpreter>(file_.model(), *FindKernelSet("reference"), arena_.start(), arena_bytes_,
                                      ForModel(file_.view(), {.observer = &recorder}));
    if (outside != kNobody) {
      EXPECT_TRUE(buffer_.Grow(kBufferBytes));
      EXPECT_TRUE(interpreter->RegisterPreallocatedTensor(0, outside, buffer_.start(), kBufferBytes).ok());
    }
    EXPECT_TRUE(interpreter->AllocateTensors().ok());
    Outcome outcome{interpreter->head_bytes(), recorder.plan(), {}};
    if (!invoke) return outcome;
    InputGenerator generator(1);
    for (const Operand& input : interpreter->inputs()) generator.Fill(input.type, {input.data, input.bytes});
    EXPECT_TRUE(interpreter->Invoke().ok());
    for (const Operand& output : interpreter->outputs()) {
      outcome.outputs.insert(outcome.outputs.end(), output.data, output.data + output.bytes);
    }
    return outcome;
  }

  const ModelView& view() const { return file_.view(); }
  std::size_t arena_bytes() const { return arena_bytes_; }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

  ModelFile file_;
  ArenaMemory arena_;
  ArenaMemory buffer_;
  std::size_t arena_bytes_ = 0;
};

TEST(PreallocatedModels, AnswerTheSameWhicheverTensorIsOutside) {
  for (const auto& path : RunnableModels()) {
    SCOPED_TRACE(path.filename().string());
    Served served(path);
    const bool small = served.arena_bytes() < 2 * kMostInvokedBytes;
    const Outcome inside = served.SetUp(kNobody, true);
    for (const PlanEntry& buffer : inside.plan) {
      if (buffer.tensor < 0 || buffer.subgraph != 0) continue;
      std::int32_t offline = -1;
      if (!OfflineOffsetOf(served.view(), 0, static_cast<std::size_t>(buffer.tensor), &offline).ok() || offline >= 0) {
        continue;
      }
      SCOPED_TRACE("tensor " + std::to_string(buffer.tensor));
      const auto inputs = served.view().inputs(0);
      const auto outputs = served.view().outputs(0);
      const bool edge = std::find(inputs.begin(), inputs.end(), buffer.tensor) != inputs.end() ||
                        std::find(outputs.begin(), outputs.end(), buffer.tensor) != outputs.end();
      const Outcome outside = served.SetUp(buffer.tensor, small || edge);
      if (small || edge) ASSERT_EQ(outside.outputs, inside.outputs);
      ASSERT_EQ(outside.plan.size() + 1, inside.plan.size());
      ASSERT_TRUE(std::none_of(outside.plan.begin(), outside.plan.end(), [&](const PlanEntry& other) {
        return other.subgraph == 0 && other.tensor == buffer.tensor;
      }));
      // L18: the lower bound cannot grow. (The greedy result usually shrinks too, but need not.)
      ASSERT_EQ(BusiestStep(outside.plan), BusiestStep(inside.plan, buffer.tensor));
      ASSERT_LE(BusiestStep(outside.plan), BusiestStep(inside.plan));
      ASSERT_GE(outside.head_bytes, BusiestStep(outside.plan));
    }
  }
}

// The RFC's case: the arena of a person detection model shrinks only when one of the two tensors of its busiest step
// leaves. Moving the image, the one that a sensor would like to write, saves a copy and no byte.
void ExpectOnlyTheBusiestStepToCount(const std::filesystem::path& path) {
  Served served(path);
  const Outcome inside = served.SetUp(kNobody, false);
  ASSERT_EQ(inside.head_bytes, BusiestStep(inside.plan)) << "the plan is as small as any";
  std::vector<std::int32_t> shrinking;
  for (const PlanEntry& buffer : inside.plan) {
    if (buffer.tensor < 0) continue;
    const Outcome outside = served.SetUp(buffer.tensor, false);
    const bool counts = BusiestStep(inside.plan, buffer.tensor) < BusiestStep(inside.plan);
    EXPECT_EQ(outside.head_bytes < inside.head_bytes, counts) << "tensor " << buffer.tensor;
    if (!counts) continue;
    shrinking.push_back(buffer.tensor);
    std::cout << "without tensor " << buffer.tensor << " (" << buffer.bytes << " bytes): head " << inside.head_bytes
              << " -> " << outside.head_bytes << "\n";
  }
  const std::int32_t image = served.view().inputs(0)[0];
  const Outcome without_image = served.SetUp(image, false);
  EXPECT_EQ(without_image.head_bytes, inside.head_bytes);
  std::cout << "without the image (tensor " << image << "): head stays " << without_image.head_bytes << "\n";
  EXPECT_EQ(shrinking.size(), 2u) << "the two of the busiest step";
}

TEST(PreallocatedModels, OfPersonDetectionOnlyTheBusiestStepsTensorsMakeTheArenaSmaller) {
  const auto path = SharedFile("models/person_detect.tflite");
  if (!path) GTEST_SKIP() << SharedAbsent("models/person_detect.tflite");
  ExpectOnlyTheBusiestStepToCount(*path);
}

TEST(PreallocatedModels, OfTheRepositorysPersonDetectionToo) {
  ExpectOnlyTheBusiestStepToCount(SourceFolder() / "corpus" / "models" / "person_detection_int8.tflite");
}

}  // namespace
}  // namespace arenaproof::testing

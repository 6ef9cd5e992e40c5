// Saving and moving an arena while a model is set up.
#include "core/runtime/storage/arena_image.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tests/memory/memory_models_support.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_need.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"

namespace arenaproof::testing {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kMoreThanNeeded = 300;  // so that there are unused bytes between head and tail

// A model set up in one arena or in two, with bytes to spare.
class LiveModel {
 public:
  explicit LiveModel(const ValidatedModel& model, bool two_arenas = false) {
    const KernelSet& kernels = *FindKernelSet("reference");
    const MemoryNeed need = MeasureMemory(model, kernels, {Layout::kFaithful, two_arenas, kOwnWordSize});
    bytes_ = need.need_bytes + kMoreThanNeeded;
    persistent_bytes_ = two_arenas ? need.persistent_need_bytes + kMoreThanNeeded : 0;
    EXPECT_TRUE(memory_.Grow(bytes_) && persistent_memory_.Grow(persistent_bytes_));
    std::memset(memory_.start(), 0x3C, bytes_);
    const InterpreterOptions options = ForModel(model);
    interpreter = two_arenas ? std::make_unique<Interpreter>(model, kernels, Buffers(), options)
                             : std::make_unique<Interpreter>(model, kernels, memory_.start(), bytes_, options);
    EXPECT_TRUE(interpreter->AllocateTensors().ok());
  }

  // Outputs of an invoke with generated inputs.
  Bytes Run(std::uint32_t seed) {
    InputGenerator generator(seed);
    for (const Operand& input : interpreter->inputs())
      EXPECT_TRUE(generator.Fill(input.type, {input.data, input.bytes}));
    EXPECT_TRUE(interpreter->Invoke().ok());
    Bytes outputs;
    for (const Operand& output : interpreter->outputs()) {
      outputs.insert(outputs.end(), output.data, output.data + output.bytes);
    }
    return outputs;
  }
  Bytes Save() {
    Bytes image(interpreter->image_bytes());
    std::size_t image_bytes = 0;
    EXPECT_EQ(interpreter->SaveImage(image, &image_bytes), Ok());
    EXPECT_EQ(image_bytes, image.size());
    return image;
  }
  Status Restore(const Bytes& image) {
    return persistent_bytes_ == 0 ? RestoreArena(image, memory_.start(), bytes_) : RestoreArena(image, Buffers());
  }
  void Lose() {
    std::memset(memory_.start(), 0xDB, bytes_);
    if (persistent_bytes_ > 0) std::memset(persistent_memory_.start(), 0xDB, persistent_bytes_);
  }
  std::byte* start() const { return memory_.start(); }
  std::size_t bytes() const { return bytes_; }

  std::unique_ptr<Interpreter> interpreter;

 private:
  ArenaBuffers Buffers() const { return {persistent_memory_.start(), persistent_bytes_, memory_.start(), bytes_}; }

  std::size_t bytes_ = 0, persistent_bytes_ = 0;
  ArenaMemory memory_, persistent_memory_;
};

TEST(ArenaImage, RestoredAtItsAddressGivesTheOutputsThatWouldHaveComeAnyway) {
  for (const bool two_arenas : {false, true}) {
    ForEachRunnableModel([&](const ValidatedModel& model) {
      LiveModel undisturbed(model, two_arenas), saved(model, two_arenas);
      EXPECT_EQ(undisturbed.Run(1), saved.Run(1));
      const Bytes image = saved.Save();  // with whatever state the first run left in variables
      ArenaSeal seal;
      ASSERT_EQ(saved.interpreter->Suspend(&seal), Ok());
      saved.Lose();
      ASSERT_EQ(saved.Restore(image), Ok());
      ASSERT_EQ(saved.interpreter->Resume(seal), Ok());
      EXPECT_EQ(undisturbed.Run(2), saved.Run(2));
      EXPECT_EQ(undisturbed.Run(3), saved.Run(3));
    });
  }
}

TEST(ArenaImage, UsedBytesCopiedFromTheStartAreFoundOutAndNeverRun) {
  ForEachRunnableModel([](const ValidatedModel& model) {
    LiveModel undisturbed(model), set_up(model);
    EXPECT_EQ(undisturbed.Run(1), set_up.Run(1));
    const std::size_t used_bytes = set_up.interpreter->arena_used_bytes();
    ASSERT_LT(used_bytes, set_up.bytes());
    ArenaSeal seal;
    ASSERT_EQ(set_up.interpreter->Suspend(&seal), Ok());
    // What people did: as many bytes as are used, from the start.
    const Bytes prefix(set_up.start(), set_up.start() + used_bytes);
    const Bytes whole(set_up.start(), set_up.start() + set_up.bytes());
    set_up.Lose();
    std::memcpy(set_up.start(), prefix.data(), prefix.size());
    EXPECT_EQ(set_up.interpreter->Resume(seal).code, StatusCode::kArenaImageDamaged);
    EXPECT_EQ(set_up.interpreter->Invoke().code, StatusCode::kRuntimeState);
    EXPECT_EQ(set_up.interpreter->AllocateTensors().code, StatusCode::kRuntimeState);
    EXPECT_EQ(set_up.interpreter->Reset().code, StatusCode::kRuntimeState);
    // The whole array at the same address is all that is needed.
    std::memcpy(set_up.start(), whole.data(), whole.size());
    ASSERT_EQ(set_up.interpreter->Resume(seal), Ok());
    EXPECT_EQ(set_up.Run(2), undisturbed.Run(2));
  });
}

class OneImage : public ::testing::Test {
 protected:
  // The first model is enough for what is about images.
  void WithImage(const std::function<void(LiveModel& set_up, Bytes image)>& check) {
    bool done = false;
    ForEachRunnableModel([&](const ValidatedModel& model) {
      if (std::exchange(done, true)) return;
      LiveModel set_up(model);
      check(set_up, set_up.Save());
    });
    EXPECT_TRUE(done);
  }
};

TEST_F(OneImage, GoesBackToNoOtherAddressAndIntoNoOtherSize) {
  WithImage([](LiveModel& set_up, const Bytes& image) {
    ArenaMemory other;
    ASSERT_TRUE(other.Grow(set_up.bytes()));
    std::memset(other.start(), 0x77, set_up.bytes());
    EXPECT_EQ(RestoreArena(image, other.start(), set_up.bytes()).code, StatusCode::kArenaImageRelocated);
    for (std::size_t i = 0; i < set_up.bytes(); ++i) ASSERT_EQ(other.start()[i], std::byte{0x77});
    EXPECT_EQ(RestoreArena(image, set_up.start() + 16, set_up.bytes() - 16).code, StatusCode::kArenaImageRelocated);
    EXPECT_EQ(RestoreArena(image, set_up.start(), set_up.bytes() - 16).code, StatusCode::kArenaImageRelocated);
    EXPECT_EQ(RestoreArena(image, set_up.start(), set_up.bytes() + 16).code, StatusCode::kArenaImageRelocated);
  });
}

TEST_F(OneImage, WithAnyByteChangedIsRefusedAndTheArenaStaysAsItIs) {
  WithImage([](LiveModel& set_up, Bytes image) {
    const Bytes arena(set_up.start(), set_up.start() + set_up.bytes());
    for (std::size_t i = 0; i < image.size(); i += i < 128 ? 1 : 37) {
      image[i] ^= std::byte{0x10};
      EXPECT_FALSE(set_up.Restore(image).ok()) << "byte " << i;
      image[i] ^= std::byte{0x10};
    }
    EXPECT_EQ(std::memcmp(arena.data(), set_up.start(), arena.size()), 0);
    EXPECT_EQ(set_up.Restore(image), Ok());
    EXPECT_EQ(std::memcmp(arena.data(), set_up.start(), arena.size()), 0);
  });
}

TEST_F(OneImage, CutShortOrLongerIsNotAnImage) {
  WithImage([](LiveModel& set_up, Bytes image) {
    for (const std::size_t bytes : {std::size_t{0}, sizeof(ArenaSeal) - 1, sizeof(ArenaSeal), image.size() - 1}) {
      EXPECT_EQ(set_up.Restore(Bytes(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(bytes))).code,
                StatusCode::kArenaImageMalformed);
    }
    image.push_back({});
    EXPECT_EQ(set_up.Restore(image).code, StatusCode::kArenaImageMalformed);
  });
}

TEST_F(OneImage, NeedsRoomAndAnAllocatedModel) {
  WithImage([](LiveModel& set_up, Bytes image) {
    std::size_t image_bytes = 7;
    EXPECT_EQ(set_up.interpreter->SaveImage(std::span(image).first(image.size() - 1), &image_bytes).code,
              StatusCode::kArenaImageRoom);
    EXPECT_EQ(image_bytes, 7u);
    ArenaSeal seal;
    EXPECT_EQ(set_up.interpreter->Resume(seal).code, StatusCode::kRuntimeState);
    ASSERT_EQ(set_up.interpreter->Suspend(&seal), Ok());
    EXPECT_EQ(set_up.interpreter->Suspend(&seal).code, StatusCode::kRuntimeState);
    EXPECT_EQ(set_up.interpreter->Resume(ArenaSeal()).code, StatusCode::kArenaImageMalformed);
    EXPECT_EQ(set_up.interpreter->Resume(seal), Ok());
  });
}

TEST(ArenaImageOfAnArena, IsRefusedWhileTemporariesAreOutstanding) {
  alignas(16) std::byte memory[512];
  TensorArena arena;
  ASSERT_TRUE(TensorArena::CreateSingle(memory, sizeof memory, nullptr, &arena).ok());
  std::byte* block = nullptr;
  ASSERT_TRUE(arena.AllocateTemporary(16, 16, &block).ok());
  ArenaSeal seal;
  EXPECT_EQ(SealArena(arena, &seal).code, StatusCode::kArenaImageBusy);
  ASSERT_TRUE(arena.DeallocateTemporary(block).ok());
  ASSERT_TRUE(arena.ResetTemporaries().ok());
  EXPECT_EQ(SealArena(arena, &seal), Ok());
}

}  // namespace
}  // namespace arenaproof::testing

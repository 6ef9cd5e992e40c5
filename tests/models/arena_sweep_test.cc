// Every arena size of every model that runs: too small fails with a status that asks for more, and from the first size
// that is enough every larger one is. Not a byte outside the arena is touched: AddressSanitizer watches it in builds
// that have it, filled bytes on both sides in the others.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/oracles/memory/arena_need_by_bisection.h"
#include "kernels/kernel_sets.h"
#include "tests/models/model_files_support.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/larger_arena.h"
#include "tools/memory/memory_need.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"
#include "tools/text/sha256.h"

#if defined(ARENAPROOF_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace arenaproof::testing {
namespace {

constexpr std::size_t kBeyondNeedBytes = 64;
constexpr std::size_t kGuardBytes = 128;

// Set-ups cost some ten times more under AddressSanitizer: large models step there between their borders.
#if defined(ARENAPROOF_ASAN)
constexpr std::size_t kStepBytes = 61;
#else
constexpr std::size_t kStepBytes = 1;
#endif
constexpr std::size_t kBorderBytes = 2048;

// Memory of which a part is the arena and the rest is closed.
class ClosedAround {
 public:
  ClosedAround(std::size_t largest_bytes, std::size_t misalignment)
      : start_offset_(kGuardBytes + misalignment), whole_bytes_(start_offset_ + largest_bytes + kGuardBytes) {
    if (memory_.Grow(whole_bytes_)) std::memset(memory_.start(), kFilling, whole_bytes_);
  }
  ~ClosedAround() { Open(); }

  std::byte* arena() const { return memory_.start() + start_offset_; }
  bool allocated() const { return memory_.start() != nullptr; }

  void CloseAround(std::size_t arena_bytes) {
    Open();
    end_offset_ = start_offset_ + arena_bytes;
#if defined(ARENAPROOF_ASAN)
    ASAN_POISON_MEMORY_REGION(memory_.start(), start_offset_);
    ASAN_POISON_MEMORY_REGION(memory_.start() + end_offset_, whole_bytes_ - end_offset_);
#else
    std::memset(arena() + arena_bytes, kFilling, kGuardBytes);
#endif
  }
  // Always true under AddressSanitizer, which reports by itself.
  bool Untouched() const {
#if !defined(ARENAPROOF_ASAN)
    for (std::size_t i = 0; i < start_offset_; ++i) {
      if (memory_.start()[i] != std::byte{kFilling}) return false;
    }
    for (std::size_t i = end_offset_; i < end_offset_ + kGuardBytes; ++i) {
      if (memory_.start()[i] != std::byte{kFilling}) return false;
    }
#endif
    return true;
  }

 private:
  static constexpr unsigned char kFilling = 0xA5;

  void Open() {
#if defined(ARENAPROOF_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(memory_.start(), whole_bytes_);
#endif
  }

  ArenaMemory memory_;
  std::size_t start_offset_, whole_bytes_, end_offset_ = 0;
};

std::string HashOfOutputs(Interpreter& interpreter) {
  InputGenerator generator(1);
  for (const Operand& input : interpreter.inputs()) {
    if (!generator.Fill(input.type, {input.data, input.bytes})) return "no values for an input";
  }
  if (!interpreter.Invoke().ok()) return "invoke failed";
  std::string hashes;
  for (const Operand& output : interpreter.outputs()) hashes += Sha256Hex({output.data, output.bytes});
  return hashes;
}

std::size_t NextSize(std::size_t bytes, std::size_t need_bytes) {
  const bool near_a_border = bytes < kBorderBytes || bytes + kStepBytes + kBorderBytes / 2 > need_bytes;
  return bytes + (near_a_border ? 1 : kStepBytes);
}

// Sizes from 0 to need + 64 for an arena at `misalignment` behind a multiple of 64.
void SweepOneArena(const ValidatedModel& model, std::size_t misalignment) {
  const KernelSet& kernels = *FindKernelSet("reference");
  const MemoryNeed need = MeasureMemory(model, kernels);
  ASSERT_TRUE(need.status.ok());
  EXPECT_EQ(need.need_bytes, FindArenaNeed(model, kernels).bytes);
  // The head starts on the next multiple of 16; how much later it can end depends on the tail's own alignment.
  const std::size_t largest_bytes = need.need_bytes + kBeyondNeedBytes + misalignment;
  ClosedAround memory(largest_bytes, misalignment);
  ASSERT_TRUE(memory.allocated());
  std::size_t enough_bytes = 0;
  std::string outputs;
  for (std::size_t bytes = 0; bytes <= largest_bytes; bytes = NextSize(bytes, need.need_bytes)) {
    memory.CloseAround(bytes);
    const auto interpreter = std::make_unique<Interpreter>(model, kernels, memory.arena(), bytes, ForModel(model));
    const Status status = interpreter->AllocateTensors();
    if (!status.ok()) {
      ASSERT_TRUE(AsksForALargerArena(status)) << bytes << " bytes: status " << static_cast<int>(status.code);
      ASSERT_EQ(enough_bytes, 0u) << bytes << " bytes fail, " << enough_bytes << " were enough";
      ASSERT_FALSE(interpreter->Invoke().ok());
    } else {
      if (enough_bytes == 0) enough_bytes = bytes;
      if (bytes == enough_bytes || bytes == enough_bytes + 1 || bytes == largest_bytes) {
        const std::string hashes = HashOfOutputs(*interpreter);
        if (outputs.empty()) outputs = hashes;
        ASSERT_EQ(hashes, outputs) << bytes << " bytes";
      }
    }
    ASSERT_TRUE(memory.Untouched()) << bytes << " bytes";
  }
  ASSERT_NE(enough_bytes, 0u);
  if (misalignment == 0) {
    EXPECT_EQ(enough_bytes, need.need_bytes);
  }
}

void SweepAll(std::size_t misalignment, std::size_t largest_need_bytes) {
  std::size_t swept_count = 0;
  for (const auto& path : RunnableModels()) {
    SCOPED_TRACE(path.filename().string());
    ModelFile file;
    ASSERT_EQ(file.Load(path, nullptr), "");
    if (MeasureMemory(file.model(), *FindKernelSet("reference")).need_bytes > largest_need_bytes) continue;
    ++swept_count;
    SweepOneArena(file.model(), misalignment);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(swept_count, 3u);
}

TEST(ArenaSweep, EverySizeOfEveryModelFailsCleanlyOrWorks) { SweepAll(0, SIZE_MAX); }
TEST(ArenaSweep, SoDoesEverySizeOfAnArenaThatStartsOnAnOddAddress) { SweepAll(7, 20000); }

}  // namespace
}  // namespace arenaproof::testing

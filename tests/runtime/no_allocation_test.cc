// Invoke allocates nothing: neither from the heap nor from the arena.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/cases/validated.h"
#include "kernels/kernel_sets.h"
#include "test_arena_support.h"
#include "tests/support/shared_files.h"
#include "tools/model/model_options.h"

#if defined(ARENAPROOF_ASAN)
#include <sanitizer/allocator_interface.h>
#else
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* __libc_calloc(std::size_t, std::size_t);
extern "C" void* __libc_realloc(void*, std::size_t);
#endif

namespace {
// While set every allocation of this process is counted.
bool counting = false;
// While set an allocation ends the process.
bool refusing = false;
int allocation_count = 0;

void SeeAllocation() {
  if (refusing) std::abort();
  allocation_count += counting ? 1 : 0;
}
}  // namespace

#if defined(ARENAPROOF_ASAN)
static void OnMalloc(const volatile void*, std::size_t) { SeeAllocation(); }
static void OnFree(const volatile void*) {}
#else
// Replaces the C library's; operator new comes here too.
extern "C" void* malloc(std::size_t bytes) {
  SeeAllocation();
  return __libc_malloc(bytes);
}
extern "C" void* calloc(std::size_t count, std::size_t bytes) {
  SeeAllocation();
  return __libc_calloc(count, bytes);
}
extern "C" void* realloc(void* block, std::size_t bytes) {
  SeeAllocation();
  return __libc_realloc(block, bytes);
}
#endif

namespace arenaproof::testing {
namespace {

void InstallCounter() {
#if defined(ARENAPROOF_ASAN)
  static const bool installed = __sanitizer_install_malloc_and_free_hooks(OnMalloc, OnFree) != 0;
  ASSERT_TRUE(installed);
#endif
}

Status Negate(const InvokeContext& context) {
  for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
    context.outputs[0].data[i] = ~context.inputs[0].data[i] ^ context.scratch[0][0];
  }
  return Ok();
}
Status AskForScratch(PrepareContext& context) {
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(16, &block));
  return context.services->RequestScratch(1);
}

TEST(NoAllocation, TheCounterCounts) {
  InstallCounter();
  allocation_count = 0;
  counting = true;
  void* volatile block = std::malloc(24);
  int* volatile number = new int(3);
  counting = false;
  EXPECT_GE(allocation_count, 2);
  delete number;
  std::free(block);
}

TEST(NoAllocation, NothingIsTakenFromHeapOrArenaWhileTheModelIsSetUpOrRuns) {
  InstallCounter();
  static constexpr Kernel kKernels[] = {{BuiltinOperator::kAbs, "plain", nullptr, nullptr, AskForScratch, Negate}};
  const KernelSet kernels{"plain", kKernels, nullptr};
  const SmallModel model(Chain(5, 100));
  const TestArena arena(8192);
  const auto interpreter =
      std::make_unique<Interpreter>(model.view(), kernels, arena.start(), arena.bytes(), InterpreterOptions());
  allocation_count = 0;
  counting = true;
  const Status allocated = interpreter->AllocateTensors();
  counting = false;
  ASSERT_TRUE(allocated.ok());
  EXPECT_EQ(allocation_count, 0) << "core uses no heap";

  const std::size_t head_bytes = interpreter->head_bytes();
  const std::size_t tail_bytes = interpreter->tail_bytes();
  counting = true;
  bool all_ok = true;
  for (int i = 0; i < 1000; ++i) all_ok &= interpreter->Invoke().ok() && interpreter->Reset().ok();
  counting = false;
  EXPECT_TRUE(all_ok);
  EXPECT_EQ(allocation_count, 0);
  EXPECT_EQ(interpreter->head_bytes(), head_bytes);
  EXPECT_EQ(interpreter->tail_bytes(), tail_bytes);
}

// Ends the process when anything is taken from the arena or given back while `refusing` is set.
class RefusingObserver final : public ArenaObserver {
 public:
  void OnAttach(const AttachedArena&, MemoryRegion) override {}
  void OnHeadResized(MemoryRegion) override { Refuse(); }
  void OnTemporaryAllocated(MemoryRegion) override { Refuse(); }
  void OnTemporaryFreed(const std::byte*) override { Refuse(); }
  void OnTemporariesReset() override { Refuse(); }
  void OnTailAllocated(MemoryRegion) override { Refuse(); }
  void OnTailRewound(const std::byte*) override { Refuse(); }
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry>) override { Refuse(); }
  void OnOperatorBegins(const OperatorScope&) override {}
  void OnOperatorEnds() override {}
  // A call of a subgraph or a use of a variable takes nothing.
  void OnRuntimeEnters() override {}
  void OnRuntimeLeaves() override {}
  void OnDetach() override {}

 private:
  static void Refuse() {
    if (refusing) std::abort();
  }
};

TEST(NoAllocation, HeapAndArenaRefuseWhileSeedModelsRunWithEveryKernelSet) {
  InstallCounter();
  for (const auto& entry : std::filesystem::directory_iterator(SourceFolder() / "corpus" / "models")) {
    SCOPED_TRACE(entry.path().filename().string());
    const std::vector<std::byte> file = ReadFileBytes(entry.path());
    const TestArena image(file.size());  // 16-aligned
    std::ranges::copy(file, image.start());
    const ValidatedModel view = Validated({image.start(), file.size()});
    for (const KernelSet* kernels : {FindKernelSet("reference"), FindKernelSet("aligned")}) {
      ASSERT_NE(kernels, nullptr);
      const TestArena arena(std::size_t{1} << 18);
      RefusingObserver observer;
      const auto interpreter = std::make_unique<Interpreter>(view, *kernels, arena.start(), arena.bytes(),
                                                             ForModel(view, {.observer = &observer}));
      ASSERT_TRUE(interpreter->AllocateTensors().ok());
      refusing = true;
      const Status status = interpreter->Invoke();
      refusing = false;
      EXPECT_TRUE(status.ok());
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing

// A library of kernels whose custom operator "access" makes the one access that its option bytes ask for, right or not,
// and is right otherwise: its outputs are zeros.
#include <cstring>
#include <new>

#include "kernels/vendor/kernel_abi.h"
#include "tests/command/access_library/access_words.h"

namespace {

using arenaproof::testing::AccessBase;
using arenaproof::testing::AccessKind;
using arenaproof::testing::AccessWords;

// What is read goes here and what is written comes from here: memory that no instrument watches.
alignas(64) unsigned char read_bytes[arenaproof::testing::kMostAccessBytes];
alignas(64) unsigned char written_bytes[arenaproof::testing::kMostAccessBytes];

// The holder's, of the last set-up.
unsigned char* persistent_of_holder = nullptr;
unsigned char* temporary_of_holder = nullptr;

template <std::size_t kBytes>
struct Wide {
  typedef unsigned char Type __attribute__((vector_size(kBytes), aligned(1)));
};
template <>
struct Wide<1> {
  typedef unsigned char Type;
};

template <std::size_t kBytes>
[[gnu::noinline]] void Load(const unsigned char* from) {
  using Type = typename Wide<kBytes>::Type;
  *reinterpret_cast<volatile Type*>(read_bytes) = *reinterpret_cast<const volatile Type*>(from);
}
template <std::size_t kBytes>
[[gnu::noinline]] void Store(unsigned char* to) {
  using Type = typename Wide<kBytes>::Type;
  *reinterpret_cast<volatile Type*>(to) = *reinterpret_cast<const volatile Type*>(written_bytes);
}

template <std::size_t kBytes>
void LoadOrStore(unsigned char* address, bool store) {
  store ? Store<kBytes>(address) : Load<kBytes>(address);
}

void MakeAccess(const AccessWords& words, unsigned char* base) {
  unsigned char* const address = base + words.at;
  const bool store = words.kind == AccessKind::kStore;
  std::memset(written_bytes, arenaproof::testing::kStoredByte, sizeof written_bytes);
  const auto bytes = static_cast<std::size_t>(words.bytes);
  if (words.by_call != 0) {
    std::memcpy(store ? address : read_bytes, store ? written_bytes : address, bytes);
    return;
  }
  switch (bytes) {
    case 1:
      return LoadOrStore<1>(address, store);
    case 2:
      return LoadOrStore<2>(address, store);
    case 4:
      return LoadOrStore<4>(address, store);
    case 8:
      return LoadOrStore<8>(address, store);
    case 16:
      return LoadOrStore<16>(address, store);
    case 32:
      return LoadOrStore<32>(address, store);
    case 64:
      return LoadOrStore<64>(address, store);
    default:
      __builtin_trap();
  }
}

std::int32_t HoldMemory(ArenaproofSetUp& context) {
  const ArenaproofServices& services = *context.services;
  void *block = nullptr, *temporary = nullptr;
  std::size_t index = 0;
  if (services.allocate_persistent(context.host, arenaproof::testing::kHeldBytes, &block) != 0) return 1;
  if (services.request_scratch(context.host, arenaproof::testing::kHeldBytes, &index) != 0) return 1;
  if (services.allocate_temporary(context.host, arenaproof::testing::kHeldBytes, 16, &temporary) != 0) return 1;
  persistent_of_holder = static_cast<unsigned char*>(block);
  temporary_of_holder = static_cast<unsigned char*>(temporary);
  // So that whoever reads them uses nothing that nobody has written.
  std::memset(block, 0, arenaproof::testing::kHeldBytes);
  std::memset(temporary, 0, arenaproof::testing::kHeldBytes);
  return services.free_temporary(context.host, temporary);
}

unsigned char* HeldBase(AccessBase base) {
  return base == AccessBase::kPersistentOfHolder ? persistent_of_holder : temporary_of_holder;
}

// Option bytes are there until prepare ends.
std::int32_t Prepare(ArenaproofSetUp* context) {
  void* block = nullptr;
  if (context->option_bytes_count != sizeof(AccessWords)) return 2;
  if (context->services->allocate_persistent(context->host, sizeof(AccessWords), &block) != 0) return 1;
  auto& words = *new (block) AccessWords;
  std::memcpy(&words, context->option_bytes, sizeof words);
  context->op_data = block;
  if (words.holds_memory != 0) return HoldMemory(*context);
  if (words.in_prepare != 0 && words.kind != AccessKind::kNone) MakeAccess(words, HeldBase(words.base));
  return ARENAPROOF_KERNEL_OK;
}

// Of all bytes that were read last, so that none can be another without a difference.
unsigned SumOfRead(std::int32_t bytes) {
  unsigned sum = 1;
  for (std::int32_t i = 0; i < bytes; ++i) sum = sum * 31 + read_bytes[i];
  return sum;
}

std::int32_t Invoke(const ArenaproofInvoke* context) {
  const auto& words = *static_cast<const AccessWords*>(context->op_data);
  for (std::size_t i = 0; i < context->output_count; ++i) {
    std::memset(context->outputs[i].data, 0, context->outputs[i].bytes);
  }
  if (words.in_prepare != 0 || words.kind == AccessKind::kNone) return ARENAPROOF_KERNEL_OK;
  unsigned char* base = HeldBase(words.base);
  if (words.base == AccessBase::kInput) base = static_cast<unsigned char*>(context->inputs[0].data);
  if (words.base == AccessBase::kOutput) base = static_cast<unsigned char*>(context->outputs[0].data);
  MakeAccess(words, base);
  if (words.kind == AccessKind::kUsedLoad) {
    const unsigned sum = SumOfRead(words.bytes);
    std::memcpy(context->outputs[0].data, &sum, sizeof sum);
  }
  return ARENAPROOF_KERNEL_OK;
}

constexpr ArenaproofKernel kKernel = {ARENAPROOF_BUILTIN_CUSTOM,
                                      arenaproof::testing::kAccessOperator,
                                      nullptr,
                                      nullptr,
                                      Prepare,
                                      Invoke,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      0};
constexpr ArenaproofKernelLibrary kLibrary = {ARENAPROOF_KERNEL_ABI_SIZES, 1, "access", &kKernel};

}  // namespace

const ArenaproofKernelLibrary* arenaproof_kernel_library(void) { return &kLibrary; }

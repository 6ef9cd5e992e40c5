// A library of kernels that does whatever the variable ARENAPROOF_FAULT of its process says, a phase and a fault:
// "init_crash". Its RELU of floats is right otherwise; its FULLY_CONNECTED answers zeros, and writes where the fault
// says.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "kernels/vendor/kernel_abi.h"

namespace {

bool Asked(std::string_view phase, std::string_view fault) {
  const char* const word = std::getenv("ARENAPROOF_FAULT");
  const std::string_view asked = word == nullptr ? "" : word;
  return asked.starts_with(phase) && asked.substr(phase.size()) == fault;
}

volatile int nowhere = 16;
char library_name[] = "faulty";
bool awaits_free = false;
volatile bool forks_failed = false;

volatile int sum_of_row = 0;

constexpr std::uint32_t kAllowedBefore = 16;

void Misbehave(std::string_view phase) {
  if (Asked(phase, "_crash")) *reinterpret_cast<volatile int*>(static_cast<std::uintptr_t>(nowhere)) = 1;
  if (Asked(phase, "_abort")) std::abort();
  if (Asked(phase, "_terminated")) std::raise(SIGTERM);
  if (Asked(phase, "_exit")) _exit(0);
  if (Asked(phase, "_exit_3")) _exit(3);
  if (Asked(phase, "_throw")) throw 1;
  if (Asked(phase, "_trap")) __builtin_trap();
  while (Asked(phase, "_hang")) usleep(1000);
  if (Asked(phase, "_slow")) usleep(300000);
  if (Asked(phase, "_fork")) forks_failed = fork() < 0;
}

[[gnu::constructor]] void Load() { Misbehave("load"); }

std::int32_t Init(ArenaproofSetUp*) {
  Misbehave("init");
  return ARENAPROOF_KERNEL_OK;
}

std::int32_t Prepare(ArenaproofSetUp* context) {
  Misbehave("prepare");
  void* block = nullptr;
  std::size_t scratch = 0;
  if (Asked("prepare", "_endless_scratch")) {
    return context->services->request_scratch(context->host, SIZE_MAX, &scratch);
  }
  if (Asked("prepare", "_wide_temporary")) {
    const std::int32_t answer = context->services->allocate_temporary(context->host, 32, 4096, &block);
    return answer != ARENAPROOF_KERNEL_OK ? answer : context->services->free_temporary(context->host, block);
  }
  // Nobody looks whether there was memory.
  for (int i = 0; i < 8 && Asked("prepare", "_trusts_memory"); ++i) {
    context->services->allocate_persistent(context->host, 8, &block);
    *static_cast<volatile char*>(block) = 1;
  }
  if (Asked("prepare", "_fail")) return 77;
  if (Asked("prepare", "_keeps_thread")) std::thread([] { pause(); }).detach();
  if (Asked("prepare", "_keeps_and_asks")) {
    context->op_data = library_name;
    awaits_free = true;
    context->services->allocate_persistent(context->host, std::size_t{1} << 40, &block);
  }
  // What was refused fails, whatever the kernel makes of it.
  if (Asked("prepare", "_huge")) context->services->allocate_persistent(context->host, std::size_t{1} << 40, &block);
  std::size_t index = 0;
  if (Asked("invoke", "_stale_scratch"))
    return context->services->request_scratch(context->host, sizeof(float), &index);
  return ARENAPROOF_KERNEL_OK;
}

// The byte in front of what the table allows; whatever it is.
std::int32_t ByteBefore(const ArenaproofOperand& input, std::ptrdiff_t bytes) {
  return *(static_cast<const volatile unsigned char*>(input.data) - bytes);
}

// A byte that lies behind the input, whatever it is.
std::int32_t ByteBehind(const ArenaproofOperand& input) {
  return static_cast<const volatile unsigned char*>(input.data)[input.bytes];
}

// 40 bytes, one after the other.
void ReadRowBehind(const ArenaproofOperand& input) {
  const auto* const end = static_cast<const volatile unsigned char*>(input.data) + input.bytes;
  for (int i = 0; i < 40; ++i) sum_of_row = sum_of_row + end[i];
}

// A compiler that tests one place before several reads makes one report of them.
[[gnu::noinline]] void ReadAlone(const volatile unsigned char* at) { static_cast<void>(*at); }

int invoke_count = 0;

// A thread that goes on when its kernel has returned.
void TouchLater(const ArenaproofOperand& input) {
  const auto* const bytes = static_cast<const volatile unsigned char*>(input.data);
  std::thread([bytes] {
    usleep(30000);
    for (;; usleep(100)) static_cast<void>(bytes[0]);
  }).detach();
}

// Threads that read together, the last of them farthest behind the input.
void ReadByThreads(const ArenaproofOperand& input) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&input, i] {
      const auto* const end = static_cast<const volatile unsigned char*>(input.data) + input.bytes;
      for (int round = 0; round < 400; ++round) ReadAlone(end + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::int32_t Invoke(const ArenaproofInvoke* context) {
  Misbehave("invoke");
  const auto* const input = static_cast<const float*>(context->inputs[0].data);
  auto* const output = static_cast<float*>(context->outputs[0].data);
  const std::size_t count = context->inputs[0].bytes / sizeof(float);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 1 == count && Asked("invoke", "_unwritten")) break;
    output[i] = input[i] > 0 ? input[i] : 0;
  }
  if (Asked("invoke", "_uses_next")) output[1] += static_cast<float>(ByteBehind(context->inputs[0]));
  if (Asked("invoke", "_reads_next")) ByteBehind(context->inputs[0]);
  if (Asked("invoke", "_thread_reads_next")) std::thread([&] { ByteBehind(context->inputs[0]); }).join();
  if (Asked("invoke", "_threads_read")) ReadByThreads(context->inputs[0]);
  if (Asked("invoke", "_jumps_into_input")) reinterpret_cast<void (*)()>(context->inputs[0].data)();
  if (Asked("invoke", "_reads_row_behind")) ReadRowBehind(context->inputs[0]);
  if (Asked("invoke", "_reads_allowed")) ByteBefore(context->inputs[0], kAllowedBefore);
  if (Asked("invoke", "_reads_beyond_allowed")) ByteBefore(context->inputs[0], kAllowedBefore + 1);
  if (Asked("invoke", "_writes_allowed")) {
    auto* const allowed = static_cast<volatile unsigned char*>(context->inputs[0].data) - kAllowedBefore;
    *allowed = static_cast<unsigned char>(*allowed ^ 0xffU);
  }
  if (Asked("invoke", "_uses_allowed")) {
    output[1] += static_cast<float>(ByteBefore(context->inputs[0], kAllowedBefore));
  }
  if (Asked("invoke", "_stale_scratch")) output[2] = *static_cast<const float*>(context->scratch[0]);
  if (Asked("invoke", "_fails_by_chance") && ByteBehind(context->inputs[0]) < 0x80) return 79;
  if (Asked("invoke", "_overwrite")) reinterpret_cast<volatile char*>(output)[context->outputs[0].bytes + 2] = 1;
  if (Asked("invoke", "_overwrite_and_fail")) {
    reinterpret_cast<volatile char*>(output)[context->outputs[0].bytes + 2] = 1;
    return 78;
  }
  if (Asked("invoke", "_overwrite_and_crash")) {
    reinterpret_cast<volatile char*>(output)[context->outputs[0].bytes + 40] = 1;
    *reinterpret_cast<volatile int*>(static_cast<std::uintptr_t>(nowhere)) = 1;
  }
  if (Asked("invoke", "_late_thread")) TouchLater(context->inputs[0]);
  // Of the chain's two, the second one.
  const bool second = ++invoke_count % 2 == 0;
  if (second && Asked("invoke", "_is_cancelled")) return ARENAPROOF_KERNEL_CANCELLED;
  if (second && Asked("invoke", "_ends_all")) return ARENAPROOF_KERNEL_ABORTED;
  return Asked("invoke", "_fail") ? 78 : ARENAPROOF_KERNEL_OK;
}

void Reset(void*) { Misbehave("reset"); }

// What an operator has set it is handed, also where its prepare was refused.
void Free(void* op_data) {
  if (awaits_free && op_data != library_name) std::abort();
  awaits_free = false;
  Misbehave("free");
}

std::int32_t Serves(const ArenaproofOperand*, std::size_t, const ArenaproofOperand*, std::size_t) {
  Misbehave("serves");
  return 1;
}

// Of the weights of the operator that was prepared last.
float* kept_scales = nullptr;

void Spoil(void* bytes) { *static_cast<volatile unsigned char*>(bytes) = 0x5a; }

std::int32_t PrepareZeros(ArenaproofSetUp* context) {
  const ArenaproofQuantization& quantization = context->inputs[1].quantization;
  kept_scales = const_cast<float*>(quantization.scales);
  if (Asked("prepare", "_writes_scales")) Spoil(kept_scales);
  if (Asked("prepare", "_writes_zero_points")) Spoil(const_cast<unsigned char*>(quantization.zero_point_bytes));
  return ARENAPROOF_KERNEL_OK;
}

std::int32_t InvokeZeros(const ArenaproofInvoke* context) {
  std::memset(context->outputs[0].data, 0, context->outputs[0].bytes);
  if (Asked("invoke", "_writes_input")) Spoil(context->inputs[0].data);
  if (Asked("invoke", "_writes_weights")) Spoil(context->inputs[1].data);
  if (Asked("invoke", "_writes_scales")) Spoil(kept_scales);
  return ARENAPROOF_KERNEL_OK;
}

constexpr ArenaproofReadAllowance kBeforeTheInput = {0, kAllowedBefore, 0};

constexpr std::int32_t kFullyConnected = 9, kRelu = 19;
ArenaproofKernel kernels[] = {
    {kRelu, nullptr, Serves, Init, Prepare, Invoke, Reset, Free, nullptr, 0},
    {kFullyConnected, nullptr, nullptr, nullptr, PrepareZeros, InvokeZeros, nullptr, nullptr, nullptr, 0}};
ArenaproofKernelLibrary library = {ARENAPROOF_KERNEL_ABI_SIZES, 2, library_name, kernels};

}  // namespace

const ArenaproofKernelLibrary* arenaproof_kernel_library(void) {
  Misbehave("table");
  if (Asked("table", "_null")) return nullptr;
  if (Asked("table", "_nowhere")) return reinterpret_cast<const ArenaproofKernelLibrary*>(16);
  if (Asked("table", "_version")) ++library.version;
  if (Asked("table", "_size")) library.operand_bytes += 8;
  if (Asked("table", "_count")) library.kernel_count = 100;
  // Faults that are about what may be read: the table allows it.
  if (std::getenv("ARENAPROOF_ALLOWED") != nullptr) {
    kernels[0].read_allowances = &kBeforeTheInput;
    kernels[0].read_allowance_count = 1;
  }
  return &library;
}

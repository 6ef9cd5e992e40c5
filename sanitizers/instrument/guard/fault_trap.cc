#include "sanitizers/instrument/guard/fault_trap.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>

namespace arenaproof {
namespace {

// What the handler reads and writes: nothing that allocates, nothing that locks.
std::span<const MemoryRegion> trapped;
PageFault noted[FaultTrap::kMostFaults];
std::atomic<std::size_t> noted_count = 0;
struct sigaction previous_action;
stack_t previous_stack;
bool active = false;
char handler_stack[1 << 16];

// Of the fault that this thread had last, and of the trap that took it.
thread_local std::uintptr_t last_address = 0;
thread_local std::uint64_t last_trap = 0;
std::uint64_t trap_count = 0;

// Bits of a page fault's error code.
constexpr unsigned kByWrite = 1U << 1, kByInstructionFetch = 1U << 4;

bool HasCause([[maybe_unused]] const void* context, [[maybe_unused]] unsigned cause) {
#if defined(__x86_64__) || defined(__i386__)
  return (static_cast<unsigned>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR]) & cause) != 0;
#else
  return false;
#endif
}

// An open page may be read and written. What faults there again, such as a jump into it, would do so for ever.
bool HelpsToOpen(std::uintptr_t address, const void* context) {
  if (HasCause(context, kByInstructionFetch)) return false;
  const bool again = address == last_address && trap_count == last_trap;
  last_address = address;
  last_trap = trap_count;
  return !again;
}

void OnFault(int, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const MemoryRegion& mapping : trapped) {
    const auto start = reinterpret_cast<std::uintptr_t>(mapping.data);
    if (address < start || address >= start + mapping.bytes) continue;
    if (!HelpsToOpen(address, context)) break;
    const std::size_t index = noted_count.fetch_add(1);
    if (index < FaultTrap::kMostFaults) noted[index] = {address, HasCause(context, kByWrite)};
    void* const page = reinterpret_cast<void*>(address / kPageBytes * kPageBytes);
    if (mprotect(page, kPageBytes, PROT_READ | PROT_WRITE) == 0) return;
  }
  // Made again, it is the other handler's.
  sigaction(SIGSEGV, &previous_action, nullptr);
}

}  // namespace

bool FaultTrap::Available() {
#if defined(__x86_64__) || defined(__i386__)
  return sysconf(_SC_PAGESIZE) == static_cast<long>(kPageBytes);
#else
  return false;
#endif
}

FaultTrap::FaultTrap(std::span<const MemoryRegion> mappings) {
  if (active) std::abort();
  active = true;
  trapped = mappings;
  noted_count = 0;
  ++trap_count;
  const stack_t stack{.ss_sp = handler_stack, .ss_flags = 0, .ss_size = sizeof handler_stack};
  sigaltstack(&stack, &previous_stack);
  struct sigaction action = {};
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK);
  action.sa_sigaction = OnFault;
  sigaction(SIGSEGV, &action, &previous_action);
}

FaultTrap::~FaultTrap() {
  sigaction(SIGSEGV, &previous_action, nullptr);
  sigaltstack(&previous_stack, nullptr);
  trapped = {};
  active = false;
}

std::span<const PageFault> FaultTrap::faults() const {
  return std::span<const PageFault>(noted).first(std::min(noted_count.load(), kMostFaults));
}

}  // namespace arenaproof

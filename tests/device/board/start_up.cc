// What runs first on a Cortex-M4: the vector table, memory as the program expects it, the floating point unit.
#include "tests/device/board/start_up.h"

#include <cstdint>
#include <cstring>

#include "tests/device/board/semihosting.h"

// Of the linker script; their addresses are what counts.
extern "C" std::uint32_t board_stack_end, board_data_begin, board_data_end, board_data_in_flash, board_zeros_begin,
    board_zeros_end;
using Constructor = void (*)();
extern "C" const Constructor board_constructors_begin[], board_constructors_end[];

namespace arenaproof::device {
namespace {

std::size_t BytesBetween(const std::uint32_t& begin, const std::uint32_t& end) {
  return reinterpret_cast<std::uintptr_t>(&end) - reinterpret_cast<std::uintptr_t>(&begin);
}

[[noreturn]] void StartUp() {
  auto* const coprocessor_access = reinterpret_cast<volatile std::uint32_t*>(0xe000ed88);
  *coprocessor_access = *coprocessor_access | (0xfU << 20U);
  asm volatile("dsb\n isb" ::: "memory");
  std::memcpy(&board_data_begin, &board_data_in_flash, BytesBetween(board_data_begin, board_data_end));
  std::memset(&board_zeros_begin, 0, BytesBetween(board_zeros_begin, board_zeros_end));
  for (const Constructor* one = board_constructors_begin; one != board_constructors_end; ++one) (*one)();
  Exit(Main());
}

// Status 3: a fault of the program's own.
[[noreturn]] void StopAtFault() {
  WriteLine("the processor stopped at a fault");
  Exit(3);
}

struct VectorTable {
  const void* stack_end;
  void (*handlers[15])();
};

[[gnu::section(".vectors"), gnu::used]] constexpr VectorTable kVectors = {
    &board_stack_end,
    {StartUp, StopAtFault, StopAtFault, StopAtFault, StopAtFault, StopAtFault, nullptr, nullptr, nullptr, nullptr,
     StopAtFault, StopAtFault, nullptr, StopAtFault, StopAtFault}};

}  // namespace
}  // namespace arenaproof::device

#include "tests/device/board/semihosting.h"

#include <cstdint>

namespace arenaproof::device {
namespace {

// The numbers of Arm's document "Semihosting for AArch32 and AArch64".
constexpr std::uint32_t kWriteText = 0x04, kGetCommandLine = 0x15, kExitExtended = 0x20;
constexpr std::uint32_t kApplicationExit = 0x20026;

std::uint32_t Ask(std::uint32_t operation, const void* parameters) {
  std::uint32_t answer;
  asm volatile("mov r0, %1\n mov r1, %2\n bkpt 0xab\n mov %0, r0"
               : "=r"(answer)
               : "r"(operation), "r"(parameters)
               : "r0", "r1", "memory");
  return answer;
}

}  // namespace

void WriteLine(std::string_view text) {
  // The text ends at a zero byte, and goes in pieces of what the buffer holds.
  char piece[64];
  std::size_t length = 0;
  const auto put = [&](char character) {
    piece[length++] = character;
    if (character != '\n' && length + 1 < sizeof piece) return;
    piece[length] = '\0';
    Ask(kWriteText, piece);
    length = 0;
  };
  for (const char character : text) put(character);
  put('\n');
}

std::string_view CommandLine() {
  static char text[256];
  struct {
    char* text;
    std::uint32_t length;
  } parameters{text, sizeof text};
  return Ask(kGetCommandLine, &parameters) == 0 ? std::string_view(text, parameters.length) : std::string_view();
}

void Exit(int status) {
  const std::uint32_t parameters[] = {kApplicationExit, static_cast<std::uint32_t>(status)};
  for (;;) Ask(kExitExtended, parameters);
}

}  // namespace arenaproof::device

// What the debugger of a board, or an emulator in its place, does for a program that has no console and no files.
#pragma once

#include <string_view>

namespace arenaproof::device {

void WriteLine(std::string_view text);
// The words that the program was started with, one space between them; empty when there are none.
std::string_view CommandLine();
[[noreturn]] void Exit(int status);

}  // namespace arenaproof::device

// How a child ended, in words that every command uses.
#pragma once

#include <string>

#include "tools/command/child_process.h"

namespace arenaproof {

// A fault of the program's own: an access outside all memory, a division by zero.
bool IsFault(int signal);

// "signal 11 (Segmentation fault)".
std::string SignalText(int signal);

// Why the child ended without a fault or a refusal of its own: the end of a sentence about it, such as "was ended by
// signal 15 (Terminated) from outside". Empty when it exited, or died of a signal that a program raises itself. Limits
// of time and memory are those of `limits`.
std::string EndedFromOutside(const ChildResult& child);

// The limit of a shell that keeps a child from having the memory that a command would give it; empty: none does.
std::string MemoryLimitOfShell(std::size_t memory_bytes);

// Why a program that was found and started ended before it was itself; empty when there is no such reason.
std::string FailedStart(const ChildResult& child);

// "a child process cannot be started: Too many open files", and the limit that it met.
std::string CannotStart(const std::string& what, int error);

}  // namespace arenaproof

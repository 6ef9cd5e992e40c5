// A file that is there whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace arenaproof {

// Writes a temporary file beside `path` and renames it, so that nobody ever sees a half of it and a file that was there
// stays until the new one is whole. A file that is replaced keeps its permissions, and a symbolic link stays one: what
// it leads to is written. Empty, or a sentence; then nothing is left.
std::string WriteWholeFile(const std::string& path, std::span<const std::byte> bytes);

// False, with errno, when not all of it could be written.
bool WriteAll(int file, std::span<const std::byte> bytes);

// Why a file cannot be made in its place, found out by making one beside it that goes at once: a sentence, empty when
// it can.
std::string WhyNotWritable(const std::string& path);

// Where a chain of symbolic links ends, whether or not something is there; the path itself when the chain has no end,
// which every use of it then says.
std::string EndOfLinks(const std::string& path);

}  // namespace arenaproof

// The memory ledger: what every seed model needs of an arena, to the byte and by category, on this machine and on a
// 32-bit ARM device, in the layout of a device. It is kept in corpus/memory/ledger.txt, so that every growth is seen,
// and every shrink too, in the commit that causes it.
#pragma once

#include <filesystem>
#include <string>

namespace arenaproof {

// The ledger's text for the *.tflite files of a folder. Throws std::runtime_error when a model is not set up.
std::string MemoryLedger(const std::filesystem::path& models);

// Empty when both are equal; else sentences that name the first figures that differ, and the command that writes the
// ledger anew.
std::string CompareLedgers(const std::string& kept, const std::string& found);

}  // namespace arenaproof

// The memory ledger: what every seed model needs of an arena, to the byte and by category, on this machine and on a
// 32-bit ARM device, in the layout of a device, and with a trusted plan where the model has one. It is kept in
// corpus/memory/ledger.txt, so that every growth is seen, and every shrink too, in the commit that causes it.
//
// corpus/memory/shared_ledger.txt holds the same of the models that are not in this repository. Builds for 64 and for
// 32-bit words compare both files, the latter's figures being those of real set-ups: so what a 64-bit host says of a
// 32-bit device is what such a device needs, for all these models.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace arenaproof {

// The ledger's text for model files. Throws std::runtime_error when one is not set up.
std::string MemoryLedger(const std::vector<std::filesystem::path>& models);
// The same for the *.tflite files of a folder.
std::string MemoryLedger(const std::filesystem::path& folder);

// The words with which arenaproof-memory-ledger writes the ledger of the seed models.
inline constexpr const char* kSeedLedgerWords = "corpus/models corpus/memory/ledger.txt";

// Empty when both are equal; else sentences that name the first figures that differ, and the command that writes the
// ledger anew.
std::string CompareLedgers(const std::string& kept, const std::string& found,
                           const std::string& words = kSeedLedgerWords);

}  // namespace arenaproof

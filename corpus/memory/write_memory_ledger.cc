// arenaproof-memory-ledger MODELS LEDGER [NAME...]: measures the models of the folder MODELS, or those with these
// names, and writes the file LEDGER.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "corpus/memory/memory_ledger.h"

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: arenaproof-memory-ledger %s [NAME...]\n", arenaproof::kSeedLedgerWords);
    return 2;
  }
  try {
    const std::filesystem::path folder = words[1];
    std::vector<std::filesystem::path> models;
    for (int i = 3; i < count; ++i) models.push_back(folder / (std::string(words[i]) + ".tflite"));
    const std::string ledger = models.empty() ? arenaproof::MemoryLedger(folder) : arenaproof::MemoryLedger(models);
    std::ofstream file(words[2], std::ios::binary);
    file << ledger;
    file.close();
    if (file) return 0;
    std::fprintf(stderr, "arenaproof-memory-ledger: %s cannot be written\n", words[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arenaproof-memory-ledger: %s\n", error.what());
  }
  return 2;
}

// arenaproof-memory-ledger MODELS LEDGER: measures the models of the folder MODELS and writes the file LEDGER.
#include <cstdio>
#include <exception>
#include <fstream>

#include "corpus/memory/memory_ledger.h"

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: arenaproof-memory-ledger corpus/models corpus/memory/ledger.txt\n");
    return 2;
  }
  try {
    const std::string ledger = arenaproof::MemoryLedger(words[1]);
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

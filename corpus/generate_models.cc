// arenaproof-generate-models FOLDER           writes every seed model into the folder
// arenaproof-generate-models --check FOLDER   compares: exit 1 when a file differs, is missing or does not belong
//
// The models are made from fixed seeds, so that anyone can make the same bytes again.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "corpus/seed_models.h"

namespace arenaproof {
namespace {

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int Write(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const SeedModel& model : AllSeedModels()) {
    const std::vector<std::byte> bytes = model.make();
    const std::filesystem::path path = folder / (std::string(model.name) + ".tflite");
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      std::cerr << "arenaproof-generate-models: '" << path.string() << "' cannot be written\n";
      return 2;
    }
    std::cout << path.string() << ", " << bytes.size() << " bytes\n";
  }
  return 0;
}

int Check(const std::filesystem::path& folder) {
  int status = 0;
  std::set<std::string> expected;
  for (const SeedModel& model : AllSeedModels()) {
    const std::string name = std::string(model.name) + ".tflite";
    expected.insert(name);
    const std::vector<std::byte> bytes = model.make();
    const std::string found = ReadAll(folder / name);
    if (found.size() == bytes.size() && std::memcmp(found.data(), bytes.data(), bytes.size()) == 0) continue;
    std::cerr << "'" << (folder / name).string() << "' is not what the generator makes\n";
    status = 1;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (expected.contains(entry.path().filename().string())) continue;
    std::cerr << "'" << entry.path().string() << "' is no seed model of the generator\n";
    status = 1;
  }
  if (status == 0) std::cout << expected.size() << " seed models are what the generator makes\n";
  return status;
}

int Main(int argument_count, char** arguments) {
  const bool check = argument_count == 3 && std::strcmp(arguments[1], "--check") == 0;
  if ((argument_count != 2 && !check) || (argument_count == 2 && arguments[1][0] == '-')) {
    std::cerr << "usage: arenaproof-generate-models [--check] FOLDER\n";
    return 2;
  }
  return check ? Check(arguments[2]) : Write(arguments[1]);
}

}  // namespace
}  // namespace arenaproof

int main(int argument_count, char** arguments) {
  try {
    return arenaproof::Main(argument_count, arguments);
  } catch (const std::exception& error) {
    std::cerr << "arenaproof-generate-models: " << error.what() << "\n";
    return 2;
  }
}

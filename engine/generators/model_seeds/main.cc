// arenaproof-generate-fuzz-seeds FOLDER...   writes every seed into each folder, as seed_<name>.tflite
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "engine/generators/model_seeds/model_seeds.h"

int main(int argument_count, char** arguments) {
  if (argument_count < 2 || arguments[1][0] == '-') {
    std::fprintf(stderr, "usage: arenaproof-generate-fuzz-seeds FOLDER...\n");
    return 2;
  }
  for (int i = 1; i < argument_count; ++i) {
    std::error_code error;
    std::filesystem::create_directories(arguments[i], error);
    for (const arenaproof::ModelSeed& seed : arenaproof::AllModelSeeds()) {
      const std::filesystem::path path = std::filesystem::path(arguments[i]) / ("seed_" + seed.name + ".tflite");
      std::ofstream file(path, std::ios::binary);
      file.write(reinterpret_cast<const char*>(seed.bytes.data()), static_cast<std::streamsize>(seed.bytes.size()));
      file.close();
      if (file) continue;
      std::fprintf(stderr, "'%s' cannot be written\n", path.c_str());
      return 2;
    }
  }
  return 0;
}

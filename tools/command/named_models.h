// The models that a call of `check` names: files, folders of them, and what comes through a pipe.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

struct NamedModel {
  std::string path;
  std::string problem = {};  // a sentence, of a folder without models
};

// A folder stands for every .tflite file in it, by name; its own folders are left out. Every other word is one model.
std::vector<NamedModel> ModelsNamed(const std::vector<std::string>& words);

}  // namespace arenaproof

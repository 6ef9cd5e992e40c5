// The models that a call of `check` names: files, folders of them, and what comes through a pipe.
#pragma once

#include <string>
#include <vector>

namespace arenaproof {

struct NamedModel {
  std::string path;
  std::string problem = {};  // a sentence, of a folder without models or one that cannot be read
};

// A folder stands for every .tflite file below it, sorted by path; links to folders are followed, and one that leads
// back to a folder that it lies in is a problem, as is a folder with more than 100000 files and folders below it. Every
// other word is one model.
std::vector<NamedModel> ModelsNamed(const std::vector<std::string>& words);

}  // namespace arenaproof

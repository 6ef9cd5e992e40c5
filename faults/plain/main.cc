// arenaproof-plain [--skip=N] FOLDER | TARGET=FOLDER ...
//
// Replays every file below each folder, in sorted order: models, or inputs of the fuzz target named. Prints
// "input N PATH" before each. It checks nothing; what a sanitizer or Valgrind reports about the process is the result.
//
// Exit status: 0 all replayed; 2 could not run.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "faults/plain/certifier_left_out.h"
#include "faults/plain/replay.h"

namespace arenaproof {

bool Replay(const std::string& target, InputBytes input) {
  if (target == "fuzz_arena_operations") {
    ReplayArenaCalls(input);
  } else if (target == "fuzz_plan_certifier") {
    ReplayPlan(input);
  } else if (target == "fuzz_offline_plan") {
    ReplayOfflinePlan(input);
  } else if (target == "fuzz_offline_plan_model") {
    ReplayPlannedModel(input);
  } else if (target.empty()) {
    ReplayModel(input, ModelArena::kNeeded);
  } else if (target.starts_with("fuzz_model_")) {
    ReplayModel(input, ModelArena::kOfTheFuzzTargets);
  } else {
    return false;
  }
  return true;
}

namespace {

struct Input {
  std::string target;
  std::string path;
};

void AddFolder(const std::string& target, const std::string& folder, std::vector<Input>& inputs) {
  std::vector<Input> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) found.push_back({target, entry.path().string()});
  }
  std::sort(found.begin(), found.end(), [](const Input& a, const Input& b) { return a.path < b.path; });
  inputs.insert(inputs.end(), found.begin(), found.end());
}

int RunReplays(int count, char** words) {
  std::size_t skipped = 0;
  std::vector<Input> inputs;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const std::size_t equals = word.find('=');
    if (word.starts_with("--skip=")) {
      skipped = std::strtoull(word.c_str() + equals + 1, nullptr, 10);
    } else if (equals != std::string::npos) {
      AddFolder(word.substr(0, equals), word.substr(equals + 1), inputs);
    } else {
      AddFolder("", word, inputs);
    }
  }
  if (inputs.empty()) {
    std::fprintf(stderr, "arenaproof-plain: no input\n");
    return 2;
  }
  std::string unknown;
  for (std::size_t i = skipped; i < inputs.size(); ++i) {
    std::printf("input %zu %s\n", i + 1, inputs[i].path.c_str());
    std::fflush(stdout);
    std::ifstream file(inputs[i].path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const InputBytes input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (!Replay(inputs[i].target, input)) unknown = inputs[i].target;
  }
  if (!unknown.empty()) std::printf("inputs of %s were left out: nobody here can replay them\n", unknown.c_str());
  if (PreparedModelCount() > 0 && UncertifiedPlanCount() == 0) {
    std::fprintf(stderr, "arenaproof-plain: the certifier was not left out; see CMakeLists.txt beside my source\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace arenaproof

int main(int count, char** words) { return arenaproof::RunReplays(count, words); }

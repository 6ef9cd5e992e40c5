#include "tools/command/files_of_call.h"

#include <sys/stat.h>
#include <unistd.h>

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "tools/command/written_file.h"
#include "tools/model/chosen_planner.h"

namespace arenaproof {
namespace {

// What makes two names those of one file.
class WhatANameLeadsTo {
 public:
  explicit WhatANameLeadsTo(const std::string& path) {
    namespace fs = std::filesystem;
    struct stat status{};
    if (stat(path.c_str(), &status) == 0) {
      there_ = std::pair(status.st_dev, status.st_ino);
      return;
    }
    std::error_code error;
    const std::string end = EndOfLinks(path);
    fs::path whole = fs::absolute(end, error);
    if (!error) whole = fs::weakly_canonical(whole, error);
    place_ = error ? fs::path(end) : whole;
  }

  auto operator<=>(const WhatANameLeadsTo&) const = default;

 private:
  std::optional<std::pair<dev_t, ino_t>> there_;  // of a file that is there
  std::filesystem::path place_;                   // where one would be made
};

}  // namespace

bool SameFile(const std::string& a, const std::string& b) { return WhatANameLeadsTo(a) == WhatANameLeadsTo(b); }

void FilesOfCall::Reads(const std::string& option, const std::string& path, const std::string& replaced_by) {
  if (!path.empty()) read_.push_back({.option = option, .word = path, .path = path, .replaced_by = replaced_by});
}

void FilesOfCall::ReadsPiped(const std::string& option, const std::string& word, const std::string& replaced_by) {
  if (word.empty()) return;
  read_.push_back(
      {.option = option, .word = word, .path = word == "-" ? "/dev/stdin" : word, .replaced_by = replaced_by});
}

void FilesOfCall::ReadsTensors(const std::string& option, const std::vector<std::string>& words) {
  const auto reads_if_there = [&](const std::string& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) == 0) Reads(option, path);
  };
  for (const std::string& word : words) {
    reads_if_there(word);
    for (std::size_t colon = word.find(':'); colon != std::string::npos; colon = word.find(':', colon + 1)) {
      reads_if_there(word.substr(colon + 1));
      if (word.find_first_not_of("0123456789") == colon) break;  // an index, behind which all is the file
    }
  }
}

void FilesOfCall::ReadsKernels(const KernelChoice& choice) {
  if (!NamesKernelFiles(choice.kernels)) return;
  KernelFiles files;
  files.Read(choice.kernels);
  for (const LibraryHooks build : {LibraryHooks::kShadow, LibraryHooks::kAsan, LibraryHooks::kNone}) {
    Reads("--kernels", files.For(build));
  }
}

void FilesOfCall::ReadsPlanOf(const std::string& planner) { Reads("--planner", std::string(PathOfGivenPlan(planner))); }

void FilesOfCall::Writes(const std::string& option, const std::string& path) {
  if (!path.empty()) written_.push_back({.option = option, .word = path, .path = path});
}

void FilesOfCall::WritesStandardOutputs() {
  for (const auto& [descriptor, name] :
       {std::pair{STDOUT_FILENO, "standard output"}, {STDERR_FILENO, "standard error"}}) {
    struct stat status{};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
      WritesOneOf(name, "/proc/self/fd/" + std::to_string(descriptor));
    }
  }
}

void FilesOfCall::WritesOneOf(const std::string& option, const std::string& path) {
  written_.push_back({.option = option, .word = path, .path = path, .one_of_a_set = true});
}

std::string FilesOfCall::Overwritten() const {
  std::map<WhatANameLeadsTo, const File*> taken;
  for (const File& file : written_) {
    const auto [place, is_new] = taken.try_emplace(WhatANameLeadsTo(file.path), &file);
    if (is_new || file.one_of_a_set) continue;
    const std::string& other = place->second->option;
    return file.option + ": '" + file.word + "' " +
           (other == file.option ? "is named twice" : "takes a text of " + other + " already") +
           "; each file takes one text";
  }
  for (const File& file : read_) {
    const auto place = taken.find(WhatANameLeadsTo(file.path));
    if (place == taken.end() || place->second->option == file.replaced_by) continue;
    const File& lost = *place->second;
    return lost.option + ": '" + lost.word + "' is the file of " + file.option +
           (file.word == lost.word ? "" : " ('" + file.word + "')") + "; the name of another file would be right";
  }
  return {};
}

}  // namespace arenaproof

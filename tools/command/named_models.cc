#include "tools/command/named_models.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace arenaproof {
namespace {

namespace fs = std::filesystem;

// Files and folders; below a root there may be any number.
constexpr std::size_t kMostLookedAt = 100'000;

// What is below one folder.
class ModelsBelow {
 public:
  explicit ModelsBelow(const std::string& folder) {
    Enter(folder);
    if (looked_at_ <= kMostLookedAt) return;
    found_.clear();
    Miss(folder, "has more than " + std::to_string(kMostLookedAt) +
                     " files and folders below it; a folder of models, or the models themselves, would be right");
  }

  std::vector<NamedModel> Take() {
    std::sort(found_.begin(), found_.end(),
              [](const NamedModel& one, const NamedModel& other) { return one.path < other.path; });
    return std::move(found_);
  }

 private:
  void Enter(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    entered_.push_back(folder);
    for (const fs::directory_iterator end; !error && entry != end && looked_at_ <= kMostLookedAt;
         entry.increment(error)) {
      Look(entry->path());
    }
    entered_.pop_back();
    if (error) Miss(folder, "cannot be read: " + error.message());
  }

  void Look(const fs::path& path) {
    if (++looked_at_ > kMostLookedAt) return;
    std::error_code error;
    const fs::file_type type = fs::status(path, error).type();
    const bool model = type != fs::file_type::directory && path.extension() == ".tflite";
    if (model) found_.push_back({path.string()});
    // A file that cannot be looked at may be a folder of models.
    if (!model && type == fs::file_type::none) Miss(path, "cannot be read: " + error.message());
    if (type != fs::file_type::directory) return;
    const auto holds = std::find_if(entered_.begin(), entered_.end(), [&](const fs::path& other) {
      std::error_code unknown;
      return fs::equivalent(other, path, unknown) && !unknown;
    });
    if (holds == entered_.end()) {
      Enter(path);
    } else {
      Miss(path, "is a link to '" + holds->string() + "', in which it lies; without that link it would be right");
    }
  }

  void Miss(const fs::path& folder, const std::string& why) {
    found_.push_back({folder.string(), "'" + folder.string() + "' " + why});
  }

  std::size_t looked_at_ = 0;
  std::vector<NamedModel> found_;
  std::vector<fs::path> entered_;  // each in the one before
};

}  // namespace

std::vector<NamedModel> ModelsNamed(const std::vector<std::string>& words) {
  std::vector<NamedModel> named;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::is_directory(word, error)) {
      named.push_back({word});
      continue;
    }
    std::vector<NamedModel> models = ModelsBelow(word).Take();
    if (models.empty())
      models.push_back({word, "the folder '" + word + "' holds no .tflite file, and no folder in it does"});
    std::move(models.begin(), models.end(), std::back_inserter(named));
  }
  return named;
}

}  // namespace arenaproof

#include "tests/support/shared_files.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace arenaproof::testing {

std::filesystem::path SourceFolder() { return ARENAPROOF_SOURCE_FOLDER; }

std::optional<std::filesystem::path> SharedFolder() {
  const char* named = std::getenv("ARENAPROOF_SHARED");
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named) : SourceFolder().parent_path() / "shared";
  if (std::filesystem::is_directory(folder)) return folder;
  if (named != nullptr)
    throw std::runtime_error("ARENAPROOF_SHARED names '" + folder.string() + "', which is no folder");
  return std::nullopt;
}

std::optional<std::filesystem::path> SharedFile(const std::string& relative) {
  const auto folder = SharedFolder();
  if (!folder || !std::filesystem::exists(*folder / relative)) return std::nullopt;
  return *folder / relative;
}

std::string SharedAbsent(const std::string& relative) {
  return "reference material is absent: no '" + relative + "' in the folder ARENAPROOF_SHARED or ../shared";
}

std::vector<std::byte> ReadFileBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::byte> bytes(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) bytes[i] = static_cast<std::byte>(text[i]);
  return bytes;
}

}  // namespace arenaproof::testing

#include "tests/support/shared_files.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>

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

std::string ReadFileText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  return std::move(text).str();
}

std::vector<std::byte> ReadFileBytes(const std::filesystem::path& path) {
  const std::string text = ReadFileText(path);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

nlohmann::json ParseJson(const std::string& text) {
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error("this is no JSON: " + text.substr(0, 2000));
  return json;
}

}  // namespace arenaproof::testing

// Where the reference material beside the repository is (models, golden values). The project stands without it: tests
// that want it skip with a sentence when it is absent.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace arenaproof::testing {

// ARENAPROOF_SHARED if set, else `../shared` beside the source tree; nothing when there is no such folder. Throws
// std::runtime_error when the variable names what is no folder: tests would be skipped that somebody asked for.
std::optional<std::filesystem::path> SharedFolder();

// The path of `relative` below SharedFolder(), or nothing when it does not exist.
std::optional<std::filesystem::path> SharedFile(const std::string& relative);

// The sentence for GTEST_SKIP().
std::string SharedAbsent(const std::string& relative);

// Whole file; throws std::runtime_error naming the path when it cannot be read.
std::string ReadFileText(const std::filesystem::path& path);
std::vector<std::byte> ReadFileBytes(const std::filesystem::path& path);

// Throws std::runtime_error with the text's beginning when it is no JSON. Parsed here because here it is optimised, and
// reports have up to 32 MB.
nlohmann::json ParseJson(const std::string& text);

// The repository's root folder.
std::filesystem::path SourceFolder();

}  // namespace arenaproof::testing

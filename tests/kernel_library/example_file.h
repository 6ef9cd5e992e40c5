// The bytes of the example library's builds.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/shared_files.h"

namespace arenaproof::testing {

// Of the build that the tests are of.
inline std::string ExamplePath(const std::string& name) {
  const auto builds = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  return builds / "kernels/vendor/example" / ("libexample-" + name + ".so");
}

inline std::vector<std::byte> ExampleFile(const std::string& name) { return ReadFileBytes(ExamplePath(name)); }

// visit(bytes) of the file cut short at many places, and with one byte changed at each of many.
template <typename Visit>
void ForEachDamaged(const std::vector<std::byte>& file, Visit visit) {
  for (std::size_t bytes = 0; bytes < file.size(); bytes += bytes < 512 ? 1 : 97) {
    visit(std::vector<std::byte>(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(bytes)));
  }
  std::vector<std::byte> changed = file;
  for (std::size_t at = 0; at < changed.size(); at += at < 64 ? 1 : 7) {
    changed[at] = std::byte{0xff};
    visit(changed);
    changed[at] = file[at];
  }
}

}  // namespace arenaproof::testing

// Single-operator reference cases: the folder golden/kernels of the shared material,
// and the excerpts in tests/kernels/data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/harness/kernels/kernel_harness.h"

namespace arenaproof::testing {

struct GoldenCase {
  std::string name;      // "add_int8 4"
  TestOperator subject;  // outputs' bytes are the expected values
  // Operators with variables: several invokes without a reset, the first of them that of `subject`.
  std::vector<InvokeStep> sequence;
};

// Throws std::runtime_error when the file is not of the format.
std::vector<GoldenCase> ReadGoldenCases(const std::filesystem::path& path);

}  // namespace arenaproof::testing

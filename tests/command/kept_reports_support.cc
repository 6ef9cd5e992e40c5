#include "tests/command/kept_reports_support.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <set>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

// A validator in Python takes minutes for the tens of megabytes that some reports have on purpose; what is long in them
// is a list of like elements.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

struct Kept {
  std::string folder = TemporaryFolder();
  std::set<std::size_t> hashes;
  std::size_t too_long = 0;
};

Kept& TheKept() {
  static Kept kept;
  return kept;
}

class HeldAgainstTheSchema : public ::testing::Environment {
 public:
  void TearDown() override {
    const Kept& kept = TheKept();
    if (kept.hashes.empty()) return;
    std::string complaints;
    const int status =
        ValidateJson((SourceFolder() / "docs" / "report.schema.json").string(), kept.folder, &complaints);
    if (status == 77) {
      std::cout << "SKIPPED: " << kNoValidator << "\n";
      return;
    }
    EXPECT_EQ(status, 0) << complaints;
    std::cout << "reports held against docs/report.schema.json: " << kept.hashes.size() << " (" << kept.too_long
              << " longer than a megabyte were not)\n";
  }
};

[[maybe_unused]] const auto* const environment = ::testing::AddGlobalTestEnvironment(new HeldAgainstTheSchema);

}  // namespace

void KeepReport(const std::string& output) {
  if (!output.starts_with("{\n")) return;
  if (!output.starts_with("{\n  \"command\": ")) {
    ADD_FAILURE() << "a report that begins otherwise is held against no schema: " << output.substr(0, 80);
    return;
  }
  Kept& kept = TheKept();
  if (output.size() > kMostBytes) {
    ++kept.too_long;
    return;
  }
  if (!kept.hashes.insert(std::hash<std::string>()(output)).second) return;
  std::ofstream(kept.folder + "/" + std::to_string(kept.hashes.size()) + ".json", std::ios::binary) << output;
}

int ValidateJson(const std::string& schema, const std::string& file_or_folder, std::string* complaints) {
  const std::string printed = TemporaryFolder() + "/printed";
  const std::string command = "python3 -B '" + (SourceFolder() / "tests/command/validate_reports.py").string() + "' '" +
                              schema + "' '" + file_or_folder + "' >'" + printed + "' 2>&1";
  const int status = std::system(command.c_str());
  *complaints = ReadFileText(printed);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace arenaproof::testing

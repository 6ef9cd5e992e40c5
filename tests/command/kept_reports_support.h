// Every report in JSON that these tests make is held against docs/report.schema.json, once all tests have run.
#pragma once

#include <string>

namespace arenaproof::testing {

// Keeps a report; what else a command prints is left alone. Equal texts count once.
void KeepReport(const std::string& output);

// "python3 validate_reports.py" of schema and files: 0 all are valid, 1 not, 77 python3-jsonschema is not installed.
// `complaints` is what it printed.
int ValidateJson(const std::string& schema, const std::string& file_or_folder, std::string* complaints);

// The sentence for GTEST_SKIP() of a test that cannot validate.
inline constexpr const char* kNoValidator =
    "python3-jsonschema is not installed (./dev setup does that): reports are held against no schema";

}  // namespace arenaproof::testing

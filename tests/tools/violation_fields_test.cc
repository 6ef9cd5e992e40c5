// The table of a violation's fields beside docs/json.md: every row that the report has is documented in the same words,
// in the same order.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/shared_files.h"
#include "tools/worker/violation_report.h"

namespace arenaproof {
namespace {

const char* KindOfValue(const ViolationField& field) {
  ViolationReport report;
  return UseValue(field, report, [](const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if (std::is_same_v<Value, ViolationReport::Number>) return "number";
    return std::is_same_v<Value, ViolationReport::Text> ? "text" : "texts";
  });
}

// Rows of the table below a heading of docs/json.md.
std::vector<std::string> DocumentedFields(const std::string& heading) {
  std::ifstream file(testing::SourceFolder() / "docs" / "json.md");
  std::vector<std::string> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) inside = line == heading;
    if (inside && line.starts_with("| `")) rows.push_back(line);
  }
  return rows;
}

TEST(ViolationFields, AreDocumentedInTheSameWords) {
  std::vector<std::string> violation, operand;
  for (const ViolationField& field : kViolationFields) {
    if (field.path == nullptr) continue;
    const std::string path = field.path, in_operand = "/operand/";
    const bool nested = path.starts_with(in_operand);
    if (nested && operand.empty()) {
      violation.push_back(
          "| `operand` | [nearest operand](#nearest-operand) | the one that the access is charged to |");
    }
    (nested ? operand : violation)
        .push_back("| `" + path.substr(nested ? in_operand.size() : 1) + "` | " + KindOfValue(field) + " | " +
                   field.meaning + " |");
  }
  violation.push_back("| `reproduce` | text | the command that shows this violation again |");
  violation.push_back("| `rule` | text | its kind: a name that stays, as in SARIF (read-before-operand, ...) |");
  violation.push_back(
      "| `id` | text | 16 hexadecimal digits, equal across runs, machines, instruments, layouts and names of files: of "
      "the kind, the operator and its kernel, the operand, the access and its side |");
  EXPECT_EQ(DocumentedFields("### Violation"), violation);
  EXPECT_EQ(DocumentedFields("### Nearest operand"), operand);
}

}  // namespace
}  // namespace arenaproof

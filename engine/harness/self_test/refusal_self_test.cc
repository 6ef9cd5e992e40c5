#include "engine/harness/self_test/refusal_self_test.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/model/validate.h"
#include "engine/cases/invalid_models.h"
#include "engine/oracles/model/broken_rules.h"

namespace arenaproof {
namespace {

// How many of a refusal's numbers the oracle has to know. A circle of calls may be reported anywhere on it, and which
// of several factors is too large is left to validation.
std::size_t KnownNumberCount(const InvalidModel& row) {
  if (row.code == StatusCode::kModelCallCycle) return 0;
  if (row.code == StatusCode::kModelTensorSize) return 2;
  return row.numbers.size();
}

class ValidationOracleSelfTest {
 public:
  std::vector<std::string> Run() {
    StatusCode last = StatusCode::kOk;
    for (const InvalidModel& row : InvalidModels()) Show(row, std::exchange(last, row.code) != row.code);
    return missed_;
  }

 private:
  void RequireComplaint(const std::string& complaint, const std::string& words, const std::string& what) {
    if (complaint.find(words) != std::string::npos) return;
    missed_.push_back("the validation oracle lets pass " + what + ", or reports something else: '" + complaint +
                      "' instead of '" + words + "'");
  }

  // The first row of each rule is shown with the codes of all other rules too.
  void Show(const InvalidModel& row, bool first_of_its_rule) {
    const std::string name = std::string(oracle::StatusName(row.code)) + " (" + row.name + ")";
    ModelBuilder builder = SoundModel();
    row.change(builder);
    const std::vector<std::byte> file = builder.Finish();
    ModelView model;
    ValidationReport report;
    if (!ModelView::Open(file, &model).ok()) return missed_.push_back("the model that breaks " + name + " is none");
    const Status answer = ValidateModel(model, &report);
    if (const std::string complaint = oracle::CheckValidation(file, answer); !complaint.empty()) {
      return missed_.push_back("the refusal of " + name + " is right: " + complaint);
    }
    if (answer.code != row.code) {
      return missed_.push_back("the model that breaks " + name + " is refused with " + oracle::StatusName(answer.code));
    }
    RequireComplaint(oracle::CheckValidation(file, Ok()), "validation accepts a model", "a model that breaks " + name);
    ShowOtherNumbers(file, answer, row, name);
    if (first_of_its_rule) ShowOtherRules(file, answer, row, name);
  }

  void ShowOtherNumbers(const std::vector<std::byte>& file, const Status& answer, const InvalidModel& row,
                        const std::string& name) {
    for (std::size_t i = 0; i < KnownNumberCount(row); ++i) {
      for (const int step : {-1, 1, 2}) {
        Status wrong = answer;
        wrong.detail[i] += static_cast<std::uint64_t>(step);
        RequireComplaint(oracle::CheckValidation(file, wrong),
                         std::string("validation refuses with the rule ") + oracle::StatusName(row.code),
                         name + " with another number " + std::to_string(i) + " in its refusal");
      }
    }
  }

  void ShowOtherRules(const std::vector<std::byte>& file, const Status& answer, const InvalidModel& row,
                      const std::string& name) {
    StatusCode last = row.code;
    for (const InvalidModel& other : InvalidModels()) {
      if (std::exchange(last, other.code) == other.code) continue;
      if (other.code == row.code || std::ranges::count(row.also, other.code) != 0) continue;
      Status wrong = answer;
      wrong.code = other.code;
      RequireComplaint(oracle::CheckValidation(file, wrong), "which the model does not break",
                       std::string(oracle::StatusName(other.code)) + " for a model that breaks " + name);
    }
  }

  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> RunValidationOracleSelfTest() { return ValidationOracleSelfTest().Run(); }

}  // namespace arenaproof

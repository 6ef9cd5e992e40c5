// Validation of models with one broken rule: each is refused by that rule and with its numbers.
#include "engine/cases/invalid_models.h"

#include <gtest/gtest.h>

#include "tests/model/models_support.h"

namespace arenaproof {

void PrintTo(const InvalidModel& model, std::ostream* out) { *out << model.name; }

namespace testing {
namespace {

class InvalidModelTest : public ::testing::TestWithParam<InvalidModel> {};

TEST_P(InvalidModelTest, IsRefusedByTheRuleThatItBreaks) {
  ModelBuilder model = SoundModel();
  ASSERT_EQ(Text(Validate(model).status), Text(Ok()));
  GetParam().change(model);
  const Status answer = Validate(model).status;
  Status refusal{GetParam().code};
  for (std::size_t i = 0; i < GetParam().numbers.size(); ++i) {
    const std::int64_t number = GetParam().numbers[i];
    refusal.detail[i] = number == InvalidModel::kAnyNumber ? answer.detail[i] : Negative(number);
  }
  EXPECT_EQ(Text(answer), Text(refusal));
}

INSTANTIATE_TEST_SUITE_P(Validation, InvalidModelTest, ::testing::ValuesIn(InvalidModels()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace testing
}  // namespace arenaproof

#include "engine/harness/kernel_services/expected_answer.h"

#include <algorithm>

#include "engine/explain.h"
#include "engine/oracles/defect.h"
#include "engine/unguided.h"
#include "tools/text/sentences.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof {

bool ExpectedAnswer::Allows(const Status& status) const {
  if (status.ok()) return reasons_.empty();
  return std::any_of(reasons_.begin(), reasons_.end(), [&](const Reason& reason) {
    return reason.status.code == status.code &&
           std::equal(status.detail.begin(), status.detail.begin() + static_cast<std::ptrdiff_t>(reason.number_count),
                      reason.status.detail.begin());
  });
}

std::string ExpectedAnswer::Words() const {
  std::string words;
  for (const Reason& reason : reasons_) {
    words += (words.empty() ? "" : " or ") + std::string(StatusName(reason.status.code));
    for (std::size_t i = 0; i < reason.number_count; ++i) {
      words += (i == 0 ? " " : ", ") + std::to_string(static_cast<std::int64_t>(reason.status.detail[i]));
    }
  }
  return words.empty() ? "success" : words;
}

void RequireAnswer(const char* call, const Status& answer, const ExpectedAnswer& expected) {
  if (Explaining()) Explain(std::string("      ") + call + ": " + (answer.ok() ? "ok" : Sentence(answer)));
  if (expected.Allows(answer)) return;
  Defect(call, ("answered with " +
                (answer.ok() ? std::string("success")
                             : std::string(StatusName(answer.code)) + ", " + Sentence(answer) + ",") +
                " instead of " + expected.Words())
                   .c_str());
}

}  // namespace arenaproof

ARENAPROOF_UNGUIDED_END

#include "engine/generators/operators/invalid_case.h"

#include <algorithm>

#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/invalid_cases.h"

namespace arenaproof::props {

namespace {

const std::vector<InvalidCaseRule>& AllInvalidCaseRules() {
  static const std::vector<InvalidCaseRule> kAllInvalidCaseRules = InvalidCaseRules();
  return kAllInvalidCaseRules;
}

}  // namespace

std::optional<Refusal> BreakOneRule(OperatorCase& subject, CaseRandom& random) {
  // The rules that fit are counted by trying them on copies: only the rule itself finds out whether it can be broken.
  std::vector<InvalidCaseRule> fitting;
  for (const InvalidCaseRule rule : AllInvalidCaseRules()) {
    OperatorCase copy = subject;
    CaseRandom same = random;
    if (rule(copy, same)) fitting.push_back(rule);
  }
  if (fitting.empty()) return std::nullopt;
  const InvalidCaseRule chosen =
      fitting[static_cast<std::size_t>(random.Between(0, static_cast<std::int32_t>(fitting.size()) - 1))];
  for (int attempt = 0; attempt < 100; ++attempt) {
    OperatorCase copy = subject;
    if (std::optional<Refusal> refusal = chosen(copy, random)) {
      subject = std::move(copy);
      return refusal;
    }
  }
  return std::nullopt;
}

std::size_t RuleCount() { return AllInvalidCaseRules().size(); }

std::optional<Refusal> MakeInvalidCase(CaseRandom& random, std::size_t which, OperatorCase* subject) {
  constexpr int kAttempts = 60;  // a rule of one family in twenty fits in most of them
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    *subject = MakeCase(random);
    if (std::optional<Refusal> refusal = AllInvalidCaseRules()[which](*subject, random)) return refusal;
  }
  return std::nullopt;
}

bool Says(const Status& status, const Refusal& refusal) {
  if (std::find(refusal.codes.begin(), refusal.codes.end(), status.code) == refusal.codes.end()) return false;
  return !refusal.first_number || status.detail[0] == *refusal.first_number;
}

}  // namespace arenaproof::props

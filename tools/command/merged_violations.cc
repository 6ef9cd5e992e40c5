#include "tools/command/merged_violations.h"

#include <map>
#include <string>
#include <utility>
#include <variant>

namespace arenaproof {
namespace {

using ViolationKey = std::vector<std::variant<std::int64_t, std::string, std::vector<std::string>>>;

ViolationKey KeyOf(const ViolationReport& violation) {
  ViolationKey key;
  for (const ViolationField& field : kViolationFields) {
    if (field.role != ViolationFieldRole::kIdentity) continue;
    UseValue(field, violation, [&](const auto& value) { key.emplace_back(value); });
  }
  return key;
}

}  // namespace

std::vector<std::vector<SeenViolation>> MergeViolations(const CheckResult& result) {
  std::map<ViolationKey, std::vector<SeenViolation>> merged;
  for (const CheckPart& part : result.parts) {
    for (const ViolationReport& violation : part.report.violations) {
      merged[KeyOf(violation)].push_back({&part, &violation});
    }
  }
  std::vector<std::vector<SeenViolation>> violations;
  for (auto& [key, seen] : merged) violations.push_back(std::move(seen));
  return violations;
}

}  // namespace arenaproof

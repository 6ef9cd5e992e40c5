// A violation as a worker reports it, and the table of its fields: the worker's event, its reader, the report's JSON
// and the merging of violations go through the table, so that a new field is one row of violation_fields.inc and one of
// docs/json.md. The text of `check` takes the fields that it shows by name (check_violations_text.cc).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace arenaproof {

// A group of accesses: same operator, phase, operand, access and side.
struct ViolationReport {
  using Number = std::int64_t;
  using Text = std::string;
  using Texts = std::vector<std::string>;

#define ARENAPROOF_VIOLATION_FIELD(type, member, name, path, role, value, meaning) type member{};
#include "tools/worker/violation_fields.inc"
#undef ARENAPROOF_VIOLATION_FIELD
};

enum class ViolationFieldRole : std::uint8_t { kIdentity, kDescription, kDetail };

// The columns of violation_fields.inc.
struct ViolationField {
  const char* name;
  const char* path;  // null: not in the report
  ViolationFieldRole role;
  const char* meaning;
  std::variant<ViolationReport::Number ViolationReport::*, ViolationReport::Text ViolationReport::*,
               ViolationReport::Texts ViolationReport::*>
      member;
};

inline constexpr ViolationField kViolationFields[] = {
#define ARENAPROOF_VIOLATION_FIELD(type, member, name, path, role, value, meaning) \
  {name, path, ViolationFieldRole::k##role, meaning, &ViolationReport::member},
#include "tools/worker/violation_fields.inc"
#undef ARENAPROOF_VIOLATION_FIELD
};

// Calls `use` with the field's member of the violation: a number, a text or a list of texts.
template <typename Report, typename Use>
decltype(auto) UseValue(const ViolationField& field, Report& violation, Use&& use) {
  return std::visit([&](auto member) -> decltype(auto) { return use(violation.*member); }, field.member);
}

}  // namespace arenaproof

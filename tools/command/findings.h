// What is wrong with checked kernels or a checked plan, each once, with an identifier: what reports for programs and
// baselines are lists of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/command/check.h"
#include "tools/command/merged_violations.h"

namespace arenaproof {

// A kind of finding, by a name that stays.
struct FindingRule {
  const char* id;
  const char* summary;  // a phrase
  const char* help;     // sentences: what it is, and what follows
};

std::span<const FindingRule> FindingRules();

inline constexpr const char* kOutputsDifferRule = "outputs-differ";

struct Finding {
  const FindingRule* rule;
  std::string id;                            // 16 hexadecimal digits
  std::string sentence;                      // in one line
  std::vector<SeenViolation> seen = {};      // the accesses of it; empty: it is none of accesses
  std::vector<const CheckPart*> parts = {};  // that found it; empty: the comparison of all
};

// Violations in the order of MergeViolations, then what ended a part or refused its plan, then outputs that differ.
// Identifiers are equal across runs, machines and names of files; they differ with the kind of the finding, the
// operator, its kernel, the operand, the access and its side; of a kernel's death with its signal and phase, of a plan
// with the rule and the tensors. Pointers are into `result`.
std::vector<Finding> FindingsOf(const CheckResult& result);

// Of what several parts report about the same accesses.
std::string ViolationIdentifier(const ViolationReport& violation);

// "read" or "write", and one of the sides: what the stream of a worker holds may be any word.
const FindingRule& RuleOf(const ViolationReport& violation);

}  // namespace arenaproof

// What is wrong with the certifier's answer about a plan in which buffers share bytes, and with what it leaves behind.
#pragma once

#include <cstddef>
#include <string>

#include "core/planner/certifier.h"
#include "engine/cases/shared_plan.h"
#include "engine/oracles/planner/alias_program.h"

namespace arenaproof::testing {

struct CheckedCertificate {
  Certificate certificate;
  std::string wrong;  // what does not hold, one sentence; empty: it is the oracles' answer, and all is as it was
};

CheckedCertificate CertifyChecked(const SharedPlan& plan);

// Of the plan of a program that nobody disturbed: what is certified leaves every reader its value.
CheckedCertificate CertifyProgram(const AliasProgram& program);

// While a sound list is joined each group is one buffer; then all are as before, where their owners lie, which
// `moved_bytes` moved. Empty for a list that is not sound.
std::string WrongJoin(const SharedPlan& plan, std::size_t moved_bytes);

// The buffers, and who lies in whose bytes.
std::string SharedPlanText(const SharedPlan& plan);

}  // namespace arenaproof::testing

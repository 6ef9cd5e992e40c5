// A plan as CSV: the problem's columns (problem_csv.h) with every offset. ReadProblemCsv reads it back.
#pragma once

#include <string>

#include "tools/plans/labelled_problem.h"
#include "tools/plans/plan_certificate.h"

namespace arenaproof {

// id,lower,upper,size,offset, with alignment and gaps where some buffer has them.
std::string PlanCsv(const LabelledProblem& problem, PlanOffsets offsets);

// "3-5 7-9": the gaps of a buffer, as in the column `gaps`.
std::string GapsText(const PlanBuffer& buffer);

}  // namespace arenaproof

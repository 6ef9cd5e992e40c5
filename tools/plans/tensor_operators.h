// Which operators use a planned buffer, in words for pictures.
#pragma once

#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "tools/plans/labelled_problem.h"

namespace arenaproof {

// One text for each buffer of a model's problem: "written by 2 CONV_2D, read by 3 ADD and 5 MUL"; empty when none does.
std::vector<std::string> OperatorsOfBuffers(const ModelView& model, const LabelledProblem& problem);

}  // namespace arenaproof

// One sentence for the result of validation, with everything unsupported named and counted.
#pragma once

#include <string>

#include "core/model/validation_report.h"

namespace arenaproof {

// "the model needs what is not supported: SVDF (2 times), FLOAT16 tensors (3 times), ..."; for other failures the
// sentence of the status.
std::string ValidationSentence(const ValidationReport& report);

}  // namespace arenaproof

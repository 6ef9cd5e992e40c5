// Does the report of validation say what the file asks for that nobody serves, each thing once?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/model/validation_report.h"

namespace arenaproof::oracle {

// Who serves operators, for one question: of a builtin or custom code.
using Served = bool (*)(std::int64_t code);
// As when nobody is asked: the schema's, without the one of its first field that stands for larger ones.
inline bool EverySchemaCode(std::int64_t code) { return code >= 0 && code <= 209 && code != 127; }

// What is wrong with the report of a file that validation accepts (ok, or kModelUnsupported): kinds, names, counts,
// where each was met first, what went without a place, and the status. Empty when all agree.
std::string CheckValidationReport(std::span<const std::byte> file, const ValidationReport& report,
                                  Served served = EverySchemaCode);

}  // namespace arenaproof::oracle

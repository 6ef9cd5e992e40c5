// JSON as it leaves a program: every string follows the rule of names.h, so that the text is UTF-8 whatever a file's
// names hold, and reads as the report in text does.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/text/tensor_value.h"

namespace arenaproof {

// Fields stay in the order in which a report gives them.
using OrderedJson = nlohmann::ordered_json;

// A report of a command, which begins with "command", with the versions of format and tool behind that: indented, with
// a line break at its end.
std::string JsonReport(OrderedJson report);

// Any other file in JSON, laid out alike.
std::string JsonText(OrderedJson value);

// On one line, without the line break.
std::string JsonLine(OrderedJson value);
std::string JsonLine(nlohmann::json value);

// Integers are integers; what is not a number is null.
nlohmann::json NumbersJson(const std::vector<ElementValue>& values);

}  // namespace arenaproof

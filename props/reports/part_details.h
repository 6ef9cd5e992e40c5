// What a worker reports beside violations and outputs (its self-test, the plan, blind pairs, operators), drawn, and
// what the JSON report has to hold of it by the names of docs/json.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace arenaproof::testing {

struct PartDetails {
  nlohmann::json self_test, plan;                      // events: before anything runs, and when it does
  std::vector<nlohmann::json> at_the_end;              // events of a worker that comes to its end
  nlohmann::json reported_of_start, reported_of_plan;  // fields of the part in the report
  nlohmann::json reported_of_end;
};

PartDetails DrawPartDetails();

// An event of the worker's protocol.
nlohmann::json Event(const char* event, nlohmann::json fields = nlohmann::json::object());

// Each field of `expected` is in `report` and equal there; a complaint, or empty.
std::string FirstDifference(const nlohmann::json& expected, const nlohmann::json& report);

}  // namespace arenaproof::testing

// Graphs of the golden file, and what a planner made of them in its words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/planner/host/arena_planner.h"
#include "engine/cases/synthetic_graph.h"

namespace arenaproof::testing {

inline constexpr char kArenaPlannerCases[] = "golden/arena_planner_cases.json";

// The cases of one kind; empty when the file is absent. Throws when it is there and cannot be read.
std::vector<nlohmann::json> GoldenCases(const std::string& kind);

ArenaTensorKind KindOf(const std::string& name);
SyntheticGraph GraphOf(const nlohmann::json& graph);
ArenaPlannerOptions OptionsOf(const nlohmann::json& golden);

// Whether the file says that the reference is wrong here, or places a tensor twice.
bool ReferenceErrs(const nlohmann::json& golden);
bool PlacesTwice(const nlohmann::json& golden);

// Each tensor's address as an offset in its arena, null for none: "offsets" in the file's form.
nlohmann::json OffsetsOf(const ArenaPlanner& planner, SyntheticGraph& graph);
nlohmann::json LifetimesOf(const ArenaPlanner& planner);
nlohmann::json SharesOf(const ArenaPlanner& planner);

std::string Title(const nlohmann::json& golden);

}  // namespace arenaproof::testing

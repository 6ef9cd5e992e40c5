#include "tests/host_planner/golden_graph_support.h"

#include <fstream>
#include <map>
#include <stdexcept>

#include "tests/support/shared_files.h"

namespace arenaproof::testing {

using nlohmann::json;

std::vector<json> GoldenCases(const std::string& kind) {
  const auto path = SharedFile(kArenaPlannerCases);
  if (!path) return {};
  std::ifstream stream(*path);
  json file = json::parse(stream);
  std::vector<json> cases;
  for (json& golden : file.at("cases")) {
    if (golden.at("kind") == kind) cases.push_back(std::move(golden));
  }
  if (cases.empty()) throw std::runtime_error("no case of kind '" + kind + "' in " + path->string());
  return cases;
}

ArenaTensorKind KindOf(const std::string& name) {
  static const std::map<std::string, ArenaTensorKind> kinds = {{"arena", ArenaTensorKind::kArena},
                                                               {"persistent", ArenaTensorKind::kPersistentArena},
                                                               {"constant", ArenaTensorKind::kConstant},
                                                               {"dynamic", ArenaTensorKind::kDynamic},
                                                               {"custom", ArenaTensorKind::kCustom}};
  return kinds.at(name);
}

SyntheticGraph GraphOf(const json& graph) {
  SyntheticGraph result;
  for (const json& tensor : graph.at("tensors")) {
    result.tensors.push_back({tensor.at(0).get<std::size_t>(), KindOf(tensor.at(1)), nullptr});
  }
  for (const json& node : graph.at("nodes")) {
    result.nodes.push_back({node.at("inputs"), node.at("outputs"), node.at("temporaries"), node.at("flags")});
  }
  result.inputs = graph.at("inputs").get<std::vector<std::int32_t>>();
  result.outputs = graph.at("outputs").get<std::vector<std::int32_t>>();
  result.variables = graph.at("variables").get<std::vector<std::int32_t>>();
  return result;
}

ArenaPlannerOptions OptionsOf(const json& golden) {
  ArenaPlannerOptions options;
  options.preserve_all_tensors = golden.at("preserve_all");
  options.tensor_alignment = golden.at("alignment");
  return options;
}

bool ReferenceErrs(const json& golden) { return golden.value("upstream_defect", false); }
bool PlacesTwice(const json& golden) { return golden.value("candidate_allocated_twice", false); }

json OffsetsOf(const ArenaPlanner& planner, SyntheticGraph& graph) {
  json offsets = json::array();
  for (const ArenaTensor& tensor : graph.tensors) {
    const std::byte* const base = planner.BasePointer(tensor.kind);
    offsets.push_back(tensor.data == nullptr ? json() : json(tensor.data - base));
  }
  return offsets;
}

json LifetimesOf(const ArenaPlanner& planner) {
  const auto node = [](std::int32_t number) { return number == kNoNode ? json() : json(number); };
  json lifetimes = json::array();
  for (const TensorPlan& tensor : planner.tensors()) {
    lifetimes.push_back({node(tensor.alloc_node), node(tensor.dealloc_node)});
  }
  return lifetimes;
}

json SharesOf(const ArenaPlanner& planner) {
  json shares = json::array();
  for (std::size_t i = 0; i < planner.tensors().size(); ++i) {
    if (planner.tensors()[i].owner != -1) shares.push_back({i, planner.tensors()[i].owner});
  }
  return shares;
}

std::string Title(const json& golden) {
  return "case " + std::to_string(golden.at("id").get<int>()) + ", " + golden.at("name").get<std::string>();
}

}  // namespace arenaproof::testing

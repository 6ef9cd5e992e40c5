// The figures of `arenaproof size` add up, on either machine, are the ones that were measured, and each byte stands
// with the operator that asked for it: what operators ask for is known from their definitions and from their appetite.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cases/validated.h"
#include "props/reports/chain_model.h"
#include "props/reports/over_allocating_kernels.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/size.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

const Json* FindOperator(const Json& operators, const ChainOperator& wanted) {
  for (const Json& one : operators) {
    if (one["subgraph"] == wanted.subgraph && one["index"] == wanted.index) return &one;
  }
  return nullptr;
}

std::size_t Figure(const Json& json, const char* name) { return json[name].get<std::size_t>(); }

// Every figure of the report is that of the measurement.
void CheckFigures(const Json& reported, const MemoryNeed& need, bool two_arenas) {
  Json expected = {{"need_bytes", need.need_bytes},
                   {"limited_by", need.limited_by},
                   {"head_bytes", need.head_bytes},
                   {"tail_bytes", need.tail_bytes},
                   {"set_up_peak_bytes", need.set_up_peak_bytes}};
  expected["planning"] = {{"bytes", need.planning.total()},
                          {"records_bytes", need.planning.records},
                          {"planner_bytes", need.planning.planner},
                          {"certifier_bytes", need.planning.certifier},
                          {"description_bytes", need.planning.description}};
  if (two_arenas) {
    expected["persistent_need_bytes"] = need.persistent_need_bytes;
    expected["persistent_limited_by"] = need.persistent_limited_by;
  }
  for (const auto& [name, value] : expected.items()) {
    RC_LOG() << name << " " << reported[name].dump() << ", measured " << value.dump() << "\n";
    Require(reported[name] == value, "the size report has another figure than was measured");
  }
  RC_ASSERT(reported["categories"].size() == need.categories.size());
  for (std::size_t i = 0; i < need.categories.size(); ++i) {
    const TailCategory& category = need.categories[i];
    const Json& one = reported["categories"][i];
    Require(one["name"] == category.name && one["used_bytes"] == category.used_bytes &&
                one["requested_bytes"] == category.requested_bytes && one["count"] == category.block_count,
            "the size report has another category than was measured");
  }
  RC_ASSERT(reported["operators"].size() == need.operators.size());
  for (std::size_t i = 0; i < need.operators.size(); ++i) {
    const OperatorMemory& memory = need.operators[i];
    const Json& one = reported["operators"][i];
    Require(one["subgraph"] == memory.subgraph && one["index"] == memory.operator_index &&
                one["persistent_bytes"] == memory.persistent_bytes &&
                one["temporary_peak_bytes"] == memory.temporary_peak_bytes,
            "the size report has another figure of an operator than was measured");
  }
}

// An operator's persistent bytes are what all of its kind take and its own appetite, besides
// what records and alignment cost; of temporaries the same.
void CheckOperators(const Json& operators, const ChainModel& model) {
  constexpr std::size_t kAlignment = 16, kBlocks = 3;  // each block with a record of its own
  std::map<std::string, std::size_t> of_kind;
  RC_ASSERT(operators.size() == model.operators.size());
  for (const ChainOperator& expected : model.operators) {
    RC_LOG() << "operator " << expected.index << " of subgraph " << expected.subgraph << ", " << expected.name << "\n";
    const Json* const reported = FindOperator(operators, expected);
    RC_ASSERT(reported != nullptr);
    RC_ASSERT((*reported)["name"] == expected.name);
    Require(Figure(*reported, "scratch_bytes") == expected.scratch_bytes,
            "an operator is charged with other scratch than it asked for");
    const std::size_t temporary = Figure(*reported, "temporary_peak_bytes"), asked = TemporaryBytes(expected.output);
    RC_LOG() << "temporary " << temporary << ", asked for " << asked << "\n";
    Require(temporary >= asked && (asked == 0 ? temporary == 0 : temporary < asked + 2 * kBlocks * kAlignment),
            "an operator is charged with other temporaries than it took");
    const std::size_t persistent = Figure(*reported, "persistent_bytes");
    const std::size_t additional = AdditionalPersistentBytes(expected.output);
    RC_LOG() << "persistent " << persistent << ", of which additional " << additional << "\n";
    const std::size_t rest = persistent - additional;
    const std::size_t usual = of_kind.try_emplace(expected.name, rest).first->second;
    Require(persistent > additional && rest < usual + kBlocks * kAlignment && usual < rest + kBlocks * kAlignment,
            "an operator is charged with other persistent memory than it took");
  }
}

void CheckNeed(const Json& need, const ChainModel& model, bool two_arenas) {
  const auto number = [&](const char* name) { return Figure(need, name); };
  std::size_t categories = 0, of_operators = 0, persistent = 0;
  for (const Json& category : need["categories"]) {
    categories += Figure(category, "used_bytes");
    const std::string name = category["name"];
    if (name.starts_with("operators' ") || name == "records of operators' blocks") {
      of_operators += Figure(category, "used_bytes");
    }
    RC_ASSERT(category["used_bytes"] >= category["requested_bytes"]);
  }
  Require(categories == number("tail_bytes"), "the categories are not the tail together");
  CheckOperators(need["operators"], model);
  for (const Json& one : need["operators"]) persistent += Figure(one, "persistent_bytes");
  Require(persistent == of_operators, "operators take other persistent memory together than the tail holds of theirs");
  if (two_arenas) {
    RC_ASSERT(number("persistent_need_bytes") >= number("tail_bytes"));
    RC_ASSERT(number("need_bytes") >= number("head_bytes"));
  } else {
    RC_ASSERT(number("need_bytes") >= number("head_bytes") + number("tail_bytes"));
  }
  RC_ASSERT(number("need_bytes") >= number("set_up_peak_bytes"));
}

// The table's line of an operator: where it stands, name, persistent, scratch, temporary.
void CheckOperatorsText(const std::string& text, const Json& operators, const ChainModel& model) {
  for (const ChainOperator& expected : model.operators) {
    const Json& reported = *FindOperator(operators, expected);
    const std::string place =
        (expected.subgraph == 0 ? "" : std::to_string(expected.subgraph) + ":") + std::to_string(expected.index);
    std::istringstream lines(text.substr(text.find("what operators take")));
    std::string line;
    int found = 0;
    while (std::getline(lines, line) && !line.empty()) {
      std::istringstream words(line);
      std::string where, name, persistent, scratch, temporary;
      words >> where >> name >> persistent >> scratch >> temporary;
      if (where != place) continue;
      ++found;
      RC_ASSERT(name == expected.name);
      Require(scratch == reported["scratch_bytes"].dump() && persistent == reported["persistent_bytes"].dump() &&
                  temporary == reported["temporary_peak_bytes"].dump(),
              "text and JSON of the size report have different figures");
    }
    RC_ASSERT(found == 1);
  }
}

RC_GTEST_PROP(SizeReports, AddUpAndChargeWhoAsked, ()) {
  const ChainModel model = DrawChainModel();
  RC_LOG() << model.described << "\n";
  const ValidatedModel view = Validated(model.file);
  SizeOptions options;
  options.model = "m.tflite";
  options.two_arenas = Below(2) == 1;
  for (const char* const target : {"host64", "arm32"}) {
    options.target = target;
    const SizeResult result = MeasureModel(options, view, OverAllocatingKernels());
    RC_LOG() << target << " " << result.problem << "\n";
    RC_ASSERT(result.problem.empty());
    const Json report = Json::parse(SizeReportJson(options, view, result));
    CheckNeed(report["faithful"], model, options.two_arenas);
    CheckFigures(report["faithful"], result.faithful, options.two_arenas);
    RC_ASSERT(report.contains("dilated") == result.dilated.has_value());
    if (result.dilated) {
      CheckNeed(report["dilated"], model, options.two_arenas);
      CheckFigures(report["dilated"], *result.dilated, options.two_arenas);
    }
    CheckOperatorsText(SizeReportText(options, view, result), report["faithful"]["operators"], model);
  }
}

}  // namespace
}  // namespace arenaproof::testing

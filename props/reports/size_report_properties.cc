// The figures of `arenaproof size` add up, on either machine, and each byte of scratch stands with the operator that
// asked for it: what operators ask for is known from their definitions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/reference/reference_kernels.h"
#include "props/reports/chain_model.h"
#include "tools/size.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

const Json* FindOperator(const Json& operators, const ChainOperator& wanted) {
  for (const Json& one : operators) {
    if (one["subgraph"] == wanted.subgraph && one["index"] == wanted.index) return &one;
  }
  return nullptr;
}

void JudgeNeed(const Json& need, const ChainModel& model, bool two_arenas) {
  const auto number = [&](const char* name) { return need[name].get<std::size_t>(); };
  std::size_t categories = 0, persistent = 0;
  for (const Json& category : need["categories"]) {
    categories += category["used_bytes"].get<std::size_t>();
    RC_ASSERT(category["used_bytes"] >= category["requested_bytes"]);
  }
  RC_ASSERT(categories == number("tail_bytes"));
  RC_ASSERT(need["operators"].size() == model.operators.size());
  for (const ChainOperator& expected : model.operators) {
    RC_LOG() << "operator " << expected.index << " of subgraph " << expected.subgraph << ", " << expected.name << "\n";
    const Json* const told = FindOperator(need["operators"], expected);
    RC_ASSERT(told != nullptr);
    RC_ASSERT((*told)["name"] == expected.name);
    RC_ASSERT((*told)["scratch_bytes"] == expected.scratch_bytes);
    RC_ASSERT((*told)["persistent_bytes"] > 0);
    persistent += (*told)["persistent_bytes"].get<std::size_t>();
  }
  RC_ASSERT(persistent < number("tail_bytes"));
  if (two_arenas) {
    RC_ASSERT(number("persistent_need_bytes") >= number("tail_bytes"));
    RC_ASSERT(number("need_bytes") >= number("head_bytes"));
  } else {
    RC_ASSERT(number("need_bytes") >= number("head_bytes") + number("tail_bytes"));
  }
  RC_ASSERT(number("need_bytes") >= number("set_up_peak_bytes"));
}

// The table's line of an operator: where it stands, name, persistent, scratch, temporary.
void JudgeText(const std::string& text, const ChainModel& model) {
  for (const ChainOperator& expected : model.operators) {
    const std::string place =
        (expected.subgraph == 0 ? "" : std::to_string(expected.subgraph) + ":") + std::to_string(expected.index);
    std::istringstream lines(text.substr(text.find("what operators take")));
    std::string line;
    int found = 0;
    while (std::getline(lines, line) && !line.empty()) {
      std::istringstream words(line);
      std::string where, name, persistent, scratch;
      words >> where >> name >> persistent >> scratch;
      if (where != place) continue;
      ++found;
      RC_ASSERT(name == expected.name);
      RC_ASSERT(scratch == std::to_string(expected.scratch_bytes));
    }
    RC_ASSERT(found == 1);
  }
}

RC_GTEST_PROP(SizeReports, AddUpAndChargeWhoAsked, ()) {
  const ChainModel model = DrawChainModel();
  RC_LOG() << model.described << "\n";
  ModelView view;
  RC_ASSERT(ModelView::Open(model.file, &view).ok());
  SizeOptions options{.model = "m.tflite"};
  options.two_arenas = *rc::gen::inRange(0, 2) == 1;
  for (const char* const target : {"host64", "arm32"}) {
    options.target = target;
    const SizeResult result = MeasureModel(options, view, ReferenceKernels());
    RC_LOG() << target << " " << result.problem << "\n";
    RC_ASSERT(result.problem.empty());
    const Json report = Json::parse(SizeReportJson(options, view, result));
    JudgeNeed(report["faithful"], model, options.two_arenas);
    if (report.contains("dilated")) JudgeNeed(report["dilated"], model, options.two_arenas);
    JudgeText(SizeReportText(options, view, result), model);
  }
}

}  // namespace
}  // namespace arenaproof::testing

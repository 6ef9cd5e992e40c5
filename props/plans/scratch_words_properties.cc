// --scratch=OPERATOR:BYTES, by the operator's name, its index in the first subgraph, or SUBGRAPH:INDEX: who asks for
// what afterwards, and which words are about no operator.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "engine/cases/validated.h"
#include "engine/generators/reach_report.h"
#include "kernels/reference/reference_kernels.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/model/planning_kernels.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

constexpr std::array kNamesOfMissing = {"fold", "spread", "0", "1:0"};  // the last two look like places

struct MissingOperator {
  std::size_t subgraph = 0, index = 0;
  std::string name;
  std::vector<std::size_t> bytes = {};
  bool known = false;

  bool IsCalled(const std::string& word) const {
    return word == name || word == std::to_string(subgraph) + ":" + std::to_string(index) ||
           (subgraph == 0 && word == std::to_string(index));
  }
};

// Subgraphs of operators in a row that nobody serves.
ModelBuilder DrawModelOfMissing(std::vector<MissingOperator>& operators) {
  ModelBuilder model;
  for (std::size_t s = 0, subgraphs = 1 + Below<std::size_t>(3); s < subgraphs; ++s) {
    SubgraphSpec& graph = model.AddSubgraph();
    std::int32_t last = graph.AddTensor({.shape = {{4}}});
    graph.inputs = {last};
    for (std::size_t i = 0, count = 1 + Below<std::size_t>(4); i < count; ++i) {
      const std::string name = kNamesOfMissing[Below(OneIn(3) ? kNamesOfMissing.size() : 2)];
      const std::int32_t next = graph.AddTensor({.shape = {{4}}});
      graph.AddOperator({.code = model.AddCustomCode(name), .inputs = {last}, .outputs = {next}});
      operators.push_back({s, i, name});
      last = next;
    }
    graph.outputs = {last};
  }
  return model;
}

std::string DrawWord(const std::vector<MissingOperator>& operators) {
  const MissingOperator& one = operators[Below(operators.size())];
  switch (Below(4)) {
    case 0:
      return one.name;
    case 1:
      return std::to_string(one.index);
    case 2:
      return std::to_string(one.subgraph) + ":" + std::to_string(one.index);
    default:
      return std::to_string(Below(5)) + ":" + std::to_string(Below(6));
  }
}

RC_GTEST_PROP(ScratchWords, AreAboutTheOperatorsThatTheyName, ()) {
  std::vector<MissingOperator> expected;
  const std::vector<std::byte> file = DrawModelOfMissing(expected).Finish();
  const ValidatedModel model = Validated(file);
  PlanningKernels kernels;
  kernels.Complete(ReferenceKernels(), model);
  for (std::size_t left = Below<std::size_t>(5); left > 0; --left) {
    const std::string name = DrawWord(expected);
    const std::size_t bytes = OneIn(5) ? 0 : 1 + Below<std::size_t>(5000);
    bool named = false;
    for (MissingOperator& one : expected) {
      if (!one.IsCalled(name)) continue;
      named = one.known = true;
      if (bytes > 0) one.bytes.push_back(bytes);
    }
    RC_LOG() << name << ":" << bytes << "\n";
    const std::string problem = kernels.TakeScratch(std::vector<std::string>{name + ":" + std::to_string(bytes)});
    Require(problem.empty() == named, "a word is taken when it names an operator: " + problem);
    CountReach(named ? "words that name operators" : "words that name none", 1);
  }
  Require(kernels.unserved().size() == expected.size(), "every operator without a kernel is listed");
  bool all_known = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const UnservedOperator& unserved = kernels.unserved()[i];
    const MissingOperator& one = expected[i];
    all_known = all_known && one.known;
    Require(unserved.location.subgraph == static_cast<std::int32_t>(one.subgraph) &&
                unserved.location.operator_index == static_cast<std::int32_t>(one.index),
            "in the order of the model");
    Require(unserved.scratch_bytes == one.bytes && unserved.scratch_is_known == one.known,
            "an operator asks for what was said of it, and for nothing else");
  }
  Require(kernels.knows_all_scratch() == all_known, "the head is a lower bound while something is not said");
}

}  // namespace
}  // namespace arenaproof::testing

#include "fuzz/model_pipeline/plan_drill.h"

#include <algorithm>

#include "core/model/model_view.h"
#include "core/runtime/interpreter.h"
#include "fuzz/model_pipeline/drill_network.h"
#include "props/model_oracles/committed_plan.h"
#include "props/model_oracles/planning_judge.h"
#include "tools/model_builder.h"
#include "tools/plan_recorder.h"

namespace arenaproof {
namespace {

constexpr std::size_t kArenaBytes = 16384;
alignas(64) std::byte arena[kArenaBytes];

using Plan = std::vector<PlannedBuffer>;

std::string NameOf(const PlannedBuffer& buffer) {
  return (buffer.tensor >= 0 ? "tensor " + std::to_string(buffer.tensor)
                             : "scratch buffer " + std::to_string(buffer.scratch)) +
         " of subgraph " + std::to_string(buffer.subgraph);
}

bool AreTogether(const PlannedBuffer& a, const PlannedBuffer& b) { return a.first <= b.last && b.first <= a.last; }

// Tensor i is made of tensor i - 1 by operator i - 1.
std::vector<std::byte> ChainOf(std::int32_t operators) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor({.type = TensorType::kInt8, .shape = {{16}}});
  for (std::int32_t i = 0; i < operators; ++i) {
    graph.AddTensor({.type = TensorType::kInt8, .shape = {{16}}});
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {i}, .outputs = {i + 1}});
  }
  graph.inputs = {0};
  graph.outputs = {operators};
  return builder.Finish();
}

class Drill {
 public:
  std::vector<std::string> Run() {
    for (const std::size_t operators : {oracle::kMostJudgedBuffers / 8, oracle::kMostJudgedBuffers + 64}) {
      ShowChain(static_cast<std::int32_t>(operators));
    }
    ShowNetwork();
    return missed_;
  }

 private:
  void RequireSilence(const Plan& plan, const std::string& what) {
    const std::string complaint = oracle::JudgeCommittedPlan(model_, plan, kArenaBytes);
    if (!complaint.empty()) missed_.push_back(what + " is right: " + complaint);
  }
  void RequireComplaint(const Plan& plan, const std::string& what) {
    if (oracle::JudgeCommittedPlan(model_, plan, kArenaBytes).empty()) {
      missed_.push_back("the judge of plans lets pass " + what);
    }
  }

  // Neighbours in a chain are alive together in one scope: that of the operator between them.
  void ShowChain(std::int32_t operators) {
    const std::vector<std::byte> file = ChainOf(operators);
    if (!ModelView::Open(file, &model_).ok()) return missed_.push_back("a chain is no model");
    const std::string chain = " in a chain of " + std::to_string(operators);
    Plan right;
    for (std::int32_t i = 0; i <= operators; ++i) {
      right.push_back({.tensor = i,
                       .offset = static_cast<std::size_t>(i % 3) * 32,
                       .bytes = 16,
                       .first = i,
                       .last = std::min(i + 1, operators)});
    }
    RequireSilence(right, "a plan" + chain);
    for (const std::int32_t at : {1, 2, operators / 2, operators}) {
      const auto i = static_cast<std::size_t>(at);
      for (const auto& [what, move] : {std::pair<const char*, std::ptrdiff_t>{"an output on its input", 0},
                                       {"an output on the start of its input", -8},
                                       {"an output on the end of its input", 8}}) {
        Plan wrong = right;
        if (move < 0 && wrong[i - 1].offset == 0) continue;
        wrong[i].offset = wrong[i - 1].offset + static_cast<std::size_t>(move);
        RequireComplaint(wrong, what + chain + ", at " + std::to_string(at));
        std::swap(wrong[i], wrong[i - 1]);
        RequireComplaint(wrong, what + chain + " planned in another order, at " + std::to_string(at));
      }
    }
  }

  void ShowNetwork() {
    const std::vector<std::byte> file = DrillNetwork();
    PlanRecorder recorder;
    if (!ModelView::Open(file, &model_).ok()) return missed_.push_back("the drill's network is no model");
    Interpreter interpreter(model_, DrillNetworkKernels(), arena, kArenaBytes, {.observer = &recorder});
    if (!interpreter.AllocateTensors().ok()) return missed_.push_back("the drill's network is not set up");
    Plan right = recorder.plan();
    RequireSilence(right, "the plan of the drill's network");
    // As if a model's own plan had placed them.
    std::size_t end = interpreter.head_bytes();
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t i = 0; i < model_.tensor_count(s); ++i) {
        if (!model_.tensor(s, i).is_variable) continue;
        PlannedBuffer placed{.subgraph = static_cast<std::int32_t>(s), .tensor = static_cast<std::int32_t>(i)};
        placed.offset = (end + 15) / 16 * 16;
        placed.bytes = static_cast<std::size_t>(model_.tensor(s, i).shape[0]);
        placed.first = 0;
        placed.last = 99;
        end = placed.offset + placed.bytes;
        right.push_back(placed);
      }
    }
    RequireSilence(right, "the plan of the drill's network with its variables in the head");
    for (std::size_t i = 0; i < right.size(); ++i) {
      ChangeOne(right, i);
      for (std::size_t j = 0; j < right.size(); ++j) {
        if (i == j || !AreTogether(right[i], right[j])) continue;
        Plan wrong = right;
        wrong[i].offset = wrong[j].offset;
        RequireComplaint(wrong, NameOf(right[i]) + " on " + NameOf(right[j]));
      }
    }
  }

  void ChangeOne(const Plan& right, std::size_t i) {
    const auto show = [&](const char* what, auto change) {
      Plan wrong = right;
      change(wrong[i]);
      RequireComplaint(wrong, NameOf(right[i]) + what);
    };
    show(" misaligned", [](PlannedBuffer& b) { b.offset += 8; });
    show(" outside", [](PlannedBuffer& b) { b.offset = kArenaBytes; });
    show(" of another subgraph", [](PlannedBuffer& b) { b.subgraph = 1 - b.subgraph; });
    if (right[i].tensor >= 0) {
      show(" of a byte less", [](PlannedBuffer& b) { --b.bytes; });
      show(" of a byte more", [](PlannedBuffer& b) { ++b.bytes; });
      show(" for a constant", [](PlannedBuffer& b) { b.tensor = 1; });
      show(" for a tensor that is not there", [](PlannedBuffer& b) { b.tensor = 99; });
    } else {
      show(" of another operator", [](PlannedBuffer& b) { b.owner_operator = 1 - b.owner_operator; });
    }
    const bool variable =
        right[i].tensor >= 0 &&
        model_.tensor(static_cast<std::size_t>(right[i].subgraph), static_cast<std::size_t>(right[i].tensor))
            .is_variable;
    if (!variable) {  // the head's are alive all the time, whatever is said
      show(" that begins late", [](PlannedBuffer& b) { ++b.first; });
      show(" that begins early", [](PlannedBuffer& b) { --b.first; });
      show(" that dies late", [](PlannedBuffer& b) { ++b.last; });
      show(" that dies early", [](PlannedBuffer& b) { --b.last; });
    }
    Plan twice = right;
    twice.push_back(right[i]);
    RequireComplaint(twice, NameOf(right[i]) + " twice");
  }

  ModelView model_;
  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> DrillPlanJudge() { return Drill().Run(); }

}  // namespace arenaproof

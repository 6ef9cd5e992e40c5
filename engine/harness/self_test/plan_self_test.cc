#include "engine/harness/self_test/plan_self_test.h"

#include <algorithm>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "engine/harness/self_test/self_test_network.h"
#include "engine/oracles/model/committed_plan.h"
#include "engine/oracles/model/planning_oracle.h"
#include "tools/model/plan_recorder.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using Plan = std::vector<PlanEntry>;

std::string NameOfBuffer(const PlanEntry& buffer) {
  return (buffer.tensor >= 0 ? "tensor " + std::to_string(buffer.tensor)
                             : "scratch buffer " + std::to_string(buffer.scratch)) +
         " of subgraph " + std::to_string(buffer.subgraph);
}

bool AreTogether(const PlanEntry& a, const PlanEntry& b) { return a.first <= b.last && b.first <= a.last; }

constexpr std::size_t kChainBytes = 48;  // of each tensor of a chain
constexpr const char* kShares = "share bytes";
constexpr const char* kLifetime = "has the lifetime [";

// Tensor i is made of tensor i - 1 by operator i - 1.
std::vector<std::byte> ChainOf(std::int32_t operators) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor({.type = TensorType::kInt8, .shape = {{kChainBytes}}});
  for (std::int32_t i = 0; i < operators; ++i) {
    graph.AddTensor({.type = TensorType::kInt8, .shape = {{kChainBytes}}});
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {i}, .outputs = {i + 1}});
  }
  graph.inputs = {0};
  graph.outputs = {operators};
  return builder.Finish();
}

class PlanOracleSelfTest {
 public:
  std::vector<std::string> Run() {
    for (const std::size_t operators : {oracle::kMostCheckedBuffers / 8, oracle::kMostCheckedBuffers + 64}) {
      ShowChain(static_cast<std::int32_t>(operators));
    }
    ShowNetwork();
    return missed_;
  }

 private:
  void RequireSilence(const Plan& plan, const std::string& what) {
    const std::string complaint = oracle::CheckCommittedPlan(model_, plan, kSelfTestArenaBytes);
    if (!complaint.empty()) missed_.push_back(what + " is right: " + complaint);
  }
  void RequireComplaint(const Plan& plan, const std::string& words, const std::string& what) {
    const std::string complaint = oracle::CheckCommittedPlan(model_, plan, kSelfTestArenaBytes);
    if (complaint.find(words) != std::string::npos) return;
    missed_.push_back("the plan oracle lets pass " + what + ", or says it of something else: '" + complaint +
                      "' instead of '" + words + "'");
  }

  // Neighbours in a chain are alive together in one scope: that of the operator between them.
  void ShowChain(std::int32_t operators) {
    const std::vector<std::byte> file = ChainOf(operators);
    if (!ModelView::Open(file, &model_).ok()) return missed_.push_back("a chain is no model");
    const std::string chain = " in a chain of " + std::to_string(operators);
    Plan right;
    for (const std::size_t step_bytes : {kChainBytes + 16, kChainBytes}) {  // also with nothing between two
      right.clear();
      for (std::int32_t i = 0; i <= operators; ++i) {
        right.push_back({.tensor = i,
                         .offset = 64 + static_cast<std::size_t>(i % 3) * step_bytes,
                         .bytes = kChainBytes,
                         .first = i,
                         .last = std::min(i + 1, operators)});
      }
      RequireSilence(right, "a plan" + chain);
    }
    for (const std::int32_t at : {1, 2, operators / 2, operators}) {
      const auto i = static_cast<std::size_t>(at);
      const std::string place = chain + ", at " + std::to_string(at);
      for (const auto& [what, move] : {std::pair<const char*, std::ptrdiff_t>{"an output on its input", 0},
                                       {"an output on the start of its input", -16},
                                       {"an output on the first bytes of its input", -32},
                                       {"an output on the end of its input", 16},
                                       {"an output on the last bytes of its input", 32}}) {
        Plan wrong = right;
        wrong[i].offset = wrong[i - 1].offset + static_cast<std::size_t>(move);
        RequireComplaint(wrong, kShares, what + place);
        std::swap(wrong[i], wrong[i - 1]);
        RequireComplaint(wrong, kShares, what + place + " planned in another order");
      }
      ShowNumbers(right, i, place);
    }
  }

  // Numbers that cannot be, of a plan of any length.
  void ShowNumbers(const Plan& right, std::size_t i, const std::string& place) {
    const auto show = [&](const char* what, const char* words, auto change) {
      Plan wrong = right;
      change(wrong[i]);
      RequireComplaint(wrong, words, NameOfBuffer(right[i]) + what + place);
    };
    show(" misaligned", "I3", [](PlanEntry& b) { b.offset += 8; });
    show(" outside", "I2", [](PlanEntry& b) { b.offset = kSelfTestArenaBytes; });
    show(" that ends outside", "I2", [](PlanEntry& b) { b.offset = kSelfTestArenaBytes - b.bytes / 16 * 16 + 16; });
    show(" at the end of all addresses", "I2", [](PlanEntry& b) { b.offset = SIZE_MAX - 15; });
    show(" of more bytes than there are", "I2", [](PlanEntry& b) { b.bytes = SIZE_MAX - b.offset; });
    for (const std::int32_t none : {2, INT32_MAX, -1, INT32_MIN}) {
      show(" of a subgraph that is not there", "is of no subgraph", [&](PlanEntry& b) { b.subgraph = none; });
    }
    for (const std::int32_t none : {99'999, INT32_MAX}) {
      if (right[i].tensor >= 0) {
        show(" for a tensor that is not there", "is no tensor", [&](PlanEntry& b) { b.tensor = none; });
      } else {
        show(" of an operator that is not there", "is of no operator", [&](PlanEntry& b) { b.owner_operator = none; });
      }
    }
  }

  void ShowNetwork() {
    const std::vector<std::byte> file = SelfTestNetwork();
    PlanRecorder recorder;
    const ValidatedModel model = Validated(file);
    if (!ModelView::Open(file, &model_).ok()) return missed_.push_back("the self-test's network is no model");
    Interpreter interpreter(model, SelfTestNetworkKernels(), SelfTestArena(), kSelfTestArenaBytes,
                            {.observer = &recorder});
    if (!interpreter.AllocateTensors().ok()) return missed_.push_back("the self-test's network is not set up");
    Plan right = recorder.plan();
    RequireSilence(right, "the plan of the self-test's network");
    // The variables get places as if a model's own plan had placed them.
    std::size_t end = interpreter.head_bytes();
    for (std::size_t s = 0; s < model_.subgraph_count(); ++s) {
      for (std::size_t i = 0; i < model_.tensor_count(s); ++i) {
        if (!model_.tensor(s, i).is_variable) continue;
        PlanEntry placed{.subgraph = static_cast<std::int32_t>(s), .tensor = static_cast<std::int32_t>(i)};
        placed.offset = (end + 15) / 16 * 16;
        placed.bytes = static_cast<std::size_t>(model_.tensor(s, i).shape[0]);
        placed.first = 0;
        placed.last = 99;
        end = placed.offset + placed.bytes;
        right.push_back(placed);
      }
    }
    RequireSilence(right, "the plan of the self-test's network with its variables in the head");
    for (std::size_t i = 0; i < right.size(); ++i) {
      ChangeOne(right, i);
      for (std::size_t j = 0; j < right.size(); ++j) {
        if (i == j || !AreTogether(right[i], right[j])) continue;
        Plan wrong = right;
        wrong[i].offset = wrong[j].offset;
        RequireComplaint(wrong, kShares, NameOfBuffer(right[i]) + " on " + NameOfBuffer(right[j]));
      }
    }
  }

  void ChangeOne(const Plan& right, std::size_t i) {
    ShowNumbers(right, i, " of the self-test's network");
    const auto show = [&](const char* what, const char* words, auto change) {
      Plan wrong = right;
      change(wrong[i]);
      RequireComplaint(wrong, words, NameOfBuffer(right[i]) + what);
    };
    show(" of another subgraph", "in the committed plan", [](PlanEntry& b) { b.subgraph = 1 - b.subgraph; });
    if (right[i].tensor >= 0) {
      show(" of a byte less", "not those of its shape", [](PlanEntry& b) { --b.bytes; });
      show(" of a byte more", "not those of its shape", [](PlanEntry& b) { ++b.bytes; });
      show(" for a constant", "is a constant", [](PlanEntry& b) { b.tensor = 1; });
    } else {
      show(" of another operator", "in the committed plan",
           [](PlanEntry& b) { b.owner_operator = 1 - b.owner_operator; });
    }
    const bool variable =
        right[i].tensor >= 0 &&
        model_.tensor(static_cast<std::size_t>(right[i].subgraph), static_cast<std::size_t>(right[i].tensor))
            .is_variable;
    if (!variable) {  // the head's are alive all the time, whatever is said
      show(" that begins late", kLifetime, [](PlanEntry& b) { ++b.first; });
      show(" that begins early", kLifetime, [](PlanEntry& b) { --b.first; });
      show(" that dies late", kLifetime, [](PlanEntry& b) { ++b.last; });
      show(" that dies early", kLifetime, [](PlanEntry& b) { --b.last; });
    }
    Plan twice = right;
    twice.push_back(right[i]);
    RequireComplaint(twice, right[i].tensor >= 0 ? "is planned twice" : kShares, NameOfBuffer(right[i]) + " twice");
  }

  ModelView model_;
  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> RunPlanOracleSelfTest() { return PlanOracleSelfTest().Run(); }

}  // namespace arenaproof

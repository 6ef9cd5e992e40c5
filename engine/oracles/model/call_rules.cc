#include "engine/oracles/model/call_rules.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/model/call_tree.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

class CallRules {
 public:
  explicit CallRules(const wire::Model& model) : model_(model) {}

  std::vector<BrokenRule> All() {
    const std::size_t count = Count(model_.subgraphs());
    if (count > kMaxSubgraphCount) return {};
    costs_.assign(count, {});
    state_.assign(count, 0);
    for (std::size_t s = 0; s < count; ++s) Visit(s);
    for (std::size_t s = 0; s < count && cyclic_; ++s) {
      // Following a circle for ever is also too deep and too much work, whichever is found first.
      Break(StatusCode::kModelCallDepth);
      Break(StatusCode::kModelCallWork);
    }
    for (std::size_t s = 0; s < count && !cyclic_; ++s) {
      if (costs_[s].depth > kMaxCallDepth) Break(StatusCode::kModelCallDepth);
      if (costs_[s].steps > kMaxCallWork) Break(StatusCode::kModelCallWork, s, kMaxCallWork);
    }
    return std::move(broken_);
  }

 private:
  template <typename... Numbers>
  void Break(StatusCode code, Numbers... numbers) {
    broken_.push_back(BrokenRuleOf(code, numbers...));
  }

  struct Cost {
    std::uint64_t steps = 0;
    std::size_t depth = 1;
  };

  void Visit(std::size_t s) {
    if (state_[s] == 2) return;
    state_[s] = 1;
    const wire::SubGraph& graph = *Entry(model_.subgraphs(), s);
    Cost cost;
    cost.steps = Count(model_.subgraphs()) + Count(graph.inputs()) + Count(graph.outputs());
    for (std::size_t i = 0; i < Count(graph.operators()); ++i) {
      const wire::Operator& op = *Entry(graph.operators(), i);
      cost.steps += 1 + Count(op.inputs()) + Count(op.outputs());
      for (const std::int64_t callee : CalledSubgraphs(model_, op)) {
        if (!InRange(callee, Count(model_.subgraphs()))) {
          Break(StatusCode::kModelCalledSubgraph, s, i, callee, Count(model_.subgraphs()));
          continue;
        }
        const auto called = static_cast<std::size_t>(callee);
        if (state_[called] == 1) {
          cyclic_ = true;
          Break(StatusCode::kModelCallCycle);
          continue;
        }
        Visit(called);
        cost.steps = std::min(cost.steps + costs_[called].steps, std::uint64_t{1} << 40);
        cost.depth = std::max(cost.depth, costs_[called].depth + 1);
      }
    }
    costs_[s] = cost;
    state_[s] = 2;
  }

  const wire::Model& model_;
  std::vector<BrokenRule> broken_;
  std::vector<Cost> costs_;
  std::vector<int> state_;  // 0 not visited, 1 being visited, 2 visited
  bool cyclic_ = false;
};

}  // namespace

std::vector<BrokenRule> BrokenCallRules(const wire::Model& model) { return CallRules(model).All(); }

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END

#include "core/model/call_tree.h"

#include <algorithm>

namespace arenaproof {
namespace {

// What the finished walk of a subgraph found: work of the subgraph and everything it calls, and how deep that goes.
struct Finished {
  std::uint32_t work = 0;  // 0: not walked yet (every finished subgraph has at least 1)
  std::uint8_t depth = 0;
};

struct Frame {
  std::uint32_t subgraph = 0;
  std::uint32_t operator_index = 0;
  std::uint8_t branch = 0;
  std::uint8_t depth = 1;
  std::uint64_t work = 0;
};

// Depth-first over the call graph; each subgraph is walked once, its totals are remembered.
class Walk {
 public:
  explicit Walk(const ModelView& model) : model_(model), subgraph_count_(model.subgraph_count()) {}

  Status From(std::size_t root) {
    if (finished_[root].work != 0) return Ok();
    active_ = 0;
    Enter(static_cast<std::uint32_t>(root));
    while (active_ > 0) ARENAPROOF_RETURN_IF_ERROR(Step(stack_[active_ - 1]));
    return Ok();
  }

 private:
  Status Step(Frame& frame) {
    if (frame.operator_index == model_.operator_count(frame.subgraph)) {
      ARENAPROOF_RETURN_IF_ERROR(CheckWork(frame));
      finished_[frame.subgraph] = {static_cast<std::uint32_t>(frame.work), frame.depth};
      --active_;
      return Ok();
    }
    const OperatorView view = model_.operator_at(frame.subgraph, frame.operator_index);
    const CalledSubgraphs called = SubgraphsCalledBy(view);
    if (frame.branch < called.count) return Call(frame, called.subgraph[frame.branch]);
    // Once, when it is left: it is come to again after a callee that had to be walked first.
    frame.work += 1 + view.inputs.size() + view.outputs.size();
    frame.branch = 0;
    ++frame.operator_index;
    return CheckWork(frame);
  }

  Status Call(Frame& frame, std::int32_t callee) {
    if (callee < 0 || static_cast<std::size_t>(callee) >= subgraph_count_) {
      return Failure(StatusCode::kModelCalledSubgraph, frame.subgraph, frame.operator_index, callee, subgraph_count_);
    }
    const auto index = static_cast<std::uint32_t>(callee);
    const Finished& known = finished_[index];
    if (known.work == 0) return Push(frame, index);
    const std::size_t depth = std::size_t{known.depth} + 1;
    if (depth > kMaxCallDepth) return TooDeep(frame);
    frame.depth = std::max(frame.depth, static_cast<std::uint8_t>(depth));
    frame.work += known.work;
    ++frame.branch;
    return CheckWork(frame);
  }

  Status Push(const Frame& frame, std::uint32_t callee) {
    for (std::size_t i = 0; i < active_; ++i) {
      if (stack_[i].subgraph == callee) {
        return Failure(StatusCode::kModelCallCycle, frame.subgraph, frame.operator_index, callee);
      }
    }
    if (active_ == kMaxCallDepth) return TooDeep(frame);
    Enter(callee);
    return Ok();
  }

  void Enter(std::uint32_t subgraph) {
    stack_[active_] = Frame{subgraph};
    stack_[active_].work = CallWork(model_, subgraph);
    ++active_;
  }

  static Status CheckWork(const Frame& frame) {
    if (frame.work <= kMaxCallWork) return Ok();
    return Failure(StatusCode::kModelCallWork, frame.subgraph, kMaxCallWork);
  }

  static Status TooDeep(const Frame& frame) {
    return Failure(StatusCode::kModelCallDepth, frame.subgraph, frame.operator_index, kMaxCallDepth);
  }

  const ModelView& model_;
  const std::size_t subgraph_count_;
  std::array<Finished, kMaxSubgraphCount> finished_{};
  std::array<Frame, kMaxCallDepth> stack_{};
  std::size_t active_ = 0;
};

}  // namespace

CalledSubgraphs SubgraphsCalledBy(const OperatorView& view) {
  if (!view.has_opcode) return {};
  switch (view.code) {
    case BuiltinOperator::kIf:
      if (const auto* options = std::get_if<IfOptions>(&view.options)) {
        return {{options->then_subgraph_index, options->else_subgraph_index}, 2};
      }
      return {};
    case BuiltinOperator::kWhile:
      if (const auto* options = std::get_if<WhileOptions>(&view.options)) {
        return {{options->cond_subgraph_index, options->body_subgraph_index}, 2};
      }
      return {};
    case BuiltinOperator::kCallOnce:
      if (const auto* options = std::get_if<CallOnceOptions>(&view.options)) {
        return {{options->init_subgraph_index, -1}, 1};
      }
      return {};
    default:
      return {};
  }
}

std::uint64_t CallWork(const ModelView& model, std::size_t subgraph) {
  // The tensors of all subgraphs are numbered through, so that an entry looks at each subgraph.
  return std::uint64_t{model.subgraph_count()} + model.inputs(subgraph).size() + model.outputs(subgraph).size();
}

Status CheckCallTree(const ModelView& model) {
  const std::size_t count = model.subgraph_count();
  if (count == 0 || count > kMaxSubgraphCount) {
    return Failure(StatusCode::kModelSubgraphCount, count, 1, kMaxSubgraphCount);
  }
  Walk walk(model);
  for (std::size_t i = 0; i < count; ++i) ARENAPROOF_RETURN_IF_ERROR(walk.From(i));
  return Ok();
}

}  // namespace arenaproof

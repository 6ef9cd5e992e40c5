#include "core/model/lifetimes.h"

#include <algorithm>
#include <array>

namespace arenaproof {
namespace {

bool Before(const ScratchPlace& a, const ScratchPlace& b) {
  return a.subgraph != b.subgraph ? a.subgraph < b.subgraph : a.operator_index < b.operator_index;
}

struct Frame {
  std::uint32_t subgraph = 0;
  std::uint32_t operator_index = 0;
  std::uint32_t next_branch = 0;  // of the operator's calls
  bool begun = false;             // the operator's outputs are noted
  std::size_t first_tensor = 0;   // of the subgraph, over the whole model
  std::int32_t operator_start = 0;
};

class Walk {
 public:
  Walk(const ModelView& model, std::span<Lifetime> tensors, std::span<const ScratchPlace> places,
       std::span<Lifetime> scratch)
      : model_(model), tensors_(tensors), places_(places), scratch_(scratch) {}

  Status Run() {
    ARENAPROOF_RETURN_IF_ERROR(Enter(0));
    while (active_ > 0) ARENAPROOF_RETURN_IF_ERROR(Step(stack_[active_ - 1]));
    return Ok();
  }
  std::int32_t clock() const { return clock_; }

 private:
  void Begin(Lifetime& lifetime) const {
    if (lifetime.first == -1) lifetime.first = clock_;
  }

  Status Enter(std::uint32_t subgraph) {
    Frame& frame = stack_[active_++];
    frame = Frame{};
    frame.subgraph = subgraph;
    frame.first_tensor = model_.first_tensor_of(subgraph);
    ARENAPROOF_RETURN_IF_ERROR(Spend(frame, CallWork(model_, subgraph)));
    return Touch(frame, model_.inputs(subgraph), StatusCode::kModelSubgraphInput);
  }

  // A subgraph's own inputs or outputs.
  Status Touch(const Frame& frame, std::span<const std::int32_t> indices, StatusCode out_of_range) {
    for (std::size_t position = 0; position < indices.size(); ++position) {
      Lifetime* const lifetime = Find(frame, indices[position]);
      if (lifetime == nullptr) {
        return Failure(out_of_range, frame.subgraph, position, indices[position], model_.tensor_count(frame.subgraph));
      }
      Begin(*lifetime);
      lifetime->last = clock_;
    }
    return Ok();
  }

  Status Spend(const Frame& frame, std::uint64_t steps) {
    work_ += steps;
    return work_ <= kMaxCallWork ? Ok() : Failure(StatusCode::kModelCallWork, frame.subgraph, kMaxCallWork);
  }

  Status Leave(const Frame& frame) {
    ARENAPROOF_RETURN_IF_ERROR(Touch(frame, model_.outputs(frame.subgraph), StatusCode::kModelSubgraphOutput));
    --active_;
    return Ok();
  }

  Status Step(Frame& frame) {
    if (frame.operator_index == model_.operator_count(frame.subgraph)) return Leave(frame);
    const OperatorView view = model_.operator_at(frame.subgraph, frame.operator_index);
    if (!frame.begun) ARENAPROOF_RETURN_IF_ERROR(BeginOperator(frame, view));
    const CalledSubgraphs called = SubgraphsCalledBy(view);
    while (frame.next_branch < called.count) {
      const std::int32_t callee = called.subgraph[frame.next_branch++];
      if (callee == -1) continue;  // no walk and no step of the clock
      return Call(frame, callee);
    }
    return EndOperator(frame, view);
  }

  Status BeginOperator(Frame& frame, const OperatorView& view) {
    ARENAPROOF_RETURN_IF_ERROR(Spend(frame, 1 + view.inputs.size() + view.outputs.size()));
    ++clock_;
    for (const std::int32_t index : view.outputs) {
      Lifetime* const lifetime = Find(frame, index);
      if (lifetime == nullptr) return OutOfRange(StatusCode::kModelOperatorOutput, frame, index);
      Begin(*lifetime);
    }
    frame.operator_start = clock_;
    frame.begun = true;
    return Ok();
  }

  Status Call(const Frame& frame, std::int32_t callee) {
    const std::size_t subgraph_count = model_.subgraph_count();
    if (callee < 0 || static_cast<std::size_t>(callee) >= subgraph_count) {
      return Failure(StatusCode::kModelCalledSubgraph, frame.subgraph, frame.operator_index, callee, subgraph_count);
    }
    const auto subgraph = static_cast<std::uint32_t>(callee);
    for (std::size_t i = 0; i < active_; ++i) {
      if (stack_[i].subgraph == subgraph) {
        return Failure(StatusCode::kModelCallCycle, frame.subgraph, frame.operator_index, subgraph);
      }
    }
    if (active_ == kMaxCallDepth) {
      return Failure(StatusCode::kModelCallDepth, frame.subgraph, frame.operator_index, kMaxCallDepth);
    }
    ++clock_;
    return Enter(subgraph);
  }

  Status EndOperator(Frame& frame, const OperatorView& view) {
    for (const std::int32_t index : view.inputs) {
      if (index == -1) continue;
      Lifetime* const lifetime = Find(frame, index);
      if (lifetime == nullptr) return OutOfRange(StatusCode::kModelOperatorInput, frame, index);
      lifetime->last = clock_;
    }
    for (const std::int32_t index : view.outputs) Find(frame, index)->last = clock_;
    const ScratchPlace place{frame.subgraph, frame.operator_index};
    const auto first = std::lower_bound(places_.begin(), places_.end(), place, Before);
    for (auto i = static_cast<std::size_t>(first - places_.begin()); i < places_.size(); ++i) {
      if (Before(place, places_[i])) break;
      ARENAPROOF_RETURN_IF_ERROR(Spend(frame, 1));
      if (scratch_[i].first == -1) scratch_[i].first = frame.operator_start;
      scratch_[i].last = clock_;
    }
    ++frame.operator_index;
    frame.next_branch = 0;
    frame.begun = false;
    return Ok();
  }

  Lifetime* Find(const Frame& frame, std::int32_t index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= model_.tensor_count(frame.subgraph)) return nullptr;
    return &tensors_[frame.first_tensor + static_cast<std::size_t>(index)];
  }

  Status OutOfRange(StatusCode code, const Frame& frame, std::int32_t index) const {
    return Failure(code, frame.subgraph, frame.operator_index, index, model_.tensor_count(frame.subgraph));
  }

  const ModelView& model_;
  std::span<Lifetime> tensors_;
  std::span<const ScratchPlace> places_;
  std::span<Lifetime> scratch_;
  std::array<Frame, kMaxCallDepth> stack_{};
  std::size_t active_ = 0;
  std::int32_t clock_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace

Status ComputeLifetimes(const ModelView& model, std::span<Lifetime> tensors,
                        std::span<const ScratchPlace> scratch_places, std::span<Lifetime> scratch,
                        std::int32_t* last_time) {
  const std::size_t tensor_count = model.total_tensor_count();
  if (tensors.size() != tensor_count) return Failure(StatusCode::kLifetimeSpan, tensors.size(), tensor_count);
  if (scratch.size() != scratch_places.size()) {
    return Failure(StatusCode::kLifetimeSpan, scratch.size(), scratch_places.size());
  }
  for (std::size_t i = 1; i < scratch_places.size(); ++i) {
    if (Before(scratch_places[i], scratch_places[i - 1])) return Failure(StatusCode::kLifetimeScratchOrder, i);
  }
  if (model.subgraph_count() == 0) return Failure(StatusCode::kModelSubgraphCount, 0, 1, kMaxSubgraphCount);
  std::fill(tensors.begin(), tensors.end(), Lifetime{});
  std::fill(scratch.begin(), scratch.end(), Lifetime{});

  Walk walk(model, tensors, scratch_places, scratch);
  ARENAPROOF_RETURN_IF_ERROR(walk.Run());
  if (last_time != nullptr) *last_time = walk.clock();
  return Ok();
}

}  // namespace arenaproof

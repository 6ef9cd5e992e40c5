#include "engine/oracles/model/reference_lifetimes.h"

#include <optional>

#include "core/model/call_tree.h"
#include "engine/oracles/model/wire_model.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

class Walk {
 public:
  Walk(const wire::Model& model, std::span<const ScratchPlace> places) : model_(model) {
    std::size_t tensor_count = 0;
    for (std::size_t s = 0; s < Count(model.subgraphs()); ++s) {
      first_tensor_.push_back(tensor_count);
      tensor_count += Count(Entry(model.subgraphs(), s)->tensors());
    }
    result_.tensors.resize(tensor_count);
    result_.scratch.resize(places.size());
    for (std::size_t s = 0; s < Count(model.subgraphs()); ++s) {
      places_of_.emplace_back(Count(Entry(model.subgraphs(), s)->operators()));
    }
    for (std::size_t k = 0; k < places.size(); ++k)
      places_of_[places[k].subgraph][places[k].operator_index].push_back(k);
  }

  ReferenceLifetimes Run() {
    Subgraph(0);
    result_.last_time = scope_;
    return result_;
  }

 private:
  void Begin(Lifetime& lifetime, std::int32_t scope) const {
    if (lifetime.first == -1) lifetime.first = scope;
  }

  void Subgraph(std::size_t s) {
    const wire::SubGraph& graph = *Entry(model_.subgraphs(), s);
    Lifetime* const tensors = result_.tensors.data() + first_tensor_[s];
    for (const std::int64_t input : Numbers(graph.inputs())) {
      Begin(tensors[input], scope_);
      tensors[input].last = scope_;
    }
    for (std::size_t i = 0; i < Count(graph.operators()); ++i) Operator(s, i, *Entry(graph.operators(), i), tensors);
    for (const std::int64_t output : Numbers(graph.outputs())) {
      Begin(tensors[output], scope_);
      tensors[output].last = scope_;
    }
  }

  void Operator(std::size_t s, std::size_t i, const wire::Operator& op, Lifetime* tensors) {
    const std::int32_t start = ++scope_;
    for (const std::int64_t output : Numbers(op.outputs())) Begin(tensors[output], start);
    for (const std::int64_t callee : CalledSubgraphs(model_, op)) {
      if (callee == -1) continue;
      ++scope_;
      Subgraph(static_cast<std::size_t>(callee));
    }
    for (const std::int64_t input : Numbers(op.inputs())) {
      if (input >= 0) tensors[input].last = scope_;
    }
    for (const std::int64_t output : Numbers(op.outputs())) tensors[output].last = scope_;
    for (const std::size_t k : places_of_[s][i]) {
      Begin(result_.scratch[k], start);
      result_.scratch[k].last = scope_;
    }
  }

  const wire::Model& model_;
  std::vector<std::vector<std::vector<std::size_t>>> places_of_;  // of a subgraph's operator
  std::vector<std::size_t> first_tensor_;
  ReferenceLifetimes result_;
  std::int32_t scope_ = 0;
};

std::string Text(const Lifetime& lifetime) {
  return "[" + std::to_string(lifetime.first) + "," + std::to_string(lifetime.last) + "]";
}

std::string Difference(const char* what, std::span<const Lifetime> found, std::span<const Lifetime> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i]) continue;
    return std::string("the lifetime of ") + what + " " + std::to_string(i) + " is " + Text(found[i]) +
           " and has to be " + Text(expected[i]) + " (I4: from first write to last read)";
  }
  return {};
}

}  // namespace

ReferenceLifetimes WalkAsReference(std::span<const std::byte> file, std::span<const ScratchPlace> places) {
  return Walk(ModelOf(file), places).Run();
}

std::uint64_t StepsOfCalls(const ModelView& model, std::span<const ScratchPlace> places) {
  const wire::Model& file = ModelOf(model.bytes());
  std::vector<std::optional<std::uint64_t>> known(Count(file.subgraphs()));
  const auto steps_of = [&](const auto& self, std::size_t s) -> std::uint64_t {
    if (known[s]) return *known[s];
    const wire::SubGraph& graph = *Entry(file.subgraphs(), s);
    std::uint64_t steps = Count(file.subgraphs()) + Count(graph.inputs()) + Count(graph.outputs());
    for (const ScratchPlace& place : places) steps += place.subgraph == s ? 1 : 0;
    for (std::size_t i = 0; i < Count(graph.operators()); ++i) {
      const wire::Operator& op = *Entry(graph.operators(), i);
      steps += 1 + Count(op.inputs()) + Count(op.outputs());
      for (const std::int64_t callee : CalledSubgraphs(file, op)) {
        if (callee != -1) steps += self(self, static_cast<std::size_t>(callee));
      }
    }
    known[s] = steps;
    return steps;
  };
  return steps_of(steps_of, 0);
}

std::string CheckLifetimes(const ModelView& model, std::span<const ScratchPlace> places) {
  std::size_t tensor_count = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) tensor_count += model.tensor_count(s);
  if (model.total_tensor_count() != tensor_count) return "the view miscounts the model's tensors";
  // Whatever the memory held before.
  std::vector<Lifetime> tensors(tensor_count, Lifetime{77, 7});
  std::vector<Lifetime> scratch(places.size(), Lifetime{77, 7});
  std::int32_t last_time = -1;
  const Status status = ComputeLifetimes(model, tensors, places, scratch, &last_time);
  // Validation knows no scratch, which are steps too.
  const std::uint64_t steps = StepsOfCalls(model, places);
  if (steps > kMaxCallWork) {
    return status.code == StatusCode::kModelCallWork ? "" : "a walk of more steps than there may be is not refused";
  }
  if (!status.ok()) return "lifetimes of a sound model are refused";
  if (steps > kMostComparedSteps) return {};
  const ReferenceLifetimes expected = WalkAsReference(model.bytes(), places);
  std::string difference = Difference("tensor", tensors, expected.tensors);
  if (difference.empty()) difference = Difference("scratch buffer", scratch, expected.scratch);
  if (difference.empty() && last_time != expected.last_time) difference = "the clock of lifetimes ends at a wrong time";
  return difference;
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END

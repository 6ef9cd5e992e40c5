#include <utility>

#include "engine/generators/models/model_maker.h"

namespace arenaproof::testing {
namespace {

void Append(std::vector<std::int32_t>& list, const std::vector<std::int32_t>& others, Choices& choices) {
  if (!others.empty()) list.push_back(choices.Of(others));
}

void Drop(std::vector<std::int32_t>& list, Choices& choices) {
  if (!list.empty()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(choices.Below(list.size())));
}

}  // namespace

void CorruptProducers(SubgraphSpec& graph, Choices& choices) {
  if (graph.operators.empty()) return Append(graph.outputs, graph.inputs, choices);
  OperatorSpec& op = choices.Of(graph.operators);
  OperatorSpec& other = choices.Of(graph.operators);
  switch (choices.Below(8)) {
    case 0:  // the author is gone
      return Drop(op.outputs, choices);
    case 1:  // two authors, or one that writes twice
      return Append(op.outputs, other.outputs, choices);
    case 2:  // in place, or after it was read
      return Append(op.outputs, other.inputs, choices);
    case 3:  // read too early, or by its own author
      return Append(op.inputs, other.outputs, choices);
    case 4:
      return Append(op.outputs, graph.inputs, choices);
    case 5:
      return Append(graph.inputs, op.outputs, choices);
    case 6:
      return std::swap(op, other);
    default:  // variables and constants have their values from elsewhere
      return Append(graph.outputs, op.inputs, choices);
  }
}

}  // namespace arenaproof::testing

#include "engine/oracles/host_planner/graph_run.h"

#include <unordered_map>

namespace arenaproof::testing {
namespace {

class Run {
 public:
  explicit Run(SyntheticGraph& graph) : graph_(graph), values_(graph.tensors.size(), 0) {}

  std::string All(int invokes) {
    for (const std::int32_t tensor : graph_.variables) Write(tensor, NewValue());
    for (int i = 0; i < invokes && fault_.empty(); ++i) Invoke();
    return fault_;
  }

 private:
  bool InArena(std::int32_t tensor) const {
    const ArenaTensorKind kind = graph_.tensors[static_cast<std::size_t>(tensor)].kind;
    return kind == ArenaTensorKind::kArena || kind == ArenaTensorKind::kPersistentArena;
  }

  std::uint64_t NewValue() { return ++last_value_; }

  void Fault(const std::string& fault) {
    if (fault_.empty()) fault_ = fault;
  }

  void Write(std::int32_t tensor, std::uint64_t value) {
    if (tensor == -1 || !InArena(tensor)) return;
    const ArenaTensor& of_graph = graph_.tensors[static_cast<std::size_t>(tensor)];
    values_[static_cast<std::size_t>(tensor)] = value;
    if (of_graph.bytes > 0 && of_graph.data == nullptr)
      return Fault("tensor " + std::to_string(tensor) + " has no memory");
    for (std::size_t i = 0; i < of_graph.bytes; ++i) {
      Byte& byte = memory_[of_graph.data + i];
      byte = {value, i, tensor};
    }
  }

  void Read(std::int32_t tensor, const std::string& who) {
    if (tensor == -1 || !InArena(tensor)) return;
    const std::uint64_t value = values_[static_cast<std::size_t>(tensor)];
    if (value == 0) return;  // nobody has ever written it
    const ArenaTensor& of_graph = graph_.tensors[static_cast<std::size_t>(tensor)];
    if (of_graph.bytes > 0 && of_graph.data == nullptr)
      return Fault("tensor " + std::to_string(tensor) + " has no memory");
    for (std::size_t i = 0; i < of_graph.bytes; ++i) {
      const Byte& byte = memory_[of_graph.data + i];
      if (byte.value == value && byte.position == i) continue;
      return Fault(who + " reads tensor " + std::to_string(tensor) + ", which tensor " + std::to_string(byte.writer) +
                   " has overwritten");
    }
  }

  // The value of an output: that of the input whose bytes it is, when the node leaves them as they are.
  std::uint64_t OutputValue(const SyntheticNode& node, std::int32_t output) {
    if ((node.sharing & kLeavesDataUnmodified) == 0 || !InArena(output)) return NewValue();
    const ArenaTensor& to = graph_.tensors[static_cast<std::size_t>(output)];
    for (std::size_t i = 0; i < node.inputs.size() && i < 3; ++i) {
      if (node.inputs[i] == -1 || (node.sharing & (kSharesInput0 << i)) == 0) continue;
      const ArenaTensor& from = graph_.tensors[static_cast<std::size_t>(node.inputs[i])];
      const bool same_bytes = to.data != nullptr && to.data == from.data && to.bytes == from.bytes;
      if (same_bytes) return values_[static_cast<std::size_t>(node.inputs[i])];
    }
    return NewValue();
  }

  // Whether output 0 lies exactly on this tensor, which is an input of which the flags say that it may, or holds the
  // very value that the node leaves as it is.
  bool MayLieOn(const SyntheticNode& node, std::int32_t output, std::int32_t tensor) {
    if (output != node.outputs[0]) return false;
    const ArenaTensor& to = graph_.tensors[static_cast<std::size_t>(output)];
    const ArenaTensor& from = graph_.tensors[static_cast<std::size_t>(tensor)];
    if (to.data != from.data || to.bytes != from.bytes) return false;
    if (OutputValue(node, output) == values_[static_cast<std::size_t>(tensor)]) return true;
    for (std::size_t i = 0; i < node.inputs.size() && i < 3; ++i) {
      if (node.inputs[i] == tensor && (node.sharing & (kSharesInput0 << i)) != 0) return true;
    }
    return false;
  }

  void CheckOutputsApart(const SyntheticNode& node, const std::string& who) {
    for (const std::int32_t output : node.outputs) {
      if (output == -1 || !InArena(output)) continue;
      const ArenaTensor& to = graph_.tensors[static_cast<std::size_t>(output)];
      for (const std::int32_t input : node.inputs) {
        if (input == -1 || input == output || !InArena(input) || MayLieOn(node, output, input)) continue;
        const ArenaTensor& from = graph_.tensors[static_cast<std::size_t>(input)];
        if (to.bytes == 0 || from.bytes == 0 || to.data == nullptr || from.data == nullptr) continue;
        if (to.data < from.data + from.bytes && from.data < to.data + to.bytes) {
          Fault(who + " writes tensor " + std::to_string(output) + " over its own input " + std::to_string(input));
        }
      }
    }
  }

  void Invoke() {
    for (const std::int32_t tensor : graph_.inputs) Write(tensor, NewValue());
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const SyntheticNode& node = graph_.nodes[i];
      const std::string who = "node " + std::to_string(i);
      for (const std::int32_t tensor : node.temporaries) Write(tensor, NewValue());
      for (const std::int32_t tensor : node.inputs) Read(tensor, who);
      CheckOutputsApart(node, who);
      for (const std::int32_t tensor : node.outputs) {
        if (tensor != -1) Write(tensor, OutputValue(node, tensor));
      }
      for (const std::int32_t tensor : node.outputs) Read(tensor, "after " + who + " somebody");
      for (const std::int32_t tensor : node.temporaries) Read(tensor, who + " as it ends");
      if (!fault_.empty()) return;
    }
    for (const auto* kept : {&graph_.inputs, &graph_.outputs, &graph_.variables}) {
      for (const std::int32_t tensor : *kept) Read(tensor, "the end");
    }
  }

  struct Byte {
    std::uint64_t value = 0;
    std::size_t position = 0;
    std::int32_t writer = -1;
  };

  SyntheticGraph& graph_;
  std::vector<std::uint64_t> values_;  // which value each tensor has now; 0: none
  std::unordered_map<const std::byte*, Byte> memory_;
  std::uint64_t last_value_ = 0;
  std::string fault_;
};

}  // namespace

std::string RunFaults(SyntheticGraph& graph, int invokes) {
  return graph.nodes.empty() ? "" : Run(graph).All(invokes);  // without nodes nothing gets memory
}

}  // namespace arenaproof::testing

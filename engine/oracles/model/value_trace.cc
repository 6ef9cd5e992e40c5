#include "engine/oracles/model/value_trace.h"

#include <algorithm>
#include <vector>

#include "engine/oracles/model/wire_model.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;

class Trace {
 public:
  Trace(std::span<const std::byte> file, std::span<const Home> tensors, std::span<const ScratchHome> scratch)
      : model_(ModelOf(file)),
        homes_(tensors.begin(), tensors.end()),
        scratch_(scratch),
        tensor_count_(tensors.size()) {
    for (const ScratchHome& buffer : scratch) homes_.push_back(buffer.home);
    overwriter_.assign(homes_.size(), kNobody);
    written_.assign(homes_.size(), false);
    std::size_t count = 0;
    for (std::size_t s = 0; s < Count(model_.subgraphs()); ++s) {
      first_tensor_.push_back(count);
      count += Count(Entry(model_.subgraphs(), s)->tensors());
    }
  }

  std::string Run() {
    // A variable that lies in the head keeps its value from one invoke to the next.
    const std::vector<std::size_t> variables = PlannedVariables();
    for (const std::size_t variable : variables) Write(variable);
    WriteAll(0, Numbers(Entry(model_.subgraphs(), 0)->inputs()));
    Subgraph(0);
    for (const std::size_t variable : variables) Read(variable, 0, "the next invoke");
    return complaint_;
  }

 private:
  using Indices = std::vector<std::int64_t>;

  bool done() const { return !complaint_.empty() || step_count_ > kMostTraceSteps; }

  std::vector<std::size_t> PlannedVariables() const {
    std::vector<std::size_t> variables;
    for (std::size_t s = 0; s < first_tensor_.size(); ++s) {
      const wire::SubGraph& graph = *Entry(model_.subgraphs(), s);
      for (std::size_t i = 0; i < Count(graph.tensors()); ++i) {
        const std::size_t number = first_tensor_[s] + i;
        if (Entry(graph.tensors(), i)->is_variable() && homes_[number].planned) variables.push_back(number);
      }
    }
    return variables;
  }

  void Subgraph(std::size_t s) {
    const wire::SubGraph& graph = *Entry(model_.subgraphs(), s);
    ReadAll(s, Numbers(graph.inputs()), "the start of the subgraph");
    for (std::size_t i = 0; i < Count(graph.operators()) && !done(); ++i) {
      ++step_count_;
      Operator(s, i, *Entry(graph.operators(), i));
    }
    ReadAll(s, Numbers(graph.outputs()), "the end of the subgraph");
  }

  void Operator(std::size_t s, std::size_t i, const wire::Operator& op) {
    const std::string where = "operator " + std::to_string(i);
    const Indices inputs = Numbers(op.inputs());
    const Indices outputs = Numbers(op.outputs());
    const Indices called = CalledSubgraphs(model_, op);
    for (std::size_t k = 0; k < scratch_.size(); ++k) {
      if (scratch_[k].subgraph == s && scratch_[k].operator_index == i) Write(tensor_count_ + k);
    }
    ReadAll(s, inputs, where);
    const bool loop = called.size() == 2 && CodeOf(*Entry(model_.operator_codes(), op.opcode_index())) == 119;
    if (loop) {
      WriteAll(s, outputs);
      for (int round = 0; round < 2; ++round) {
        Call(called[0]);
        ReadAll(s, outputs, where);
        Call(called[1]);
        WriteAll(s, outputs);
      }
      Call(called[0]);
    } else {
      for (const std::int64_t callee : called) Call(callee);
      ReadAll(s, inputs, where);
      WriteAll(s, outputs);
    }
    // In this order a write in place of an input that is still needed shows.
    ReadAll(s, inputs, where);
    ReadAll(s, outputs, where);
    for (std::size_t k = 0; k < scratch_.size(); ++k) {
      if (scratch_[k].subgraph == s && scratch_[k].operator_index == i) Read(tensor_count_ + k, s, where);
    }
  }

  void Call(std::int64_t callee) {
    if (callee < 0 || done()) return;
    const auto s = static_cast<std::size_t>(callee);
    WriteAll(s, Numbers(Entry(model_.subgraphs(), s)->inputs()));
    Subgraph(s);
  }

  void WriteAll(std::size_t s, const Indices& indices) {
    for (const std::int64_t index : indices) Write(first_tensor_[s] + static_cast<std::size_t>(index));
  }

  void ReadAll(std::size_t s, const Indices& indices, const std::string& where) {
    for (const std::int64_t index : indices) {
      if (index >= 0) Read(first_tensor_[s] + static_cast<std::size_t>(index), s, where);
    }
  }

  void Write(std::size_t number) {
    const Home& home = homes_[number];
    written_[number] = true;
    if (!home.planned || home.bytes == 0) return;
    std::erase_if(present_, [&](std::size_t other) {
      const Home& there = homes_[other];
      if (there.offset >= home.offset + home.bytes || home.offset >= there.offset + there.bytes) return false;
      overwriter_[other] = number;
      return true;
    });
    present_.push_back(number);
  }

  // What nobody has written has no value to lose.
  void Read(std::size_t number, std::size_t s, const std::string& where) {
    const Home& home = homes_[number];
    if (!written_[number] || !home.planned || home.bytes == 0 || !complaint_.empty()) return;
    if (std::find(present_.begin(), present_.end(), number) != present_.end()) return;
    complaint_ = "I4: the value of " + NameOf(number) + " is gone when " + where + " of subgraph " + std::to_string(s) +
                 " needs it: " + NameOf(overwriter_[number]) + " was written over it (they share bytes)";
  }

  std::string NameOf(std::size_t number) const {
    if (number >= tensor_count_) return "scratch buffer " + std::to_string(number - tensor_count_);
    std::size_t s = first_tensor_.size() - 1;
    while (first_tensor_[s] > number) --s;
    return "tensor " + std::to_string(number - first_tensor_[s]) + " of subgraph " + std::to_string(s);
  }

  const wire::Model& model_;
  std::vector<Home> homes_;  // tensors, then scratch buffers
  std::span<const ScratchHome> scratch_;
  std::size_t tensor_count_;
  std::vector<std::size_t> first_tensor_;
  std::vector<std::size_t> present_;  // whose value is whole
  std::vector<std::size_t> overwriter_;
  std::vector<bool> written_;
  std::size_t step_count_ = 0;
  std::string complaint_;
};

}  // namespace

std::string TraceValues(std::span<const std::byte> file, std::span<const Home> tensors,
                        std::span<const ScratchHome> scratch) {
  return Trace(file, tensors, scratch).Run();
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END

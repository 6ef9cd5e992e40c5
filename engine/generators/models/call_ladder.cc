#include "engine/generators/models/call_ladder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/call_tree.h"

namespace arenaproof::testing {
namespace {

struct Call {
  BuiltinOperator code = BuiltinOperator::kCallOnce;
  std::vector<std::size_t> callees;  // rungs further down
  std::size_t input_count = 0;
  std::size_t output_count = 0;
};

struct Rung {
  std::vector<Call> calls;
  std::size_t lone_operator_count = 0;  // behind the calls; they call nobody
  std::size_t lone_input_count = 0;     // all of one further operator
  std::size_t input_count = 0;
  std::size_t output_count = 0;  // of the subgraph, 0 where it has no inputs
};

class Ladder {
 public:
  explicit Ladder(Choices& choices)
      : choices_(choices), rungs_(choices.OneIn(2) ? 14 + choices.Below(5) : 2 + choices.Below(24)) {}

  ModelBuilder Make() {
    Connect();
    Lengthen();
    return Write();
  }

 private:
  static constexpr std::uint64_t kMuch = kMaxCallWork * 64;

  std::size_t RungBelow(std::size_t rung) { return rung + 1 + choices_.Below(rungs_.size() - rung - 1); }

  // The call goes before or behind those that there are: the deepest one may be the first, or the last.
  void AddCall(std::size_t rung, std::size_t callee) {
    static constexpr std::array kCodes = {BuiltinOperator::kCallOnce, BuiltinOperator::kIf, BuiltinOperator::kWhile};
    Call call{.code = choices_.Of(kCodes), .callees = {callee}};
    if (call.code != BuiltinOperator::kCallOnce) {
      call.callees.push_back(choices_.OneIn(2) ? callee : RungBelow(rung));
      if (choices_.OneIn(2)) std::swap(call.callees.front(), call.callees.back());
    }
    if (choices_.OneIn(2)) call.input_count = choices_.OneIn(12) ? choices_.Below(900) : choices_.Below(8);
    if (choices_.OneIn(4)) call.output_count = choices_.Below(5);
    std::vector<Call>& calls = rungs_[rung].calls;
    calls.insert(calls.begin() + static_cast<std::ptrdiff_t>(choices_.Below(calls.size() + 1)), std::move(call));
  }

  // Each rung is called by one above it, mostly by the next one; some by others too.
  void Connect() {
    const bool chain = !choices_.OneIn(3);
    for (std::size_t i = 1; i < rungs_.size(); ++i) AddCall(chain ? i - 1 : choices_.Below(i), i);
    for (std::size_t count = choices_.Below(rungs_.size()); count > 0; --count) {
      const std::size_t caller = choices_.Below(rungs_.size() - 1);
      AddCall(caller, RungBelow(caller));
    }
    for (Rung& rung : rungs_) {
      if (choices_.OneIn(3)) rung.lone_operator_count = choices_.Below(40);
      if (choices_.OneIn(4)) rung.input_count = choices_.Below(6);
      if (rung.input_count > 0) rung.output_count = choices_.Below(6);
    }
  }

  // Counts the whole rung, as often as the first one has it run.
  std::uint64_t Steps() {
    std::vector<std::uint64_t> steps(rungs_.size());
    for (std::size_t i = rungs_.size(); i-- > 0;) {
      const Rung& rung = rungs_[i];
      steps[i] = rungs_.size() + rung.input_count + rung.output_count + rung.lone_operator_count;
      if (rung.lone_input_count > 0) steps[i] += 1 + rung.lone_input_count;
      for (const Call& call : rung.calls) {
        steps[i] += 1 + call.input_count + call.output_count;
        for (const std::size_t callee : call.callees) steps[i] = std::min(kMuch, steps[i] + steps[callee]);
      }
    }
    return steps[0];
  }

  std::vector<std::uint64_t> Runs() const {
    std::vector<std::uint64_t> runs(rungs_.size(), 0);
    runs[0] = 1;
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
      for (const Call& call : rungs_[i].calls) {
        for (const std::size_t callee : call.callees) runs[callee] = std::min(kMuch, runs[callee] + runs[i]);
      }
    }
    return runs;
  }

  // Repeats calls until about the wanted number of steps is there; then adds operands until it is there exactly.
  void Lengthen() {
    const bool exactly = choices_.OneIn(3);
    const std::uint64_t wanted = exactly ? kMaxCallWork - 1 + choices_.Below(3)
                                         : (std::uint64_t{1} << choices_.Below(27)) + choices_.Below(60000);
    for (int attempt = 0; attempt < 80 && Steps() < wanted; ++attempt) {
      Rung& rung = rungs_[choices_.Below(rungs_.size() - 1)];
      if (rung.calls.empty()) continue;
      const std::size_t position = choices_.Below(rung.calls.size());
      rung.calls.insert(rung.calls.begin() + static_cast<std::ptrdiff_t>(position), Call(rung.calls[position]));
      if (Steps() > wanted) rung.calls.erase(rung.calls.begin() + static_cast<std::ptrdiff_t>(position));
    }
    if (!exactly) return;
    const std::vector<std::uint64_t> runs = Runs();
    std::vector<std::size_t> order(rungs_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return runs[a] > runs[b]; });
    for (const std::size_t i : order) {
      const std::uint64_t steps = Steps();
      if (steps >= wanted) continue;
      const std::uint64_t share = std::min<std::uint64_t>((wanted - steps) / runs[i], 20000);
      if (share == 0) continue;
      Rung& rung = rungs_[i];
      if (!rung.calls.empty() && choices_.OneIn(2)) {
        choices_.Of(rung.calls).input_count += static_cast<std::size_t>(share);
      } else if (share > 1) {
        rung.lone_input_count = static_cast<std::size_t>(share - 1);
      } else {
        ++rung.lone_operator_count;
      }
    }
  }

  ModelBuilder Write() {
    // Which rung stands where in the file: shared callees are met by whoever comes first.
    std::vector<std::int32_t> place(rungs_.size());
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = static_cast<std::int32_t>(i);
    if (!choices_.OneIn(3)) {
      for (std::size_t i = place.size(); i > 1; --i) std::swap(place[i - 1], place[choices_.Below(i)]);
    }
    ModelBuilder model;
    for (std::size_t i = 0; i < rungs_.size(); ++i) model.AddSubgraph();
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
      Write(rungs_[i], place, model, model.subgraphs[static_cast<std::size_t>(place[i])]);
    }
    return model;
  }

  static void Write(const Rung& rung, const std::vector<std::int32_t>& place, ModelBuilder& model,
                    SubgraphSpec& graph) {
    for (std::size_t k = 0; k < rung.input_count; ++k) graph.inputs.push_back(graph.AddTensor({}));
    for (std::size_t k = 0; k < rung.output_count; ++k) graph.outputs.push_back(graph.inputs.front());
    for (const Call& call : rung.calls) {
      OperatorSpec op{.code = model.AddCode(call.code)};
      op.inputs.assign(call.input_count, -1);
      for (std::size_t k = 0; k < call.output_count; ++k) op.outputs.push_back(graph.AddTensor({}));
      const std::int32_t first = place[call.callees.front()];
      const std::int32_t last = place[call.callees.back()];
      if (call.code == BuiltinOperator::kCallOnce) op.options = CallOnceOptions{first};
      if (call.code == BuiltinOperator::kIf) op.options = IfOptions{first, last};
      if (call.code == BuiltinOperator::kWhile) op.options = WhileOptions{first, last};
      graph.AddOperator(std::move(op));
    }
    const std::uint32_t lone = model.AddCode(BuiltinOperator::kRelu);
    for (std::size_t k = 0; k < rung.lone_operator_count; ++k) graph.AddOperator({.code = lone});
    if (rung.lone_input_count > 0) {
      graph.AddOperator({.code = lone, .inputs = std::vector<std::int32_t>(rung.lone_input_count, -1)});
    }
  }

  Choices& choices_;
  std::vector<Rung> rungs_;
};

}  // namespace

ModelBuilder MakeCallLadder(Choices& choices) { return Ladder(choices).Make(); }

std::string CallsOf(const ModelBuilder& model) {
  std::string text;
  for (std::size_t s = 0; s < model.subgraphs.size(); ++s) {
    const SubgraphSpec& graph = model.subgraphs[s];
    std::size_t operand_count = graph.inputs.size() + graph.outputs.size();
    text += "subgraph " + std::to_string(s) + ", operators " + std::to_string(graph.operators.size()) + ", calls";
    for (const OperatorSpec& op : graph.operators) {
      operand_count += op.inputs.size() + op.outputs.size();
      if (const auto* once = std::get_if<CallOnceOptions>(&op.options)) {
        text += " " + std::to_string(once->init_subgraph_index);
      } else if (const auto* branch = std::get_if<IfOptions>(&op.options)) {
        text += " " + std::to_string(branch->then_subgraph_index) + "|" + std::to_string(branch->else_subgraph_index);
      } else if (const auto* loop = std::get_if<WhileOptions>(&op.options)) {
        text += " " + std::to_string(loop->cond_subgraph_index) + "*" + std::to_string(loop->body_subgraph_index);
      }
    }
    text += ", operands " + std::to_string(operand_count) + "\n";
  }
  return text;
}

}  // namespace arenaproof::testing

#include "engine/harness/host_planner/session_graph.h"

#include <algorithm>
#include <array>
#include <utility>

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostTensors = 12;
constexpr std::size_t kMostNodes = 14;
constexpr std::size_t kNodesOfFork = 3;

class GraphMaker {
 public:
  explicit GraphMaker(const PlannerSession& session) : chains_(session.options >= 128) {
    for (std::size_t i = 0; i < session.tensors.size() && i < kMostTensors; ++i) AddFirst(session.tensors[i]);
    for (std::size_t i = 0; i < session.nodes.size() && graph_.nodes.size() + kNodesOfFork <= kMostNodes; ++i) {
      AddNode(session.nodes[i]);
    }
    if (!graph_.nodes.empty() && !graph_.nodes.back().outputs.empty()) {
      graph_.outputs.push_back(graph_.nodes.back().outputs[0]);
    }
  }

  SyntheticGraph graph_;

 private:
  std::int32_t AddTensor(std::size_t bytes, ArenaTensorKind kind) {
    graph_.tensors.push_back({bytes, kind, nullptr});
    return static_cast<std::int32_t>(graph_.tensors.size()) - 1;
  }

  void AddFirst(const SessionDraw& draw) {
    const bool persistent = draw.b % 4 == 0;
    const std::size_t bytes = SessionBytes(draw.a);
    switch (draw.what % 8) {
      case 0:
        return readable_.push_back(AddTensor(bytes, ArenaTensorKind::kConstant));
      case 1:
      case 2: {
        const std::int32_t tensor =
            AddTensor(bytes, persistent ? ArenaTensorKind::kPersistentArena : ArenaTensorKind::kArena);
        graph_.variables.push_back(tensor);
        return readable_.push_back(tensor);
      }
      case 3:
        graph_.inputs.push_back(-1);
        return;
      default: {
        const std::int32_t tensor = AddTensor(bytes, ArenaTensorKind::kArena);
        graph_.inputs.push_back(tensor);
        return readable_.push_back(tensor);
      }
    }
  }

  // The latest tensors are the likeliest: chains, and forks of them.
  std::int32_t Readable(std::uint8_t number) const {
    if (readable_.empty() || number >= 250) return -1;
    std::size_t back = number % 16 < 9 ? number % 2 : number % readable_.size();
    if (chains_) back = number % 4 != 0 ? 0 : number / 4 % 4;
    return readable_[readable_.size() - 1 - back % readable_.size()];
  }

  // One of the latest four, each as likely.
  std::int32_t Near(std::uint8_t number) const {
    if (readable_.empty()) return -1;
    return readable_[readable_.size() - 1 - number % 4 % readable_.size()];
  }

  // Two names of the same bytes, and a node that reads both and may write in one of them.
  void AddFork(const SessionDraw& draw, unsigned sharing) {
    const std::int32_t shared = Readable(draw.a);
    if (shared < 0) return;
    const std::size_t bytes = graph_.tensors[static_cast<std::size_t>(shared)].bytes;
    std::vector<std::int32_t> names;
    for (int i = 0; i < 2; ++i) {
      names.push_back(AddTensor(bytes, ArenaTensorKind::kArena));
      graph_.nodes.push_back({{shared}, {names.back()}, {}, kLeavesDataUnmodified | kSharesInput0});
    }
    if ((draw.b & 1) != 0) std::swap(names[0], names[1]);
    const std::int32_t joined = AddTensor(bytes, ArenaTensorKind::kArena);
    graph_.nodes.push_back({names, {joined}, {}, sharing});
    readable_.insert(readable_.end(), names.begin(), names.end());
    readable_.push_back(joined);
  }

  // what: low four bits the flags, high four bits the form.
  void AddNode(const SessionDraw& draw) {
    constexpr std::array<unsigned, 16> kFlags = {0, 4, 4, 4, 5, 5, 5, 8, 9, 12, 12, 13, 16, 28, 29, 6};
    constexpr std::array<unsigned, 16> kChainFlags = {0, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 12, 13, 29};
    const unsigned form = draw.what / 16;
    SyntheticNode node;
    node.sharing = (chains_ ? kChainFlags : kFlags)[draw.what % 16];
    if (chains_ && form == 10) return AddFork(draw, node.sharing);
    node.inputs.push_back(Readable(draw.a));
    if (chains_ && (draw.c & 3) == 3) node.inputs.push_back(Near(draw.b));
    if (!chains_ && (draw.c & 1) != 0) node.inputs.push_back(Readable(draw.b));
    if (!chains_ && (draw.c & 6) == 6) node.inputs.push_back(Readable(static_cast<std::uint8_t>(draw.b / 2)));
    const bool as_input = (chains_ || form % 4 != 0) && node.inputs[0] >= 0;
    const std::size_t bytes =
        as_input ? graph_.tensors[static_cast<std::size_t>(node.inputs[0])].bytes : SessionBytes(draw.b);
    const auto number = static_cast<std::int32_t>(graph_.nodes.size());
    if (form == 12 && !graph_.variables.empty()) {
      node.outputs.push_back(graph_.variables[draw.c % graph_.variables.size()]);
    } else if (form == 11 && node.sharing == kSharesNothing) {
      node.outputs.push_back(-1);  // left out
    } else if (form == 13 && number > 0 && graph_.nodes[0].outputs[0] >= 0) {
      node.outputs.push_back(graph_.nodes[0].outputs[0]);  // written again
    } else {
      const bool persistent = form == 14;
      const bool dynamic = form == 15;
      node.outputs.push_back(AddTensor(bytes, persistent ? ArenaTensorKind::kPersistentArena
                                              : dynamic  ? ArenaTensorKind::kDynamic
                                                         : ArenaTensorKind::kArena));
    }
    if ((draw.c & 24) == 24) node.outputs.push_back(AddTensor(SessionBytes(draw.a), ArenaTensorKind::kArena));
    if ((draw.c & 32) != 0) node.temporaries.push_back(AddTensor(SessionBytes(draw.b), ArenaTensorKind::kArena));
    if ((draw.c & 192) == 192 && number > 0 && !graph_.nodes[0].temporaries.empty()) {
      node.temporaries.push_back(graph_.nodes[0].temporaries[0]);
    }
    std::vector<std::int32_t> written = node.outputs;
    std::erase(written, -1);
    if (chains_) std::reverse(written.begin(), written.end());  // output 0 is the latest
    readable_.insert(readable_.end(), written.begin(), written.end());
    if ((draw.c & (chains_ ? 193 : 65)) == (chains_ ? 192 : 64)) graph_.outputs.push_back(node.outputs[0]);
    graph_.nodes.push_back(std::move(node));
  }

  const bool chains_;  // most nodes read the latest tensor, and most share its bytes: long chains, forks of their links
  std::vector<std::int32_t> readable_;
};

}  // namespace

std::size_t SessionBytes(std::uint8_t number) {
  if (number < 100) return 48;
  if (number < 150) return 8;
  if (number < 170) return 4;
  if (number < 180) return 0;
  if (number < 252) return std::size_t{number} * 3;
  return number == 252 ? SIZE_MAX - 200 : number == 253 ? std::size_t{1} << 63 : number == 254 ? 5 : 1;
}

SyntheticGraph SessionGraph(const PlannerSession& session) { return GraphMaker(session).graph_; }

}  // namespace arenaproof::testing

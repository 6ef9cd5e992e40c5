#include "engine/harness/host_planner/planner_session_run.h"

#include <cstdlib>
#include <utility>

#include "core/planner/host/arena_planner.h"
#include "engine/harness/host_planner/session_graph.h"
#include "engine/oracles/host_planner/graph_run.h"
#include "engine/oracles/host_planner/model_planner.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostCalls = 40;
constexpr std::size_t kAlignments[] = {4, 1, 16, 64, 12, 3, 7, 48};

class Session {
 public:
  explicit Session(const PlannerSession& session, bool describe)
      : graph_(SessionGraph(session)),
        preserve_all_(session.options % 8 == 7),
        alignment_(kAlignments[session.options / 8 % 8]),
        planner_(graph_, {preserve_all_, alignment_, 0, Memory(), nullptr}),
        model_(graph_, preserve_all_, alignment_),
        describe_(describe) {
    if (describe_) DescribeGraph();
    Answered("PlanAllocations()", planner_.PlanAllocations(), model_.Plan());
    for (std::size_t i = 0; i < session.calls.size() && i < kMostCalls && result_.fault.empty(); ++i) {
      Call(session.calls[i]);
    }
    result_.nodes = graph_.nodes.size();
  }

  SessionResult Take() { return std::move(result_); }

 private:
  // Memory that is refused when the session says so.
  AlignedMemory Memory() {
    return {this,
            [](void* context, std::size_t bytes, std::size_t alignment) -> void* {
              auto& self = *static_cast<Session*>(context);
              if (bytes > ModelPlanner::kMostBytes || self.growths_left_ == 0) return nullptr;
              --self.growths_left_;
              return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
            },
            nullptr, [](void*, void* block, std::size_t, std::size_t) { std::free(block); }};
  }

  void Say(const std::string& line) {
    if (describe_) result_.history += line + "\n";
  }

  void DescribeGraph();

  std::int32_t SomeNode(std::uint8_t number) const {
    return graph_.nodes.empty() ? 0 : static_cast<std::int32_t>(number % graph_.nodes.size());
  }
  std::int32_t SomeTensor(std::uint8_t number) const {
    return graph_.tensors.empty() ? -1 : static_cast<std::int32_t>(number % graph_.tensors.size());
  }

  void Execute(std::int32_t first, std::int32_t last) {
    const Status status = planner_.ExecuteAllocations(first, last);
    if (status.ok()) next_node_ = last + 1;
    Answered("ExecuteAllocations(" + std::to_string(first) + ", " + std::to_string(last) + ")", status,
             model_.Execute(first, last));
  }

  void Call(const SessionDraw& draw) {
    const auto nodes = static_cast<std::int32_t>(graph_.nodes.size());
    switch (draw.what % 16) {
      case 0:
        next_node_ = 0;
        clean_ = true;
        return Answered("PlanAllocations()", planner_.PlanAllocations(), model_.Plan());
      case 1:
      case 2:
      case 3:
        return Execute(next_node_, std::min(nodes - 1, next_node_ + draw.a % 3));
      case 4:
      case 5:
        return Execute(next_node_ < nodes ? next_node_ : 0, nodes - 1);
      case 6: {
        const std::int32_t first = SomeNode(draw.a);
        return Execute(first, std::max(first, SomeNode(draw.b)));
      }
      case 7:
        next_node_ = 0;
        clean_ = true;
        model_.Reset();
        return Answered("ResetAllocations()", planner_.ResetAllocations(), StatusCode::kOk);
      case 8: {
        const std::int32_t node = SomeNode(draw.a);
        next_node_ = std::min(next_node_, node + 1);
        model_.ResetAfter(node);
        return Answered("ResetAllocationsAfter(" + std::to_string(node) + ")", planner_.ResetAllocationsAfter(node),
                        StatusCode::kOk);
      }
      case 9:
        model_.Release();
        return Answered("ReleaseNonPersistentMemory()", planner_.ReleaseNonPersistentMemory(), StatusCode::kOk);
      case 10:
        return Answered("AcquireNonPersistentMemory()", planner_.AcquireNonPersistentMemory(), model_.Acquire());
      case 11:
      case 12:
        return SetBytes(SomeTensor(draw.a), SessionBytes(draw.b));
      case 13:
        return SetKind(SomeTensor(draw.a), draw.b);
      case 14:
        return AddTemporary(draw);
      default:
        growths_left_ = model_.growths_left = draw.a % 4 == 0 ? draw.b % 3 : 1000;
        return Say("memory grows " + std::to_string(growths_left_) + " times more");
    }
  }

  void SetBytes(std::int32_t tensor, std::size_t bytes) {
    if (tensor < 0) return;
    graph_.tensors[static_cast<std::size_t>(tensor)].bytes = bytes;
    Say("tensor " + std::to_string(tensor) + " has " + std::to_string(bytes) + " bytes");
  }

  void SetKind(std::int32_t tensor, std::uint8_t number) {
    if (tensor < 0) return;
    ArenaTensor& of_graph = graph_.tensors[static_cast<std::size_t>(tensor)];
    if (of_graph.kind == ArenaTensorKind::kConstant) return;
    constexpr ArenaTensorKind kKinds[] = {ArenaTensorKind::kDynamic, ArenaTensorKind::kArena,
                                          ArenaTensorKind::kPersistentArena};
    of_graph.kind = kKinds[number % 3];
    of_graph.data = nullptr;
    model_.ForgetAddress(tensor);
    clean_ = false;
    Say("tensor " + std::to_string(tensor) + " is of kind " + std::to_string(static_cast<int>(of_graph.kind)));
  }

  void AddTemporary(const SessionDraw& draw) {
    if (graph_.nodes.empty() || graph_.tensors.size() > 60) return;
    const std::int32_t node = SomeNode(draw.a);
    graph_.tensors.push_back(
        {SessionBytes(draw.b), draw.c % 8 == 0 ? ArenaTensorKind::kPersistentArena : ArenaTensorKind::kArena, nullptr});
    graph_.nodes[static_cast<std::size_t>(node)].temporaries.push_back(
        static_cast<std::int32_t>(graph_.tensors.size()) - 1);
    Say("node " + std::to_string(node) + " has temporary " + std::to_string(graph_.tensors.size() - 1) + " of " +
        std::to_string(graph_.tensors.back().bytes) + " bytes");
  }

  void Answered(const std::string& call, const Status& status, StatusCode expected) {
    Say(call + " -> " + std::to_string(static_cast<int>(status.code)));
    if (!status.ok()) ++result_.refused;
    if (status.code != expected) {
      return Fault(call + ": the planner answers " + std::to_string(static_cast<int>(status.code)) +
                   ", the specification " + std::to_string(static_cast<int>(expected)));
    }
    Compare(call);
    if (result_.fault.empty() && clean_ && model_.EverythingIsPlaced()) {
      ++result_.runs;
      const std::string fault = RunFaults(graph_);
      if (!fault.empty()) Fault(call + ": then " + fault);
    }
  }

  void Compare(const std::string& call) {
    const auto base_of = [&](ArenaTensorKind kind) { return planner_.BasePointer(kind); };
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      const ArenaTensor& tensor = graph_.tensors[i];
      const auto expected = model_.addresses().find(static_cast<std::int32_t>(i));
      const std::string found = tensor.data == nullptr ? "nowhere" : std::to_string(tensor.data - base_of(tensor.kind));
      const std::string wanted = expected == model_.addresses().end() ? "nowhere" : std::to_string(expected->second);
      if (found != wanted)
        return Fault(call + ": tensor " + std::to_string(i) + " lies at " + found + ", not at " + wanted);
    }
    std::map<std::int32_t, std::int32_t> owners;
    for (std::size_t i = 0; i < planner_.tensors().size(); ++i) {
      if (planner_.tensors()[i].owner != -1) owners[static_cast<std::int32_t>(i)] = planner_.tensors()[i].owner;
    }
    result_.shared = std::max(result_.shared, owners.size());
    if (owners != model_.owners()) return Fault(call + ": other tensors share their bytes");
    if (planner_.GetAllocInfo().non_persistent != model_.bytes(ArenaTensorKind::kArena) ||
        planner_.GetAllocInfo().persistent != model_.bytes(ArenaTensorKind::kPersistentArena)) {
      return Fault(call + ": an arena has other bytes");
    }
    if (planner_.HasNonPersistentMemory() != model_.has_memory()) Fault(call + ": HasNonPersistentMemory differs");
  }

  void Fault(const std::string& fault) {
    if (result_.fault.empty()) result_.fault = fault;
  }

  int growths_left_ = 1000;
  SyntheticGraph graph_;
  bool preserve_all_;
  std::size_t alignment_;
  ArenaPlanner planner_;
  ModelPlanner model_;
  bool describe_;
  bool clean_ = true;  // no kind has changed since the last reset
  std::int32_t next_node_ = 0;
  SessionResult result_;
};

std::string List(const std::vector<std::int32_t>& tensors) {
  std::string text = "{";
  for (const std::int32_t tensor : tensors) text += (text.size() > 1 ? "," : "") + std::to_string(tensor);
  return text + "}";
}

void Session::DescribeGraph() {
  Say("alignment " + std::to_string(alignment_) + (preserve_all_ ? ", all tensors preserved" : "") + ", inputs " +
      List(graph_.inputs) + ", outputs " + List(graph_.outputs) + ", variables " + List(graph_.variables));
  for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
    Say("tensor " + std::to_string(i) + ": " + std::to_string(graph_.tensors[i].bytes) + " bytes, kind " +
        std::to_string(static_cast<int>(graph_.tensors[i].kind)));
  }
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const SyntheticNode& node = graph_.nodes[i];
    Say("node " + std::to_string(i) + ": " + List(node.inputs) + " -> " + List(node.outputs) + " / " +
        List(node.temporaries) + " flags " + std::to_string(node.sharing));
  }
}

}  // namespace

SessionResult RunSession(const PlannerSession& session, bool describe) { return Session(session, describe).Take(); }

}  // namespace arenaproof::testing

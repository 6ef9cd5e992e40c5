#include "engine/harness/host_planner/planner_session_run.h"

#include <optional>
#include <utility>

#include "core/planner/host/arena_planner.h"
#include "engine/harness/host_planner/planner_comparison.h"
#include "engine/harness/host_planner/planner_misuse.h"
#include "engine/harness/host_planner/session_graph.h"
#include "engine/harness/host_planner/tracked_memory.h"
#include "engine/oracles/host_planner/graph_run.h"
#include "engine/oracles/host_planner/model_planner.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostCalls = 40;
constexpr std::size_t kMostBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kAlignments[] = {4, 1, 16, 64, 12, 3, 7, 48};

// The heap for one of eight options; else with reallocation or without.
MemoryForm FormOf(std::uint8_t options) {
  if (options % 8 == 6) return MemoryForm::kHeap;
  return options / 64 % 2 == 1 ? MemoryForm::kWithReallocate : MemoryForm::kWithoutReallocate;
}

class Session {
 public:
  explicit Session(const PlannerSession& session, bool describe)
      : graph_(SessionGraph(session)),
        memory_(FormOf(session.options), kMostBlockBytes, kArenaAlignment, session.options % 5,
                session.options % 2 == 1),
        options_{session.options % 8 == 7, kAlignments[session.options / 8 % 8], session.options % 5,
                 memory_.Functions(), &memory_},
        planner_(std::in_place, graph_, options_),
        model_(graph_, options_.preserve_all_tensors, options_.tensor_alignment, {kMostBlockBytes, memory_.room_of()}),
        describe_(describe) {
    if (describe_) DescribeGraph();
    // A session that begins with a word about memory has not planned yet.
    const bool planned = session.calls.empty() || session.calls[0].what % 16 != 15;
    if (planned) Answered("PlanAllocations()", planner_->PlanAllocations(), model_.Plan());
    for (std::size_t i = 0; i < session.calls.size() && i < kMostCalls && result_.fault.empty(); ++i) {
      Call(session.calls[i]);
    }
    result_.nodes = graph_.nodes.size();
    if (result_.fault.empty()) CompareDump("the dump of the end");
    End();
  }

  SessionResult Take() { return std::move(result_); }

 private:
  ComparedPlanner Compared() const { return {*planner_, graph_, model_, memory_, options_}; }

  // All memory has come back.
  void End() {
    planner_.reset();
    if (!memory_.fault().empty()) return Fault("the end: " + memory_.fault());
    if (!memory_.HasArenas(0)) Fault("the end: memory is not given back");
  }

  void Say(const std::string& line) {
    if (describe_) result_.history += line + "\n";
  }

  void DescribeGraph();

  std::int32_t SomeNode(std::uint8_t number) const {
    return graph_.nodes.empty() ? 0 : static_cast<std::int32_t>(number % graph_.nodes.size());
  }
  // Now and then one that does not exist.
  std::int32_t NodeOrBeyond(std::uint8_t number, std::uint8_t which) const {
    if (which < 208) return SomeNode(number);
    return which < 232 ? kNoNode : static_cast<std::int32_t>(graph_.nodes.size()) + number % 4;
  }
  std::int32_t SomeTensor(std::uint8_t number) const {
    return graph_.tensors.empty() ? -1 : static_cast<std::int32_t>(number % graph_.tensors.size());
  }

  void Execute(std::int32_t first, std::int32_t last) {
    const Status status = planner_->ExecuteAllocations(first, last);
    if (status.ok()) next_node_ = std::min(last, static_cast<std::int32_t>(graph_.nodes.size())) + 1;
    Answered("ExecuteAllocations(" + std::to_string(first) + ", " + std::to_string(last) + ")", status,
             model_.Execute(first, last));
    if (result_.fault.empty() && last % 4 != 0) CompareDump("the dump after this");
  }

  void Call(const SessionDraw& draw) {
    const auto nodes = static_cast<std::int32_t>(graph_.nodes.size());
    switch (draw.what % 16) {
      case 0:
        next_node_ = 0;
        clean_ = true;
        return Answered("PlanAllocations()", planner_->PlanAllocations(), model_.Plan());
      case 1:
      case 2:
      case 3:
        return Execute(next_node_, std::min(nodes - 1, next_node_ + draw.a % 3));
      case 4:
      case 5:
        return Execute(next_node_ < nodes ? next_node_ : 0, nodes - 1);
      case 6: {
        const std::int32_t first = SomeNode(draw.a);
        return Execute(first, std::max(first, NodeOrBeyond(draw.b, draw.c)));
      }
      case 7:
        next_node_ = 0;
        clean_ = true;
        model_.Reset();
        return Answered("ResetAllocations()", planner_->ResetAllocations(), Ok());
      case 8: {
        const std::int32_t node = NodeOrBeyond(draw.a, draw.c);
        if (node < next_node_) next_node_ = node + 1;
        model_.ResetAfter(node);
        return Answered("ResetAllocationsAfter(" + std::to_string(node) + ")", planner_->ResetAllocationsAfter(node),
                        Ok());
      }
      case 9:
        contents_[0].Forget();
        model_.Release();
        return Answered("ReleaseNonPersistentMemory()", planner_->ReleaseNonPersistentMemory(), Ok());
      case 10:
        return Answered("AcquireNonPersistentMemory()", planner_->AcquireNonPersistentMemory(), model_.Acquire());
      case 11:
      case 12:
        return SetBytes(SomeTensor(draw.a), SessionBytes(draw.b));
      case 13:
        if (draw.c >= 192) return Misuse(draw);
        return SetKind(SomeTensor(draw.a), draw.b);
      case 14:
        return AddTemporary(draw);
      default:
        memory_.growths_left = model_.growths_left = draw.a % 4 == 0 && !memory_.is_heap() ? draw.b % 3 : 1000;
        return Say("memory grows " + std::to_string(memory_.growths_left) + " times more");
    }
  }

  // Whatever is wrong with the call or the graph is refused with the status that says so, and changes nothing.
  void Misuse(const SessionDraw& draw) {
    const MisuseResult misuse = MisusePlanner(*planner_, graph_, model_.planned_nodes(), model_.known_tensors(), draw);
    if (misuse.call.empty()) return;
    Answered(misuse.call, misuse.found, misuse.expected);
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

  // A new tensor, or the latest temporary of another node.
  void AddTemporary(const SessionDraw& draw) {
    if (graph_.nodes.empty() || graph_.tensors.size() > 60) return;
    const std::int32_t node = SomeNode(draw.a);
    const std::vector<std::int32_t>& of_other = graph_.nodes[static_cast<std::size_t>(SomeNode(draw.b))].temporaries;
    if (draw.c % 4 == 1 && !of_other.empty()) {
      const std::int32_t temporary = of_other.back();
      graph_.nodes[static_cast<std::size_t>(node)].temporaries.push_back(temporary);
      return Say("node " + std::to_string(node) + " has temporary " + std::to_string(temporary) + " too");
    }
    graph_.tensors.push_back(
        {SessionBytes(draw.b), draw.c % 8 == 0 ? ArenaTensorKind::kPersistentArena : ArenaTensorKind::kArena, nullptr});
    graph_.nodes[static_cast<std::size_t>(node)].temporaries.push_back(
        static_cast<std::int32_t>(graph_.tensors.size()) - 1);
    Say("node " + std::to_string(node) + " has temporary " + std::to_string(graph_.tensors.size() - 1) + " of " +
        std::to_string(graph_.tensors.back().bytes) + " bytes");
  }

  void Answered(const std::string& call, const Status& status, const Status& expected) {
    Say(call + " -> " + std::to_string(static_cast<int>(status.code)));
    if (!status.ok()) ++result_.refused;
    if (status != expected) {
      return Fault(call + ": the planner answers " + StatusText(status) + ", the specification " +
                   StatusText(expected));
    }
    CheckContents(call);
    Compare(call);
    if (result_.fault.empty() && clean_ && model_.EverythingIsPlaced()) {
      ++result_.runs;
      const std::string fault = RunFaults(graph_);
      if (!fault.empty()) Fault(call + ": then " + fault);
    }
  }

  static std::string StatusText(const Status& status) {
    std::string text = std::to_string(static_cast<int>(status.code)) + " (";
    for (const std::uint64_t number : status.detail) text += " " + std::to_string(static_cast<std::int64_t>(number));
    return text + " )";
  }

  void CheckContents(const std::string& call) {
    const ArenaTensorKind kinds[] = {ArenaTensorKind::kArena, ArenaTensorKind::kPersistentArena};
    for (std::size_t i = 0; i < 2; ++i) {
      std::byte* const base = planner_->BasePointer(kinds[i]);
      const std::size_t bytes = std::min(planner_->arena(kinds[i]).buffer_bytes(), model_.bytes(kinds[i]));
      if (!contents_[i].Kept(base, bytes)) Fault(call + ": an arena has lost its contents");
      contents_[i].Write(base, bytes);
    }
  }

  void Compare(const std::string& call) {
    result_.shared = std::max(result_.shared, model_.owners().size());
    if (const std::string fault = PlannerDifference(Compared()); !fault.empty()) Fault(call + ": " + fault);
  }

  void CompareDump(const std::string& call) {
    if (const std::string fault = DumpDifference(Compared()); !fault.empty()) Fault(call + ": " + fault);
  }

  void Fault(const std::string& fault) {
    if (result_.fault.empty()) result_.fault = fault;
  }

  SyntheticGraph graph_;
  TrackedMemory memory_;
  ArenaPlannerOptions options_;
  std::optional<ArenaPlanner> planner_;
  ModelPlanner model_;
  ArenaContents contents_[2];
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
  Say("alignment " + std::to_string(options_.tensor_alignment) +
      (options_.preserve_all_tensors ? ", all tensors preserved" : "") + ", inputs " + List(graph_.inputs) +
      ", outputs " + List(graph_.outputs) + ", variables " + List(graph_.variables));
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

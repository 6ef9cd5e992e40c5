#include "engine/harness/self_test/access_list_self_test.h"

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "engine/harness/self_test/self_test_network.h"
#include "sanitizers/event_checks/event_relay.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "sanitizers/event_checks/event_words.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {
namespace {

using Operands = std::vector<OperandRange>;

struct List {
  OperatorPhase phase;
  std::int32_t subgraph, operator_index;
  Operands operands;
};

std::string NameOfOperand(const OperandRange& operand) {
  return std::string(OperandKindName(operand.kind)) + " " + std::to_string(operand.index);
}

// Stands in front of the event checker. What begins is shown changed to copies of it, and passed on as it is.
class Prober final : public EventRelay {
 public:
  explicit Prober(EventStreamChecker* checker) : EventRelay(checker), checker_(*checker) {}

  // The first life is for learning who has what.
  bool probes = false;
  const std::vector<std::string>& missed() const { return missed_; }

  void OnOperatorBegins(const OperatorScope& scope) override {
    if (probes) {
      Probe(scope);
    } else {
      lists_.push_back(
          {scope.phase, scope.subgraph, scope.operator_index, Operands(scope.operands.begin(), scope.operands.end())});
    }
    EventRelay::OnOperatorBegins(scope);
  }

 private:
  void Show(const OperatorScope& scope, const std::string& what) {
    EventStreamChecker shown = checker_;
    shown.ForwardTo(nullptr);
    const std::size_t before = shown.inconsistencies().size();
    shown.OnOperatorBegins(scope);
    const std::string name = NameOfOperator(scope.subgraph, scope.operator_index);
    for (std::size_t i = before; i < shown.inconsistencies().size(); ++i) {
      if (shown.inconsistencies()[i].find("access list of " + name) != std::string::npos) return;
    }
    missed_.push_back("an access list is let pass: " + what + ", of " + name + " in " + OperatorPhaseName(scope.phase));
  }
  void Show(const OperatorScope& scope, const Operands& operands, const std::string& what) {
    OperatorScope changed = scope;
    changed.operands = operands;
    Show(changed, what);
  }

  void Probe(const OperatorScope& scope) {
    const Operands right(scope.operands.begin(), scope.operands.end());
    for (std::size_t i = 0; i < right.size(); ++i) {
      ChangeNumbers(scope, right, i);
      ChangeWhatItIs(scope, right, i);
      TakeAnothers(scope, right, i);
    }
    AddAnothers(scope, right);
    if (right.empty()) return;
    for (const List& list : lists_) {
      OperatorScope changed = scope;
      changed.phase = list.phase, changed.subgraph = list.subgraph, changed.operator_index = list.operator_index;
      const bool same = changed.phase == scope.phase && changed.subgraph == scope.subgraph &&
                        changed.operator_index == scope.operator_index;
      if (!same && list.phase == OperatorPhase::kInvoke) Show(changed, "another's whole list");
    }
  }

  void ChangeNumbers(const OperatorScope& scope, const Operands& right, std::size_t i) {
    const std::string name = NameOfOperand(right[i]);
    const auto show = [&](const char* what, std::ptrdiff_t data, std::ptrdiff_t bytes) {
      Operands changed = right;
      changed[i].data += data;
      changed[i].bytes += static_cast<std::size_t>(bytes);
      Show(scope, changed, name + what);
    };
    show(" with a byte more", 0, 1);
    show(" with a byte less", 0, -1);
    show(" with a byte more in front", -1, 1);
    show(" with a byte less in front", 1, -1);
    show(" moved by a byte", 1, 0);
    show(" moved by an alignment", 16, 0);
    show(" moved back", -16, 0);
    if (scope.phase == OperatorPhase::kInvoke &&
        (right[i].kind == OperandKind::kInput || right[i].kind == OperandKind::kOutput ||
         right[i].kind == OperandKind::kScratch)) {
      Operands changed = right;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
      Show(scope, changed, name + " is missing");
    }
  }

  void ChangeWhatItIs(const OperatorScope& scope, const Operands& right, std::size_t i) {
    for (const AccessRight other :
         {AccessRight::kNone, AccessRight::kRead, AccessRight::kWrite, AccessRight::kReadWrite}) {
      Operands changed = right;
      changed[i].right = other;
      if (other != right[i].right) Show(scope, changed, NameOfOperand(right[i]) + " with another right");
    }
    for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(OperandKind::kDestination); ++kind) {
      Operands changed = right;
      changed[i].kind = static_cast<OperandKind>(kind);
      if (changed[i].kind != right[i].kind) {
        Show(scope, changed, NameOfOperand(right[i]) + " called " + OperandKindName(changed[i].kind));
      }
    }
    if (right[i].kind == OperandKind::kPersistent) return;  // ordinals are for reports
    for (std::int32_t index = -1; index < 6; ++index) {
      Operands changed = right;
      changed[i].index = index;
      if (index != right[i].index)
        Show(scope, changed, NameOfOperand(right[i]) + " called number " + std::to_string(index));
    }
  }

  static bool IsOf(const List& list, const OperatorScope& scope) {
    return list.subgraph == scope.subgraph && list.operator_index == scope.operator_index;
  }

  void TakeAnothers(const OperatorScope& scope, const Operands& right, std::size_t i) {
    for (const List& list : lists_) {
      for (const OperandRange& foreign : list.operands) {
        if (foreign.kind != right[i].kind || (foreign.data == right[i].data && foreign.bytes == right[i].bytes))
          continue;
        if (IsOf(list, scope) && !HasTensorIndex(foreign.kind)) continue;  // its own, in another order
        Operands changed = right;
        changed[i].data = foreign.data;
        changed[i].bytes = foreign.bytes;
        if (!IsOneOf(right, changed[i])) Show(scope, changed, NameOfOperand(right[i]) + " lies where another's does");
      }
    }
  }

  void AddAnothers(const OperatorScope& scope, const Operands& right) {
    for (const List& list : lists_) {
      if (IsOf(list, scope)) continue;
      for (const OperandRange& foreign : list.operands) {
        if (IsOneOf(right, foreign)) continue;
        Operands changed = right;
        changed.push_back(foreign);
        Show(scope, changed, "another's " + NameOfOperand(foreign) + " beside its own");
      }
    }
  }

  static bool IsOneOf(const Operands& right, const OperandRange& one) {
    for (const OperandRange& own : right) {
      if (own.data == one.data && own.bytes == one.bytes && own.kind == one.kind && own.index == one.index) return true;
    }
    return false;
  }

  EventStreamChecker& checker_;
  std::vector<List> lists_;
  std::vector<std::string> missed_;
};

}  // namespace

std::vector<std::string> RunAccessListSelfTest() {
  const std::vector<std::byte> file = SelfTestNetwork();
  const ValidatedModel model = Validated(file);
  EventStreamChecker checker;
  checker.CompareWith(&model);
  Prober prober(&checker);
  for (const bool probes : {false, true}) {
    Interpreter interpreter(model, SelfTestNetworkKernels(), SelfTestArena(), kSelfTestArenaBytes,
                            {.observer = &prober});
    prober.probes = probes;
    if (!interpreter.AllocateTensors().ok()) return {"the self-test's network is not set up"};
    // Where variables lie is known when they have been read once.
    prober.probes = false;
    if (probes && !interpreter.Invoke().ok()) return {"the self-test's network does not run"};
    prober.probes = probes;
    if (!interpreter.Invoke().ok()) return {"the self-test's network does not run"};
  }
  std::vector<std::string> all = prober.missed();
  for (const std::string& inconsistency : checker.inconsistencies()) all.push_back("what is right: " + inconsistency);
  return all;
}

}  // namespace arenaproof

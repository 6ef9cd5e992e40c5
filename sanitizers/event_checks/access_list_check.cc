#include "sanitizers/event_checks/access_list_check.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/kernel_interface/limits.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "sanitizers/event_checks/event_words.h"
#include "sanitizers/report/violation.h"

namespace arenaproof {
namespace {

bool Disjoint(MemoryRegion a, MemoryRegion b) { return a.data + a.bytes <= b.data || b.data + b.bytes <= a.data; }

class Check {
 public:
  Check(const OperatorScope& scope, EventStreamChecker& checker, VariablePlaces& variables)
      : scope_(scope), checker_(checker), variables_(variables) {
    if (scope.phase != OperatorPhase::kInvoke) return;
    for (const PlanEntry& buffer : checker.plan()) {
      const bool own = buffer.subgraph == scope.subgraph && buffer.owner_operator == scope.operator_index;
      if (own && buffer.tensor < 0) scratch_.push_back(&buffer);
    }
  }

  void Run() {
    for (const OperandRange& operand : scope_.operands) CheckOperand(operand);
    RequireScratch();
    CheckPairs();
    if (checker_.model() != nullptr) CheckAgainstModel(*checker_.model());
  }

 private:
  std::string List() const { return "access list of " + NameOfOperator(scope_.subgraph, scope_.operator_index); }
  void ReportInconsistency(const std::string& what) { checker_.ReportInconsistency(List() + ": " + what); }
  // Sentences cost more time than all the checks: they are made when they are needed.
  void ReportInconsistency(const OperandRange& operand, const char* what) {
    ReportInconsistency(OperandKindName(operand.kind) + (" " + std::to_string(operand.index)) + " " + what);
  }

  void CheckOperand(const OperandRange& operand) {
    const MemoryRegion range{operand.data, operand.bytes};
    const bool in_arena = checker_.InArena(range);
    AccessRight expected = AccessRight::kReadWrite;
    switch (operand.kind) {
      case OperandKind::kInput:
        expected = AccessRight::kRead;
        [[fallthrough]];
      case OperandKind::kOutput:
      case OperandKind::kScratch:
        CheckPlannedOperand(operand);
        break;
      case OperandKind::kConstant:
      case OperandKind::kQuantization:
      case OperandKind::kOptions:
        expected = AccessRight::kRead;
        if (operand.kind != OperandKind::kConstant && scope_.phase == OperatorPhase::kInvoke) {
          ReportInconsistency(operand, "is open in invoke");
        }
        // A relocated constant lies in neither.
        if (in_arena) ReportInconsistency(operand, "lies in the arena");
        break;
      case OperandKind::kVariable:
      case OperandKind::kPersistent: {
        const bool persistent = operand.kind == OperandKind::kPersistent;
        if (!persistent && checker_.has_offline_plan() &&
            checker_.FindTensor(scope_.subgraph, operand.index) != nullptr) {
          CheckPlannedOperand(operand);
          break;
        }
        if (persistent && IsListOfScratch(operand)) {
          expected = AccessRight::kRead;
          break;
        }
        const auto found = std::find_if(checker_.tail().begin(), checker_.tail().end(),
                                        [&](const EventStreamChecker::TailBlock& tail) {
                                          return tail.block.data == range.data && tail.block.bytes == range.bytes;
                                        });
        if (found == checker_.tail().end()) {
          ReportInconsistency(operand, "is no tail block that was announced");
        } else if (persistent && found->owner_operator < 0) {
          ReportInconsistency(operand, "is a block of the runtime's own");
        } else if (persistent &&
                   (found->owner_operator != scope_.operator_index || found->subgraph != scope_.subgraph)) {
          ReportInconsistency(operand, "is the persistent block of another operator");
        } else if (!persistent && !variables_.IsPlaceOf({scope_.subgraph, operand.index}, range)) {
          ReportInconsistency(operand, "does not lie where it lay, or where another variable lies");
        }
        break;
      }
      case OperandKind::kTemporary:
        // No temporary of an earlier phase is left.
        ReportInconsistency(operand, "is a temporary, and its operator only begins");
        break;
      case OperandKind::kWorkspace:
      case OperandKind::kRecord:
      case OperandKind::kSource:
      case OperandKind::kDestination:
        ReportInconsistency(operand, "is of the runtime's own work, and no operator's");
        break;
    }
    if (RightOf(operand.right) != expected) {
      ReportInconsistency(operand,
                          operand.right == AccessRight::kRead ? "lacks the right to write" : "has a right too many");
    }
  }

  // An operator with more scratch buffers than the runtime's own frame has room for reads their addresses (of those
  // without bytes too) from its stretch of the list of all, which is the runtime's block.
  bool IsListOfScratch(const OperandRange& operand) const {
    if (operand.right != AccessRight::kRead || scratch_.size() <= kScratchOutsideArena) return false;
    return operand.bytes == scratch_.size() * sizeof(std::byte*) &&
           std::any_of(checker_.tail().begin(), checker_.tail().end(), [&](const EventStreamChecker::TailBlock& tail) {
             return tail.owner_operator < 0 && EventStreamChecker::Inside({operand.data, operand.bytes}, tail.block);
           });
  }

  void CheckPlannedOperand(const OperandRange& operand) {
    const bool scratch = operand.kind == OperandKind::kScratch;
    // An output that its operator has placed lies in a persistent block from prepare on.
    if (!scratch && checker_.LiesInTailBlock({operand.data, operand.bytes})) return;
    if (scope_.phase != OperatorPhase::kInvoke)
      return ReportInconsistency(operand, "has an address before there is a plan");
    const PlanEntry* planned = nullptr;
    if (!scratch) {
      planned = checker_.FindTensor(scope_.subgraph, operand.index);
    } else if (operand.index >= 0 && static_cast<std::size_t>(operand.index) < scratch_.size()) {
      planned = scratch_[static_cast<std::size_t>(operand.index)];
    }
    if (planned == nullptr) return ReportInconsistency(operand, "is not in the committed plan");
    if (operand.data != checker_.head_start() + planned->offset || operand.bytes != planned->bytes) {
      ReportInconsistency(operand, "does not lie where the plan puts it");
    }
    if (operand.data + operand.bytes > checker_.head().data + checker_.head().bytes)
      ReportInconsistency(operand, "reaches beyond the head");
  }

  // The access list leaves out what has no bytes.
  void RequireScratch() {
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
      const bool listed = std::any_of(scope_.operands.begin(), scope_.operands.end(), [&](const OperandRange& operand) {
        return operand.kind == OperandKind::kScratch && static_cast<std::size_t>(operand.index) == i;
      });
      if (listed || scratch_[i]->bytes == 0) continue;
      ReportInconsistency("scratch " + std::to_string(i) + " is planned for it and not listed");
    }
  }

  void CheckPairs() {
    constexpr std::size_t kMostOperands = 64;
    if (scope_.operands.size() > kMostOperands || checker_.options().trust_plan) return;
    for (std::size_t i = 0; i < scope_.operands.size(); ++i) {
      const OperandRange& a = scope_.operands[i];
      if (a.bytes == 0 || !checker_.InArena({a.data, a.bytes})) continue;
      for (std::size_t j = i + 1; j < scope_.operands.size(); ++j) {
        const OperandRange& b = scope_.operands[j];
        if (b.bytes == 0 || !checker_.InArena({b.data, b.bytes})) continue;
        const auto who = [&] { return List() + ": operands " + std::to_string(i) + " and " + std::to_string(j); };
        if (IsInPlace(a.right) && IsInPlace(b.right)) {
          CheckInPlace(a, b);
          continue;
        }
        if (AreNamesOfOneInput(a, b)) continue;
        if (!Disjoint({a.data, a.bytes}, {b.data, b.bytes})) {
          checker_.ReportInconsistency(who() + " share bytes");
          continue;
        }
        const auto apart =
            static_cast<std::size_t>(a.data < b.data ? b.data - (a.data + a.bytes) : a.data - (b.data + b.bytes));
        if (apart < checker_.options().distance_bytes) {
          checker_.ReportInconsistency("dilated layout: " + who() + " are " + Bytes(apart) + " apart instead of " +
                                       std::to_string(checker_.options().distance_bytes));
        }
      }
    }
  }

  // Two inputs in the very same bytes, which the plan lets share: an operator reads a tensor and what was made of it
  // without a change.
  bool AreNamesOfOneInput(const OperandRange& a, const OperandRange& b) const {
    return a.kind == OperandKind::kInput && b.kind == OperandKind::kInput && a.data == b.data && a.bytes == b.bytes &&
           checker_.MayShare(checker_.FindTensor(scope_.subgraph, a.index),
                             checker_.FindTensor(scope_.subgraph, b.index));
  }

  // An input and the output in its very bytes, which the plan lets share.
  void CheckInPlace(const OperandRange& a, const OperandRange& b) {
    const bool kinds = a.kind == OperandKind::kInput && b.kind == OperandKind::kOutput;
    if (!kinds || a.data != b.data || a.bytes != b.bytes) {
      ReportInconsistency(b, "is in place and no output in the very bytes of an input");
    } else if (!checker_.MayShare(checker_.FindTensor(scope_.subgraph, a.index),
                                  checker_.FindTensor(scope_.subgraph, b.index))) {
      ReportInconsistency(b, "is in place where the plan lets no bytes be shared");
    }
  }

  bool IsListed(std::int32_t tensor) const {
    return std::any_of(scope_.operands.begin(), scope_.operands.end(), [&](const OperandRange& operand) {
      return operand.index == tensor &&
             (operand.kind == OperandKind::kInput || operand.kind == OperandKind::kOutput ||
              operand.kind == OperandKind::kConstant || operand.kind == OperandKind::kVariable);
    });
  }

  // Exactly one whole constant or list of the model is open. Returns null when that is so, else what is wrong.
  const char* WrongFileRange(const OperandRange& operand, const TensorView& tensor) const {
    const auto is = [&](const void* data, std::size_t bytes) {
      return static_cast<const void*>(operand.data) == data && operand.bytes == bytes;
    };
    if (operand.kind == OperandKind::kConstant) {
      const std::byte* const placed = checker_.constants() == nullptr
                                          ? tensor.data.data()
                                          : checker_.constants()->Locate(tensor.buffer, tensor.data.data());
      if (!is(placed, tensor.data.size())) return "is a constant, and not exactly its bytes are open";
    }
    if (operand.kind == OperandKind::kQuantization) {
      const QuantizationView& lists = tensor.quantization;
      if (!is(lists.scales.data(), lists.scales.size_bytes()) &&
          !is(lists.zero_point_bytes, lists.zero_point_count * sizeof(std::int64_t))) {
        return "has quantisation lists, and not exactly the bytes of one are open";
      }
    }
    return nullptr;
  }

  // A custom operator's option bytes, all of them, and nobody else's are open before invoke.
  void CheckOptions(const OperatorView& op) {
    const bool custom = op.code == BuiltinOperator::kCustom;
    std::size_t count = 0;
    for (const OperandRange& operand : scope_.operands) {
      if (operand.kind != OperandKind::kOptions) continue;
      ++count;
      const bool own = custom && operand.index == 0 && operand.data == op.custom_options.data() &&
                       operand.bytes == op.custom_options.size();
      if (!own) ReportInconsistency(operand, "is not exactly the operator's options");
    }
    const bool wanted = custom && !op.custom_options.empty() && scope_.phase != OperatorPhase::kInvoke;
    if (wanted && count == 0) ReportInconsistency("its options are not listed");
  }

  // Exactly the operator's own tensors are listed, each as the kind that it is in the model.
  void CheckAgainstModel(const ModelView& model) {
    const auto subgraph = static_cast<std::size_t>(scope_.subgraph);
    if (subgraph >= model.subgraph_count())
      return checker_.ReportInconsistency("an operator of a subgraph that the model lacks begins");
    if (static_cast<std::size_t>(scope_.operator_index) >= model.operator_count(subgraph)) {
      return checker_.ReportInconsistency("an operator that the model lacks begins");
    }
    const auto report = [&](std::int32_t tensor, const char* what) {
      ReportInconsistency("tensor " + std::to_string(tensor) + " " + what);
    };
    const OperatorView op = model.operator_at(subgraph, static_cast<std::size_t>(scope_.operator_index));
    const auto has = [](std::span<const std::int32_t> list, std::int32_t tensor) {
      return std::find(list.begin(), list.end(), tensor) != list.end();
    };
    CheckOptions(op);
    for (const OperandRange& operand : scope_.operands) {
      const bool tensor = operand.kind != OperandKind::kScratch && operand.kind != OperandKind::kPersistent &&
                          operand.kind != OperandKind::kTemporary && operand.kind != OperandKind::kOptions;
      if (!tensor) continue;
      const bool output = has(op.outputs, operand.index);
      if (operand.index < 0 || (!output && !has(op.inputs, operand.index))) {
        report(operand.index, "is no operand of it");
        continue;
      }
      const TensorView view = model.tensor(subgraph, static_cast<std::size_t>(operand.index));
      if (const char* wrong = WrongFileRange(operand, view)) report(operand.index, wrong);
      if (operand.kind == OperandKind::kQuantization) continue;
      const OperandKind kind = view.is_constant() ? OperandKind::kConstant
                               : view.is_variable ? OperandKind::kVariable
                               : output           ? OperandKind::kOutput
                                                  : OperandKind::kInput;
      if (operand.kind != kind) report(operand.index, "is listed as another kind of operand");
    }
    if (scope_.phase != OperatorPhase::kInvoke) return;
    for (const std::span<const std::int32_t> list : {op.inputs, op.outputs}) {
      for (const std::int32_t tensor : list) {
        if (tensor < 0 || checker_.FindTensor(scope_.subgraph, tensor) == nullptr || IsListed(tensor)) continue;
        report(tensor, "is its operand and not listed");
      }
    }
  }

  const OperatorScope& scope_;
  EventStreamChecker& checker_;
  VariablePlaces& variables_;
  std::vector<const PlanEntry*> scratch_;  // the operator's own in the plan's order; empty but in invoke
};

}  // namespace

void CheckAccessList(const OperatorScope& scope, EventStreamChecker& checker, VariablePlaces& variables) {
  Check(scope, checker, variables).Run();
}

}  // namespace arenaproof

// Kernels with which a model is planned though some of its own are missing, or do not take the types that it has:
// lifetimes, sizes and offline plans need shapes only. In the place of each such kernel stands one that asks for the
// scratch that the user says it needs, and never runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/model/model_view.h"
#include "core/model/validate.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/model/refused_types.h"

namespace arenaproof {

// With it a model is accepted whatever its operators are, also those whose code is outside the schema.
class AnyOperator final : public OperatorSupport {
 public:
  bool Serves(const ModelView&, std::size_t, const OperatorView&) const override { return true; }
};

struct UnservedOperator {
  OperatorLocation location;
  std::string name;                             // as in reports: "custom operator 'ethos-u'", "operator code 210"
  std::string address = {};                     // " (--scratch=3:BYTES)" of one without a name of its own
  std::string refusal = {};                     // what its kernel says of its operands' types; empty: it has no kernel
  bool scratch_is_known = false;                // the user said so
  std::vector<std::size_t> scratch_bytes = {};  // one for each buffer that it asks for
};

// One at a time in a thread.
class PlanningKernels {
 public:
  PlanningKernels();
  ~PlanningKernels();
  PlanningKernels(const PlanningKernels&) = delete;
  PlanningKernels& operator=(const PlanningKernels&) = delete;

  // `set`, its fallbacks and the model outlive this object; the model has been validated without asking which operators
  // are served.
  void Complete(const KernelSet& set, const ModelView& model);
  // The kernel that was found for the operator refuses its operands' types, in this sentence: from now on another
  // stands in its place, and in that of each operator with operands of the same types. False: one stands there already.
  bool StandInFor(const OperatorLocation& location, const std::string& refusal);
  // The words of --scratch, OPERATOR:BYTES each: the operator's name, of a custom one its own, or its index, in another
  // subgraph than the first SUBGRAPH:INDEX. Several for one operator are several buffers; 0 bytes are none. Empty, or
  // the sentence about a word that is wrong.
  std::string TakeScratch(const std::vector<std::string>& words);

  // The set and what stands in the places of missing kernels. After Complete.
  const KernelSet& set() const { return chain_.front(); }
  const std::vector<UnservedOperator>& unserved() const { return unserved_; }
  // What is planned is all that there is; otherwise the head is a lower bound.
  bool knows_all_scratch() const;

 private:
  std::string TakeScratch(const std::string& word);
  using Serves = bool (*)(std::span<const Operand> inputs, std::span<const Operand> outputs);
  void StandIn(const OperatorView& view, std::vector<Kernel>& kernels, Serves serves);
  void Link();

  // A kernel's `serves` is a plain function that is not told the operator's code: one for each.
  template <std::size_t kCode>
  static bool IsRefused(std::span<const Operand> inputs, std::span<const Operand> outputs);
  template <std::size_t... kCodes>
  static Serves IsRefusedOf(BuiltinOperator code, std::index_sequence<kCodes...> codes);

  static Status NextOperator(PrepareContext& context);
  static Status AskForScratch(PrepareContext& context);
  static Status NeverRun(const InvokeContext& context);
  static void StartAgain(void* op_data);

  const KernelSet* own_ = nullptr;
  const ModelView* model_ = nullptr;
  std::vector<UnservedOperator> unserved_;  // in the order in which a set-up comes to them
  std::size_t next_ = 0;                    // of them, whose init comes next
  std::deque<std::string> custom_names_;
  RefusedTypes refused_;
  std::vector<Kernel> of_refused_;  // for operators whose types are refused
  std::vector<Kernel> of_missing_;
  std::vector<KernelSet> chain_;  // the former, the set, its fallbacks, the latter
};

// "operator 3 custom operator 'ethos-u' has no kernel in 'reference', so its scratch is not known ...": sentences for
// reports; empty when every operator is served or said what it needs.
std::vector<std::string> UnknownScratchText(const PlanningKernels& kernels);

}  // namespace arenaproof

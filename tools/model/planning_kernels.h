// Kernels with which a model is planned though some of its own are missing: lifetimes, sizes and offline plans need
// shapes only. In the place of each missing kernel stands one that asks for the scratch that the user says it needs,
// and never runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

struct UnservedOperator {
  OperatorLocation location;
  std::string name;                        // as in reports: "custom operator 'ethos-u'"
  bool scratch_is_known = false;           // the user said so
  std::vector<std::size_t> scratch_bytes;  // one for each buffer that it asks for
};

// One at a time in a thread.
class PlanningKernels {
 public:
  PlanningKernels();
  ~PlanningKernels();
  PlanningKernels(const PlanningKernels&) = delete;
  PlanningKernels& operator=(const PlanningKernels&) = delete;

  // `set`, its fallbacks and the model outlive this object; the model has been validated without asking which operators
  // are served. `scratch` are the words of --scratch, OPERATOR:BYTES each: the operator's name, of a custom one its
  // own, or its index, in another subgraph than the first SUBGRAPH:INDEX. Several for one operator are several buffers;
  // 0 bytes are none. Empty, or the sentence about a word that is wrong.
  std::string Complete(const KernelSet& set, const ModelView& model, const std::vector<std::string>& scratch = {});

  // The set and what stands in the places of missing kernels. After Complete.
  const KernelSet& set() const { return chain_.front(); }
  const std::vector<UnservedOperator>& unserved() const { return unserved_; }
  // What is planned is all that there is; otherwise the head is a lower bound.
  bool knows_all_scratch() const;

 private:
  std::string TakeScratch(const KernelSet& set, const ModelView& model, const std::string& word);
  void StandIn(const OperatorView& view);

  static Status NextOperator(PrepareContext& context);
  static Status AskForScratch(PrepareContext& context);
  static Status NeverRun(const InvokeContext& context);
  static void StartAgain(void* op_data);

  std::vector<UnservedOperator> unserved_;  // in the order in which a set-up comes to them
  std::size_t next_ = 0;                    // of them, whose init comes next
  std::deque<std::string> custom_names_;
  std::vector<Kernel> kernels_;
  std::vector<KernelSet> chain_;  // the set, its fallbacks, and the kernels above
};

// "operator 3 custom operator 'ethos-u' has no kernel in 'reference', so its scratch is not known ...": sentences for
// reports; empty when every operator is served or said what it needs.
std::vector<std::string> UnknownScratchText(const PlanningKernels& kernels);

}  // namespace arenaproof

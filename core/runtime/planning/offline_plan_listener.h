// What is reported about a model's offline plan beyond the one status: overlaps with all their numbers, warnings.
// Called during AllocateTensors; the arguments are valid during the call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/status.h"

namespace arenaproof {

struct OfflineTensor {
  std::size_t subgraph = 0;
  std::size_t tensor = 0;  // index in its subgraph
  bool variable = false;
  std::size_t offset = 0;   // from the head's aligned start, as the plan says
  std::size_t bytes = 0;    // not rounded up
  std::int32_t first = -1;  // closed interval of scopes; [-1,-1]: no operator touches it
  std::int32_t last = -1;
};

struct OfflineOverlap {
  OfflineTensor first;  // the lower concatenated index
  OfflineTensor second;
  std::size_t lowest_shared_offset = 0;
};

struct OfflinePlanSummary {
  std::size_t metadata_index = 0;
  std::size_t tensor_count = 0;  // of all subgraphs
  std::size_t placed_count = 0;  // tensors that the plan gives a place in the head
  // With trust: how many pairs of them share bytes while both are alive, however many are then listed.
  std::uint64_t trusted_overlap_count = 0;
};

class OfflinePlanListener {
 public:
  // The pair for which the plan is refused with kOfflinePlanLiveOverlap or kOfflinePlanSharedVariable.
  virtual void OnRefusedOverlap(const Status& refusal, const OfflineOverlap& overlap) = 0;

  // Called for an accepted plan in this order: OnAccepted once; OnWarning for each warning, in the order of the rules;
  // with trust OnTrustedOverlap for each pair that shares bytes while both are alive, in the order in which they come
  // alive, as long as it returns true.
  // Metadata entries that are almost a plan (kOfflinePlanNameAlmost) are warned about without a plan too.
  virtual void OnAccepted(const OfflinePlanSummary& summary) = 0;
  virtual void OnWarning(const Status& warning) = 0;
  virtual bool OnTrustedOverlap(const OfflineOverlap& overlap) = 0;

 protected:
  ~OfflinePlanListener() = default;
};

// How a model's offline plan is taken.
struct OfflinePlanPolicy {
  // Lets tensors that the plan fixes share bytes while both are alive (V20), and nothing else: each such pair is
  // reported.
  bool trust = false;
  OfflinePlanListener* listener = nullptr;
  // As if the model had no plan: nothing of it is read, checked or reported.
  bool ignore = false;
  // Refuses offsets of constants (V22), which else are not used and warned about.
  bool strict = false;
  // Other models use the same head: a variable in it does not keep its value for long (a warning). Set by the
  // interpreter, not by callers.
  bool shared_allocator = false;
};

}  // namespace arenaproof

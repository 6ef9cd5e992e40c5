// What the runtime reports about a model's offline plan, recorded for reports: as text, and as the JSON that the worker
// and the commands share.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/runtime/planning/offline_plan_listener.h"

namespace arenaproof {

// Each trusted overlap is listed. Only a plan that was made to exhaust memory has more pairs than this, or tensors with
// names so long that the sentences take more bytes than this (a worker's report may take 64 MiB); then the report lists
// the first ones, counts all and states how many it leaves out.
inline constexpr std::size_t kMostListedOverlaps = 100'000;
inline constexpr std::size_t kMostOverlapTextBytes = std::size_t{24} << 20;
// A report in text shows this many and refers to --json for the others.
inline constexpr std::size_t kMostShownOverlaps = 100;

class OfflinePlanRecorder final : public OfflinePlanListener {
 public:
  void OnRefusedOverlap(const Status& refusal, const OfflineOverlap& overlap) override;
  void OnAccepted(const OfflinePlanSummary& summary) override;
  void OnWarning(const Status& warning) override { warnings_.push_back(warning); }
  bool OnTrustedOverlap(const OfflineOverlap& overlap) override;

  // What is recorded belongs to the last set-up; Clear() comes before each.
  void Clear() { *this = OfflinePlanRecorder(); }
  const std::optional<OfflinePlanSummary>& summary() const { return summary_; }
  const std::vector<Status>& warnings() const { return warnings_; }
  // kMostListedOverlaps at most; how many there are is in the summary.
  const std::vector<OfflineOverlap>& trusted_overlaps() const { return trusted_overlaps_; }
  const std::optional<OfflineOverlap>& refused_overlap() const { return refused_overlap_; }

  // The status's sentence, with all numbers of the two tensors when it is about a pair that was refused.
  std::string RefusalSentence(const ModelView& model, const Status& refusal) const;

 private:
  std::optional<OfflinePlanSummary> summary_;
  std::vector<Status> warnings_;
  std::vector<OfflineOverlap> trusted_overlaps_;
  Status refusal_;
  std::optional<OfflineOverlap> refused_overlap_;
};

// What a report contains about an accepted plan, in sentences.
struct OfflinePlanReport {
  std::string summary;                        // empty: the model has no plan
  std::vector<std::string> warnings;          // sentences
  std::vector<std::string> trusted_overlaps;  // sentences, by index of the tensors, within the bounds above
  std::uint64_t trusted_overlap_count = 0;    // how many there are, listed or not

  // 0 also when a worker's report, which is not trusted, counts fewer than it lists.
  std::uint64_t unlisted_overlap_count() const {
    return trusted_overlap_count > trusted_overlaps.size() ? trusted_overlap_count - trusted_overlaps.size() : 0;
  }
  bool empty() const { return summary.empty() && warnings.empty(); }
};

OfflinePlanReport MakeOfflinePlanReport(const ModelView& model, const OfflinePlanRecorder& recorder);

// What to say of a plan that a set-up was to ignore, and why it was; empty when the model has none.
std::string UnusedPlanText(const ModelView& model, const std::string& reason);

// Lines of a report in text; empty when there is nothing to say.
std::string OfflinePlanText(const OfflinePlanReport& report);
// {"summary", "warnings", "trusted_overlaps", "trusted_overlap_count", "trusted_overlaps_not_listed"}, and back.
nlohmann::json OfflinePlanJson(const OfflinePlanReport& report);
OfflinePlanReport ReadOfflinePlanReport(const nlohmann::json& json);

}  // namespace arenaproof

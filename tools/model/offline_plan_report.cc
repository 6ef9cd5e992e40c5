#include "tools/model/offline_plan_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/model/offline_plan.h"
#include "tools/text/operator_text.h"
#include "tools/text/sentences.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

std::string StepsText(const OfflineTensor& tensor) {
  if (tensor.last < 0) return "no step";
  if (tensor.first == tensor.last) return "step " + std::to_string(tensor.first);
  return "steps " + std::to_string(tensor.first) + " to " + std::to_string(tensor.last);
}

std::string TensorText(const ModelView& model, const OfflineTensor& tensor) {
  std::string text = tensor.variable ? "variable " : "tensor ";
  text += std::to_string(tensor.tensor) + " of subgraph " + std::to_string(tensor.subgraph);
  if (tensor.subgraph < model.subgraph_count() && tensor.tensor < model.tensor_count(tensor.subgraph)) {
    const std::string name(model.tensor(tensor.subgraph, tensor.tensor).name);
    if (!name.empty()) text += " \"" + Printable(name) + "\"";
  }
  return text + " (" + Counted(static_cast<long long>(tensor.bytes), "byte") + " at offset " +
         std::to_string(tensor.offset) + ", alive in " + StepsText(tensor) + ")";
}

std::string OverlapText(const ModelView& model, const OfflineOverlap& overlap) {
  return TensorText(model, overlap.first) + " and " + TensorText(model, overlap.second) + " share bytes from offset " +
         std::to_string(overlap.lowest_shared_offset) + " on";
}

std::string RuleOf(StatusCode code) { return code == StatusCode::kOfflinePlanSharedVariable ? "V25" : "V20"; }

std::string WhatToDo(StatusCode code) {
  return code == StatusCode::kOfflinePlanSharedVariable
             ? "; a variable has to keep its value between invokes, so its bytes are its own"
             : " while both are alive; --trust-plan accepts that, lists such pairs and counts them";
}

}  // namespace

void OfflinePlanRecorder::OnRefusedOverlap(const Status& refusal, const OfflineOverlap& overlap) {
  refusal_ = refusal;
  refused_overlap_ = overlap;
}

// A second set-up begins with this, and what the first one warned about does not belong to it.
void OfflinePlanRecorder::OnAccepted(const OfflinePlanSummary& summary) {
  Clear();
  summary_ = summary;
}

bool OfflinePlanRecorder::OnTrustedOverlap(const OfflineOverlap& overlap) {
  trusted_overlaps_.push_back(overlap);
  return trusted_overlaps_.size() < kMostListedOverlaps;
}

std::string OfflinePlanRecorder::RefusalSentence(const ModelView& model, const Status& refusal) const {
  if (!refused_overlap_ || refusal != refusal_) return arenaproof::RefusalSentence(model, refusal);
  return "the offline plan in metadata entry " + std::to_string(refusal.detail[0]) + " is refused by rule " +
         RuleOf(refusal.code) + " of docs/offline_plans.md: " + OverlapText(model, *refused_overlap_) +
         WhatToDo(refusal.code);
}

OfflinePlanReport MakeOfflinePlanReport(const ModelView& model, const OfflinePlanRecorder& recorder) {
  OfflinePlanReport report;
  if (const auto& summary = recorder.summary()) {
    report.summary = "offline plan in metadata entry " + std::to_string(summary->metadata_index) + ": fixes " +
                     std::to_string(summary->placed_count) + " of " +
                     Counted(static_cast<long long>(summary->tensor_count), "tensor");
  }
  for (const Status& warning : recorder.warnings()) report.warnings.push_back(Sentence(warning));
  std::vector<OfflineOverlap> overlaps = recorder.trusted_overlaps();
  const auto place = [](const OfflineTensor& tensor) { return std::pair(tensor.subgraph, tensor.tensor); };
  std::sort(overlaps.begin(), overlaps.end(), [&](const OfflineOverlap& a, const OfflineOverlap& b) {
    return std::pair(place(a.first), place(a.second)) < std::pair(place(b.first), place(b.second));
  });
  std::size_t text_bytes = 0;
  for (const OfflineOverlap& overlap : overlaps) {
    std::string sentence = OverlapText(model, overlap);
    text_bytes += sentence.size();
    if (text_bytes > kMostOverlapTextBytes) break;
    report.trusted_overlaps.push_back(std::move(sentence));
  }
  if (recorder.summary()) report.trusted_overlap_count = recorder.summary()->trusted_overlap_count;
  return report;
}

std::string UnusedPlanText(const ModelView& model, const std::string& reason) {
  std::string text;
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    if (model.metadata(i).name != kOfflinePlanName) continue;
    text = "offline plan in metadata entry " + std::to_string(i) + ": not used, " + reason;
  }
  return text;
}

std::string OfflinePlanText(const OfflinePlanReport& report) {
  std::string text;
  if (!report.summary.empty()) text += report.summary + "\n";
  for (const std::string& warning : report.warnings) text += "  warning: " + warning + "\n";
  if (report.trusted_overlap_count > 0) {
    text += "  trusted: " + Counted(static_cast<long long>(report.trusted_overlap_count), "overlap") +
            " of tensors that are alive together\n";
  }
  const std::size_t listed = report.trusted_overlaps.size(), shown = std::min(listed, kMostShownOverlaps);
  for (std::size_t i = 0; i < shown; ++i) text += "    " + report.trusted_overlaps[i] + "\n";
  if (report.trusted_overlap_count > shown) {
    text += "    and " + std::to_string(report.trusted_overlap_count - shown) + " more";
    if (listed > shown) {
      text += "; --json lists ";
      text += report.unlisted_overlap_count() == 0 ? "all of them" : "the first " + std::to_string(listed) + " of all";
    }
    text += "\n";
  }
  return text;
}

nlohmann::json OfflinePlanJson(const OfflinePlanReport& report) {
  return {{"summary", report.summary},
          {"warnings", report.warnings},
          {"trusted_overlaps", report.trusted_overlaps},
          {"trusted_overlap_count", report.trusted_overlap_count},
          {"trusted_overlaps_not_listed", report.unlisted_overlap_count()}};
}

OfflinePlanReport ReadOfflinePlanReport(const nlohmann::json& json) {
  return {json.at("summary").get<std::string>(), json.at("warnings").get<std::vector<std::string>>(),
          json.at("trusted_overlaps").get<std::vector<std::string>>(),
          json.at("trusted_overlap_count").get<std::uint64_t>()};
}

}  // namespace arenaproof

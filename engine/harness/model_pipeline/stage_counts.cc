#include "engine/harness/model_pipeline/stage_counts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

constexpr std::size_t kMostRefusalsShown = 12;

std::array<std::uint64_t, kModelStageCount> stage_counts{};

using RefusalCounts = std::map<std::pair<ModelStage, StatusCode>, std::uint64_t>;

// Never destroyed: it is read when the process ends.
RefusalCounts& Refusals() {
  static RefusalCounts& counts = *new RefusalCounts;
  return counts;
}

}  // namespace

const char* ModelStageName(ModelStage stage) {
  switch (stage) {
    case ModelStage::kRefusedByVerifier:
      return "refused by the verifier";
    case ModelStage::kRefusedByValidation:
      return "refused by validation";
    case ModelStage::kNotSupported:
      return "planned, not supported";
    case ModelStage::kPlanned:
      return "planned";
    case ModelStage::kPrepared:
      return "prepared";
    case ModelStage::kInvoked:
      return "invoked";
  }
  return "";
}

void CountStage(ModelStage stage) { ++stage_counts[static_cast<std::size_t>(stage)]; }

std::uint64_t StageCount(ModelStage stage) { return stage_counts[static_cast<std::size_t>(stage)]; }

void CountRefusal(ModelStage stage, const Status& status) {
  if (!status.ok()) ++Refusals()[{stage, status.code}];
}

std::string RefusalTable() {
  std::vector<std::pair<std::pair<ModelStage, StatusCode>, std::uint64_t>> rows(Refusals().begin(), Refusals().end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (rows.size() > kMostRefusalsShown) rows.resize(kMostRefusalsShown);
  std::string table;
  for (const auto& [who, count] : rows) {
    table += std::string("refusal: ") + ModelStageName(who.first) + ", " + std::string(StatusName(who.second)) + ": " +
             std::to_string(count) + " inputs\n";
  }
  return table;
}

std::string StageTable() {
  std::uint64_t total = 0;
  for (const std::uint64_t count : stage_counts) total += count;
  std::string table;
  std::uint64_t reached = total;
  for (std::size_t i = 0; i < stage_counts.size(); ++i) {
    const double share = 100.0 / (total == 0 ? 1.0 : static_cast<double>(total));
    char line[160];
    std::snprintf(line, sizeof line,
                  "stage: %-24s %10llu inputs ended here (%5.1f %%), %5.1f %% came at least so far\n",
                  ModelStageName(static_cast<ModelStage>(i)), static_cast<unsigned long long>(stage_counts[i]),
                  static_cast<double>(stage_counts[i]) * share, static_cast<double>(reached) * share);
    table += line;
    reached -= stage_counts[i];
  }
  return table;
}

}  // namespace arenaproof
